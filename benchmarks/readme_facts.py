"""The table of facts in README.md, and its picture, both made of what `benchmarks/peers.py` measured.

``python benchmarks/readme_facts.py`` rewrites the part of README.md between two comments, and draws docs/front.svg and
docs/front-dark.svg. No number is typed. Where a package has several learners, the one with the fewest mistakes over all
sets speaks for it; the best figure of each line is bold, whoever has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import littlestone as ls

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- facts: written by benchmarks/readme_facts.py -->", "<!-- end of facts -->"
OURS = "littlestone"
# What the packages are called in peers.json: where their learners play, and where they are processes.
PACKAGES = {OURS: "Auto", "Vowpal Wabbit": "VW", "scikit-learn": "sklearn", "river": "river"}
SOME = "75 of 100,000 attributes on"  # the rows in memory
PASSES = {  # who passes over them
    OURS: "Perceptron, from the CSR matrix",  # as scikit-learn takes them; from a Block it is faster
    "Vowpal Wabbit": "VW, parsed examples",
    "scikit-learn": "sklearn Perceptron, unshuffled",
    "river": "river Perceptron",
}
ONE = {"values": "Boolean", "active": 25, "drawn": 1_000, "known": 1_000}  # the examples that come one at a time
SLACK = 1.005  # figures that are printed alike are equally good


class Fact(NamedTuple):
    """A line of the table: what is measured, a figure for each package that has one, and how it is told."""

    title: str
    figures: Mapping[str, float]
    form: str
    most: bool = False  # whether more is better
    notes: Mapping[str, str] = {}

    def cells(self) -> Iterator[str]:
        """Yield the title and what each package has, the best in bold."""
        best = (max if self.most else min)(self.figures.values())
        yield self.title
        for package in PACKAGES:
            if package not in self.figures:
                yield "-"
                continue
            figure = self.figures[package]
            told = self.form.format(figure)
            good = max(figure, best) <= SLACK * min(figure, best)
            note = f" {self.notes[package]}" if package in self.notes else ""
            yield (f"**{told}**" if good and len(self.figures) > 1 else told) + note


def facts(found: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield all that is told."""
    yield from _mistakes(found["real"])
    yield from _log_loss(found.get("log loss", {}).get("sets", {}))
    yield from _in_memory(found["in memory"][SOME])
    yield from _one_at_a_time(found["one at a time"])
    yield from _from_file(found["from file"])
    yield from _processes(found)


def champions(real: Mapping[str, Any]) -> dict[str, tuple[str, float]]:
    """Return, for each package, its learner with the least mean share of mistakes over the sets, and that share."""
    players = next(iter(real.values()))["mistakes"]
    shares = {
        name: mean(about["mistakes"][name] / about["rows"] for about in real.values())
        for name in players
        if name.startswith(tuple(PACKAGES.values())) and all(a["mistakes"][name] is not None for a in real.values())
    }
    of = {
        package: min((n for n in shares if n.startswith(prefix)), key=lambda n: shares[n])
        for package, prefix in PACKAGES.items()
    }
    return {package: (name, shares[name]) for package, name in of.items()}


def _mistakes(real: Mapping[str, Any]) -> Iterator[Fact]:
    if not real:
        return
    best = champions(real)
    notes = {package: f"`{name.split(' ', 1)[-1]}`" for package, (name, _) in best.items()}
    title = f"mistakes in one pass, mean of {len(real)} real sets"
    yield Fact(title, {package: 100 * share for package, (_, share) in best.items()}, "{:.1f}%", notes=notes)
    counts = dict.fromkeys(PACKAGES, 0.0)
    for about in real.values():
        mine = {package: about["mistakes"][name] for package, (name, _) in best.items()}
        for package, count in mine.items():
            counts[package] += count == min(mine.values())
    yield Fact("sets on which it has the fewest of these four", counts, "{:.0f}", most=True)


def _log_loss(sets: Mapping[str, Mapping[str, float]]) -> Iterator[Fact]:
    if not sets:
        return
    players = {OURS: "Auto", "Vowpal Wabbit": "VW logistic"}
    means = {package: mean(each[name] for each in sets.values()) for package, name in players.items()}
    yield Fact(f"log loss of its probabilities, mean of {len(sets)}", means, "{:.3f}")


def _in_memory(times: Mapping[str, Sequence[float]]) -> Iterator[Fact]:
    rates = {package: 1e-3 / median(times[name]) for package, name in PASSES.items()}
    yield Fact("thousand examples a second from memory, Perceptrons", rates, "{:,.0f}", most=True)
    rates[OURS] = 1e-3 / median(times["Auto"])
    yield Fact("the same, but ours is `Auto`, the default", rates, "{:,.0f}", most=True)


def _one_at_a_time(rows: Sequence[Mapping[str, Any]]) -> Iterator[Fact]:
    some = {row["learner"]: row["microseconds"] for row in rows if all(row[key] == ONE[key] for key in ONE)}
    if some:
        figures = {OURS: some["ls.Perceptron"], "river": some["river Perceptron"]}
        title = f"one example of {ONE['active']} names: predict and learn, microseconds"
        yield Fact(title, figures, "{:.1f}")


def _from_file(files: Mapping[str, Any]) -> Iterator[Fact]:
    took = files["took"]
    for key in ("part", "one"):
        known = {package: took[f"{package}, {key}"] for package in PACKAGES if f"{package}, {key}" in took}
        title = f"a file of {files['sizes'][key]['rows']:,} rows, seconds from start to end"
        yield Fact(title, {package: median(each[0] for each in runs) for package, runs in known.items()}, "{:.2f}")
    yield Fact("memory for that, MB", {package: _peak(runs) for package, runs in known.items()}, "{:.0f}")


def _processes(found: Mapping[str, Any]) -> Iterator[Fact]:
    start = {package: median(run[0] for run in found["start-up"][package]) for package in PACKAGES}
    yield Fact("start a process and learn one example, seconds", start, "{:.2f}")
    memory = found["memory"]
    rows, names = (
        {package: _peak(memory[key][package]) for package in PACKAGES if package in memory[key]}
        for key in ("in memory", "by name")
    )
    yield Fact(f"memory with {memory['rows']:,} sparse rows, MB", rows, "{:.0f}")
    yield Fact(f"memory after {memory['names']:,} names one by one, MB", names, "{:.0f}")


def _peak(runs: Sequence[Sequence[float]]) -> float:
    return median(run[1] for run in runs)


def table(found: Mapping[str, Any]) -> str:
    """Return the table."""
    lines = [["", *PACKAGES], ["---"] * (1 + len(PACKAGES)), *(list(fact.cells()) for fact in facts(found))]
    theorems = f"{len(ls.bounds.THEOREMS)} theorems"
    lines.append(["bounds on mistakes, before any data", theorems, *["none"] * 3])
    lines.append(["adversaries to play against, proofs of a run", "yes", *["no"] * 3])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewritten(readme: str, found: Mapping[str, Any]) -> str:
    """Return README.md with this table between the two comments."""
    before, _, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"README.md: expected {BEGIN} and, after it, {END}")
    return f"{before}{BEGIN}\n\n{table(found)}\n\n{END}{after}"


if __name__ == "__main__":
    import front

    measured = json.loads((ROOT / "docs" / "peers.json").read_text(encoding="utf-8"))
    path = ROOT / "README.md"
    path.write_text(rewritten(path.read_text(encoding="utf-8"), measured), encoding="utf-8")
    front.draw(measured)
