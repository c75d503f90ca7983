"""From a learner's guarantee to the bound that holds on one stream, given how a disjunction fares there."""

from __future__ import annotations

from math import inf, sqrt

from littlestone.bounds.agarwal import perceptron_hinge, perceptron_losses
from littlestone.bounds.bound import Bound, OpenBound
from littlestone.bounds.crammer import passive_aggressive_1, passive_aggressive_2
from littlestone.bounds.gentile import alma_margin, p_norm_losses
from littlestone.bounds.helmbold_panizza_warmuth import winnow_attribute_errors
from littlestone.core.errors import InvalidParameter

__all__ = ["on_stream"]


def on_stream(
    guarantee: Bound | OpenBound, *, k: int, attribute_errors: int = 0, X: int, losses: float = 0.0,
    squared_losses: float = 0.0,
    mistakes: int | None = None,
) -> Bound | str:  # fmt: skip
    """Return the smallest bound that the guarantee's learner keeps on a stream, or the assumption that fails there.

    On the stream some disjunction of ``k`` attributes has so many attribute errors, the hinge ``losses`` (and
    ``squared_losses``) of u = (1 on its attributes, -1/2) at margin 1/2, and at most ``X`` attributes are on in a row;
    it makes so many ``mistakes`` (None: as many as attribute errors, at most).

    >>> from littlestone import bounds
    >>> print(on_stream(bounds.winnow_disjunction(n=100, k=1), k=3, attribute_errors=10, X=100))
    mistakes <= 88.834 if a disjunction of k = 3 attributes has at most 10 attribute errors (Auer-Warmuth, Winnow)
    >>> on_stream(bounds.elimination(n=100, k=1), k=3, attribute_errors=10, X=100)
    'Kivinen-Warmuth, elimination allows no attribute errors, and A=10'
    """
    if isinstance(guarantee, OpenBound):
        guarantee = guarantee.example
    if guarantee.name == "weighted_majority_randomized":
        return f"{guarantee.theorem} counts the errors of experts, whoever they are: ask guarantee.at(errors=...)"
    if guarantee.name == "direct_weighted_majority":
        return _direct(guarantee, k, attribute_errors if mistakes is None else mistakes)
    candidates = _candidates(guarantee, k, attribute_errors, X, losses, squared_losses)
    found = [bound for bound in candidates if bound.value < inf]
    if found:
        return min(found, key=lambda bound: bound.value)
    if "k" not in guarantee.arguments:
        return f"{guarantee.theorem} is about margins, not disjunctions"
    if attribute_errors:
        return f"{guarantee.theorem} allows no attribute errors, and A={attribute_errors:,}"
    return f"{guarantee.theorem} says nothing for k={k} with these parameters"


def _direct(guarantee: Bound, k: int, errors: int) -> Bound | str:
    """Return the bound for a vote among all disjunctions; here k is that of the voters, not of the target."""
    largest = guarantee.arguments["k"]
    if largest is None or k <= largest:
        return guarantee.at(errors=errors)
    return f"{guarantee.theorem} is about disjunctions of at most {largest} attributes, and this one has {k}"


def _candidates(guarantee: Bound, k: int, errors: int, X: int, losses: float, squared_losses: float) -> list[Bound]:
    """Return every bound that is known to hold."""
    numbers = dict(guarantee.arguments)
    found: list[Bound] = []
    try:
        if guarantee.name in ("perceptron_disjunction", "p_norm_disjunction"):
            p = float(numbers.get("p", 2.0))
            q = p / (p - 1.0)
            if not errors:
                return [guarantee.at(k=k, X=X)]
            radius, norm = (X + 1.0) ** (1.0 / p), (k + 0.5**q) ** (1.0 / q)
            if p != 2.0:
                return [p_norm_losses(p=p, radius=radius, norm=norm, gamma=0.5, loss=losses)]
            numbers = {"radius": radius, "norm": norm, "gamma": 0.5}
            return [perceptron_losses(**numbers, losses=squared_losses), perceptron_hinge(**numbers, loss=losses)]
        if guarantee.name == "alma_disjunction" and errors:
            p = float(numbers["p"])
            q = p / (p - 1.0)
            norm = (k + 0.5**q) ** (1.0 / q)  # rows are as long as 1 at least, for the constant coordinate
            numbers = {name: numbers[name] for name in ("p", "alpha", "B", "C")}
            return [alma_margin(gamma=0.5 / (norm * (X + 1.0) ** (1.0 / p)), **numbers, loss=losses / norm)]
        if guarantee.name.startswith("passive_aggressive_") and errors and "C" in numbers:
            numbers = {"C": numbers["C"], "radius": sqrt(X + 1.0), "norm": sqrt(4.0 * k + 1.0)}  # of 2u, at margin 1
            if guarantee.name == "passive_aggressive_1_disjunction":
                return [passive_aggressive_1(**numbers, loss=2.0 * losses)]
            return [passive_aggressive_2(**numbers, squared_losses=4.0 * squared_losses)]
        if guarantee.name == "winnow_disjunction":
            theta = numbers["n"] if numbers["theta"] is None else numbers["theta"]
            numbers |= {"alpha": float(numbers["alpha"]), "theta": float(theta), "w1": float(numbers["w1"])}
            numbers["demotion"] = None if numbers["demotion"] is None else float(numbers["demotion"])
            found.append(winnow_attribute_errors(**(numbers | {"k": k, "attribute_errors": errors})))
        if "attribute_errors" in numbers:
            found.append(guarantee.at(k=k, attribute_errors=errors))
        elif "k" in numbers and not errors:
            found.append(guarantee.at(k=k, **({"X": X} if "X" in numbers else {})))
    except InvalidParameter:
        pass  # such as k = 0 where a theorem needs k >= 1: what was found stands
    return found
