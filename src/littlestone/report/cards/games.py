"""Cards of what was played: a run, a contest, a certificate; and of bounds."""

from __future__ import annotations

from itertools import islice

from littlestone.bounds import Bound, OpenBound, VoidBound
from littlestone.core.amounts import amount
from littlestone.core.errors import InvalidParameter
from littlestone.games.certificates import Certificate, LossCertificate
from littlestone.games.run import Run
from littlestone.report.cards.card import Card, Curve, Grid, claimed, counted, told
from littlestone.report.contest_page import cells_of
from littlestone.report.plots.contests import ranked
from littlestone.report.plots.runs import FAR, curve_of, limit_of
from littlestone.theory.contests import Contest

__all__ = [
    "bound_card",
    "bound_facts",
    "certificate_card",
    "contest_card",
    "example_of",
    "loss_certificate_card",
    "run_card",
]

MOST = 20  # attributes, or learners
SMALL = 80  # points of a curve
TRIED = 64  # numbers of attributes, to find one whose bound is not below the mistakes


def bound_facts(bound: Bound | OpenBound | VoidBound | None, mistakes: int = 0) -> dict[str, str]:
    """Return a bound beside what it assumes; ``mistakes`` are those that were made."""
    if bound is None:
        return {"Bound": "none is known to hold with these parameters"}
    example = example_of(bound, mistakes) if isinstance(bound, OpenBound) else ""
    claim = f"{claimed(bound.claim)}{example and f'; {example}'}"
    return {"Bound": claim, "if": claimed(bound.assumes), "by": bound.theorem}


def example_of(bound: OpenBound, mistakes: int = 0) -> str:
    """Return an open bound as a number, of the smallest target for which it is not below the mistakes made.

    A bound below them is not broken: its target does not give the labels. No number is told where none is found.

    >>> from littlestone import bounds
    >>> bound = OpenBound(bounds.winnow_disjunction(n=1024, k=1), "k")
    >>> example_of(bound), example_of(bound, 60)
    ('31 for k = 1', 'for k = 2: 61, the first that is not below the mistakes')
    """
    name, least = bound.free, bound.example
    if bound.also:  # the claim has all of them
        return ""
    if bound.kind == "lower" or least.value >= mistakes:
        return f"{least.value:,g} for {name} = {least.arguments[name]}"
    if name != "k":
        return ""
    for k in range(2, TRIED + 1):
        try:
            value = bound.at(k=k).value
        except InvalidParameter:  # there are not so many attributes
            return ""
        if value >= mistakes:
            return f"for k = {k}: {value:,g}, the first that is not below the mistakes"
    return ""


def bound_card(bound: Bound | OpenBound | VoidBound) -> Card:
    """Return the card of a bound: the claim, what it assumes, where it is from."""
    numbers = ", ".join(f"{name} = {number}" for name, number in bound.arguments.items() if number is not None)
    facts = {"if": claimed(bound.assumes), "assuming": claimed(bound.assumptions), "by": bound.theorem}
    facts |= {"Source": bound.source, "Numbers": numbers}
    if facts["if"] == facts["assuming"]:
        facts["assuming"] = ""
    lead = ""
    if isinstance(bound, OpenBound):
        given = ", ".join(f"{name}=..." for name in bound.open)
        lead = f"Its number depends on {' and '.join(bound.open)}: at({given}) gives it."
    return Card(claimed(bound.claim), lead, facts)


def run_card(run: Run) -> Card:
    """Return the card of a run: the mistakes, the bound, the curve."""
    share = f", or {100 * run.mistakes / run.trials:.2f}%" if run.trials else ""
    steps = f"{counted(run.promotions, 'promotion')}, {counted(run.demotions, 'demotion')}"
    last = f"in trial {int(run.mistake_trials[-1]) + 1:,}" if len(run.mistake_trials) else ""
    facts = bound_facts(run.guarantee, run.mistakes) | {"Updates": f"{run.updates:,} ({steps})", "Last mistake": last}
    facts["Milliseconds"] = f"{1000 * run.seconds:,.1f}, of learning alone"
    lead = f"{counted(run.mistakes, 'mistake')} in {counted(run.trials, 'trial')}{share}"
    return Card(run.learner, lead, facts, curve=_curve(run) if run.mistakes else None)


def _curve(run: Run) -> Curve:
    """Return the curve of mistakes, small; and the line of the bound where it is not far above."""
    points, counts = curve_of(run, SMALL)
    limit = limit_of(run)
    near = limit is not None and limit.value <= FAR * run.mistakes
    top = max(run.mistakes, limit.value if limit is not None and near else 0.0) * 1.03
    places = zip((400 * points / run.trials).tolist(), (80 - 80 * counts / top).tolist(), strict=True)
    if run.trials <= SMALL:  # every trial is a point, and counts jump
        line = "M0 80" + "".join(f"V{y:.1f}H{x:.1f}" for x, y in places)
    else:
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    bound = f"M0 {80 - 80 * limit.value / top:.1f}H400" if limit is not None and near else ""
    return Curve(line, bound, "mistakes over trials" + (", and the bound (broken line)" if bound else ""))


def contest_card(contest: Contest) -> Card:
    """Return the card of a contest: the best, and a row for each learner."""
    order, best = ranked(contest), contest.best
    playing = [entry for entry in order if entry.runs]
    lost = contest.measure is not None
    means = ["mean", "± s.d.", "in their order"] if contest.permutations else ["loss" if lost else "mistakes"]
    heads = ["learner", *means, *(["RMSE", "regret"] if lost else []), "bound", "ratio", "updates"]
    shown = ("mistakes", *(("rmse", "regret") if lost else ()), "bound", "ratio", "updates")
    rows = []
    for entry in playing[:MOST]:
        cells, sample = cells_of(entry), entry.sample
        spread = [f"{sample.mean:,.1f}", told(sample.spread, 1)] if contest.permutations and sample is not None else []
        rows.append([entry.name, *spread, *(cells[name] for name in shown)])
    share = f"{100 * float(best.counts.mean()) / contest.trials:.2f}% of {counted(contest.trials, 'trial')}"
    if lost:
        share = f"{amount(float(best.counts.mean()))} in {counted(contest.trials, 'trial')}"
    games = f", the mean of {contest.permutations} permutations" if contest.permutations else ""
    what = "loss" if lost else "mistakes"
    first = f"The smallest mean of {what} first" if contest.permutations else "The fewest mistakes first"
    first = "The least loss first" if lost and not contest.permutations else first
    caption = f"{first}; ratio: {what}, in the order of the rows, to the bound that holds on them"
    notes = [f"{entry.name} dropped out: {entry.refused}" for entry in order if entry.refused is not None]
    if len(playing) > MOST:
        notes.append(f"Learners that are not listed: {len(playing) - MOST}.")
    lead = f"{best.name} {'lost the least' if lost else 'made the fewest mistakes'}: {share}{games}."
    return Card(f"{len(playing)} learners on {contest.stream}", lead, {}, [Grid(caption, heads, rows, 0)], notes)


def certificate_card(found: Certificate) -> Card:
    """Return the card of a certificate: mistakes, bound and comparator."""
    equal = len(set(found.weights)) <= 1
    pairs = islice(zip(found.attributes, found.weights, strict=True), MOST)
    against = ", ".join(str(name) if equal else f"{name}: {weight:g}" for name, weight in pairs)
    more = len(found.attributes) - MOST
    facts = {
        "Learner": found.learner,
        "Bound": f"{found.bound:,.6g}, by {found.theorem}",
        "Slack": f"{found.slack:,.6g} more mistakes would have been allowed",
        "Comparator": f"attributes {against}" + (f" and {more} more" if more > 0 else ""),
        "Numbers": ", ".join(f"{name} = {number:g}" for name, number in found.terms.items()),
        "Potential": f"{found.kind}, {found.start:g} before the first trial",
        "Digests": f"{found.stream[:16]}… of the stream, {found.digest[:16]}… of this certificate",
    }
    title = f"Certificate: {counted(found.mistakes, 'mistake')} in {counted(found.trials, 'trial')}"
    lead = f"At most {found.bound:,.6g} could have been made, as the ledger against this comparator proves."
    return Card(title, lead, facts, notes=["verify(certificate, stream) checks it without the learner's code."])


def loss_certificate_card(found: LossCertificate) -> Card:
    """Return the card of a certificate of losses: loss, bound and comparator."""
    pairs = islice(zip(found.attributes, found.weights, strict=True), MOST)
    against = ", ".join(f"{name}: {weight:g}" for name, weight in pairs)
    more = len(found.attributes) - MOST
    facts = {
        "Learner": found.learner,
        "Bound": f"{found.bound:,.6g}, by {found.theorem}",
        "Comparator": f"weights {against}"
        + (f" and {more} more" if more > 0 else "")
        + f"; it loses {found.against:g}",
        "Numbers": ", ".join(f"{name} = {number:g}" for name, number in found.terms.items()),
        "Potential": f"{found.start:g} before the first trial",
        "Digests": f"{found.stream[:16]}… of the stream, {found.digest[:16]}… of this certificate",
    }
    title = f"Certificate: a loss of {found.loss:,.6g} in {counted(found.trials, 'trial')}"
    lead = f"At most {found.bound:,.6g} could have been lost, as the ledger against this comparator proves."
    return Card(title, lead, facts, notes=["verify(certificate, stream) checks it without the learner's code."])
