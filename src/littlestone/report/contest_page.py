"""A contest as a page: what was played, the table, the curves, the theorems."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import PurePath

from littlestone.core.amounts import amount
from littlestone.report.cards.card import claimed
from littlestone.report.figure import Drawn, figure, line_style, themed
from littlestone.report.page import page
from littlestone.report.plots.contests import (
    banded,
    behind_the_best,
    draw_differences,
    draw_mistakes,
    draw_rates,
    far_apart,
    ranked,
)
from littlestone.theory.contests import Contest, Entry
from littlestone.theory.hindsight import LossVerdict
from littlestone.theory.hindsight.regret import class_in_words

__all__ = ["cells_of", "contest_page"]

LONG = 1e12  # a bound of more would fill the table with digits
BLANK = "\N{EN DASH}"


def contest_page(contest: Contest, *, command: str = "", skipped: int = 0) -> str:
    """Return a contest as one HTML page that needs no network and no scripts.

    The same contest gives the same bytes, apart from times. ``command`` is what was typed, ``skipped`` the number of
    bad lines that were left out.

    >>> import littlestone as ls
    >>> from littlestone.theory.contests import contest
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1], [0, 0]], [1, 0, 1, 0])
    >>> contest_page(contest([ls.Winnow(), ls.Perceptron()], stream)).count("<figure>")
    2
    """
    order = ranked(contest)
    playing = [entry for entry in order if entry.runs]
    figures = [_mistakes(contest, playing), _rates(contest, playing)]
    if contest.permutations > 1 and len(playing) > 1:
        figures.append(_differences(contest, playing))
    return page(
        "report/templates/contest.html",
        title=f"{len(playing)} learners on {_name(contest)}",
        footer=f"Made by littlestone {version('littlestone')}.",
        contest=contest,
        lead=_lead(contest),
        known=_facts(contest, skipped),
        command=command,
        caption=_order(contest),
        rows=[
            (entry, (themed(line_style(number)[0]), line_style(number)[1]), cells_of(entry), _spread(contest, entry))
            for number, entry in enumerate(order)
            if entry.runs
        ],
        drawn=figures,
        theorems={entry.name: _theorem(entry) for entry in order},
    )


def _name(contest: Contest) -> str:
    """Return the file of a stream, or the stream as it was made."""
    kind, _, rest = contest.stream.partition("('")
    return PurePath(rest.removesuffix("')")).name if kind.endswith("Stream") and rest.endswith("')") else contest.stream


def _order(contest: Contest) -> str:
    what, best = ("Mistakes", "best") if contest.measure is None else ("Loss", "least")
    if not contest.permutations:
        return f"{what} of each learner in {contest.trials:,} trials, the {best} first"
    return (
        f"{what} of each learner in {contest.trials:,} trials, the mean of {contest.permutations} permutations; the "
        "smallest mean first"
    )


def _lead(contest: Contest) -> str:
    best = contest.best
    mean = float(best.counts.mean())
    games = f" on average over {contest.permutations} permutations" if contest.permutations else ""
    if contest.measure is not None:
        each = amount(mean / contest.trials)
        return f"{best.name} lost the least{games}: {amount(mean)} in {contest.trials:,} trials, or {each} a trial."
    return (
        f"{best.name} made the fewest mistakes{games}: {mean:,.{1 if contest.permutations else 0}f} in "
        f"{contest.trials:,} trials, or {100 * mean / contest.trials:.2f}%."
    )


def _facts(contest: Contest, skipped: int) -> dict[str, str]:
    total = sum(contest.labels.values()) or 1
    share = ", ".join(f"{label}: {count:,} ({100 * count / total:.1f}%)" for label, count in contest.labels.items())
    order = "as they come"
    if contest.permutations:
        order += f", then {contest.permutations} permutations (seed {contest.seed}), the same for all learners"
    return {
        "Examples": contest.stream,
        "Trials in a game": f"{contest.trials:,}",
        "Rows for tuning": f"{contest.tuning:,}, at the beginning of every game, not scored" if contest.tuning else "",
        "Attributes": f"{contest.attributes:,}, {contest.nonzeros / contest.trials:,.1f} of them on in a row"
        + (", Boolean" if contest.boolean else ", with values"),
        "Labels": share if contest.measure is None else "none: outcomes are numbers",
        "Loss": "" if contest.measure is None else f"{contest.measure}, of predictions made before the outcome came",
        "Bad lines left out": f"{skipped:,}" if skipped else "",
        "Order of the rows": order,
        "Versions": ", ".join(f"{name} {version(name)}" for name in ("littlestone", "numpy", "numba"))
        + f", Python {platform.python_version()}",
    }


def cells_of(entry: Entry) -> dict[str, str]:
    """Return the counts of a learner's first game as a table has them."""
    run, bound = entry.runs[0], entry.verdict.bound
    verdict = entry.verdict
    if isinstance(verdict, LossVerdict):
        paid = entry.loss if bound is None or bound.of == "loss" else verdict.regret
        return {
            "mistakes": amount(entry.loss),
            "rmse": f"{run.rmse:.4g}",
            "regret": amount(verdict.regret, BLANK),
            "updates": f"{run.updates:,}",
            "bound": BLANK if bound is None else amount(bound.value),
            "ratio": _ratio(paid / bound.value) if paid is not None and bound is not None and bound.value else BLANK,
            "milliseconds": BLANK if entry.seconds is None else f"{1000 * entry.seconds:,.1f}",
        }
    return {
        "mistakes": f"{run.mistakes:,}",
        "updates": f"{run.updates:,}",
        "bound": BLANK if bound is None else f"{bound.value:{',.0f' if bound.value < LONG else '.3g'}}",
        "ratio": _ratio(run.mistakes / bound.value) if bound is not None and bound.value else BLANK,
        "milliseconds": BLANK if entry.seconds is None else f"{1000 * entry.seconds:,.1f}",
    }


def _ratio(value: float) -> str:
    """Return a ratio with two decimals, or as many as two digits take.

    >>> _ratio(0.87), _ratio(0.0025), _ratio(0.0)
    ('0.87', '0.0025', '0')
    """
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _spread(contest: Contest, entry: Entry) -> dict[str, str]:
    """Return what the permutations say of a learner, nothing where there are none."""
    sample, apart = entry.sample, contest.difference(entry)
    if not contest.permutations or sample is None:
        return {}
    of = None if apart is None else apart.sample
    if contest.measure is not None:
        return {
            "mean": amount(sample.mean),
            "deviation": amount(sample.spread, BLANK),
            "apart": "best" if of is None else amount(of.mean),
            "interval": "" if of is None or of.low is None else f"{amount(of.low)} to {amount(of.high)}",
        }
    return {
        "mean": f"{sample.mean:,.1f}",
        "deviation": BLANK if sample.spread is None else f"{sample.spread:,.1f}",
        "apart": "best" if of is None else f"{of.mean:+,.1f}",
        "interval": "" if of is None or of.low is None else f"{of.low:+,.1f} to {of.high:+,.1f}",
    }


def _theorem(entry: Entry) -> str:
    if entry.refused is not None:
        return f"It dropped out: {claimed(str(entry.refused))}"
    verdict = entry.verdict.as_dict()
    if isinstance(entry.verdict, LossVerdict):
        return _loss_theorem(entry.verdict)
    if verdict["bound"] is None:
        return f"None: {claimed(str(verdict['why_not']))}"
    theorem, against = verdict["theorem"], verdict["comparator"]
    of = "" if verdict["of"] == "mistakes" else f"on {verdict['of']}; "
    if "loss" in against:
        return f"{theorem} ({of}of this game, in the order of the rows: L={against['loss']:,.1f})"
    return f"{theorem} ({of}k={against['k']}, {against['attribute_errors']:,} attribute errors)"


def _loss_theorem(verdict: LossVerdict) -> str:
    bound, against = verdict.bound, verdict.comparator
    of = ""
    if against is not None:
        of = f" Held against {class_in_words(against.kind, against.U)}, the best of which lose {amount(against.loss)}."
    if bound is None:
        return claimed(f"None: {verdict.why_not}.{of or f' No regret: {verdict.no_regret}.'}")
    return claimed(f"{bound}.{of}")


# The figures


def _mistakes(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the curves of mistakes against trials."""
    far = far_apart(entries)  # on logarithmic axes every curve turns flat
    ends = "" if far else " A curve that turns flat has learned."
    what = "Mistakes" if contest.measure is None else "Loss"
    return figure(
        lambda drawn, axes: draw_mistakes(contest, entries, drawn, axes),
        name="mistakes",
        says=f"{what} against trials. {_ranking(contest, entries)}",
        caption=f"{what} against trials{', both axes logarithmic' if far else ''}{_band(contest, entries)}.{ends}",
    )


def _rates(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the curves of mistakes or losses per trial so far."""
    if contest.measure is not None:
        return figure(
            lambda drawn, axes: draw_rates(contest, entries, drawn, axes),
            name="rates",
            says=f"Loss per trial. {_ranking(contest, entries)}",
            caption=f"Loss per trial so far{_band(contest, entries)}; the axis of trials is logarithmic.",
        )
    return figure(
        lambda drawn, axes: draw_rates(contest, entries, drawn, axes),
        name="rates",
        says=f"Mistakes per trial. {_ranking(contest, entries)}",
        caption=f"Mistakes per trial so far, in percent{_band(contest, entries)}; the axis of trials is logarithmic.",
    )


def _differences(contest: Contest, entries: Sequence[Entry]) -> Drawn:
    """Return the differences from the best: each game a dot, the mean with its interval."""
    others = behind_the_best(contest, entries)
    what = "Mistakes minus those" if contest.measure is None else "Loss minus that"
    caption = (
        f"{what} of {contest.best.name} in the same permutation: a dot a game, a stroke for the mean, "
        "a bar for its 95% interval."
    )
    means = ", ".join(f"{entry.name} {sample.mean:+,.1f}" for _, entry, sample in others)
    return figure(
        lambda drawn, axes: draw_differences(contest, entries, drawn, axes),
        name="differences",
        says=f"Mean differences from {contest.best.name}: {means}.",
        caption=caption,
        height=1.3 + 0.3 * len(others),
    )


def _band(contest: Contest, entries: Sequence[Entry]) -> str:
    if contest.permutations < 2:
        return ""
    band = ", the band is one standard deviation to each side" if banded(contest, entries) else ""
    return f"; mean of {contest.permutations} permutations{band}"


def _ranking(contest: Contest, entries: Sequence[Entry]) -> str:
    means = ", ".join(f"{entry.name} {float(entry.counts.mean()):,.1f}" for entry in entries)
    return f"After {contest.trials:,} trials: {means}."
