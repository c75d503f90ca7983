"""Write docs/which-learner.md: who makes how many mistakes on which kind of stream, with the theory beside it.

``python benchmarks/which_learner.py`` plays littlestone's learners on generated streams and on the sets of many classes
in LITTLESTONE_DATA, keeps the counts in docs/which-learner.json, and writes the page from these and from
docs/peers.json. ``--page`` writes it from the counts that are there.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import geometric_mean, mean
from typing import Any

import littlestone as ls
import which_learner_text as text
from common import RELEVANT, make_data
from growth import DOCS, SIZES, stream
from peers_page import table

SEEDS = range(3)
TOLD = "Winnow.for_disjunctions(n=n, k=5)"
PLAYERS = (
    "Auto", "Winnow", "ShiftingWinnow", "BalancedWinnow", "ModifiedBalancedWinnow", "Perceptron", "PassiveAggressive",
    "ALMA", "OGD", "Adagrad", "AROW", "NHERD", "ConfidenceWeighted", "SCW", "NaiveBayes",
)  # fmt: skip
STREAMS: dict[str, dict[str, Callable[[int], Any]]] = {
    "dense": {
        "80 of 200 relevant": lambda seed: ls.teachers.Disjunction.figure2(n=200, seed=seed),
        "400 of 1,000 relevant": lambda seed: ls.teachers.Disjunction.figure2(n=1000, trials=10_000, seed=seed),
    },
    "fresh": {
        f"n={n:,}": lambda seed, n=n: ls.from_arrays(*make_data(100_000, n, seed=seed))
        for n in (10_000, 100_000, 1_000_000)
    },
    "noise": {
        f"{noise:.0%} of the labels flipped": lambda seed, noise=noise: ls.teachers.Disjunction(
            n=1000, k=5, reading="R1", noise=noise, seed=seed
        )
        for noise in (0.0, 0.02, 0.1)
    },
    "drift": {
        f"others every {every:,} trials": lambda seed, every=every: ls.teachers.Shifting(
            n=1000, k=5, every=every, seed=seed
        )
        for every in (500, 2_000)
    },
}
GROUPS = {
    "one-hot tables": ("a9a", "kr-vs-kp", "mushroom_train", "spambase_bool", "splice", "vote"),
    "short texts": ("sms_spam", "sentence_polarity"),
    "words in their context": (
        "spell_among_between", "spell_i_me", "spell_its_its", "spell_less_fewer", "spell_peace_piece",
        "spell_raise_rise", "spell_than_then", "spell_their_there", "conll2000np_train", "ppattach_train",
    ),
    "long documents": ("basehock", "movie_reviews", "pcmac", "relathe"),
    "not linear": ("monks1_train", "monks2_train", "monks3_train", "tic-tac-toe"),
}  # fmt: skip
MANY: dict[str, Callable[[], ls.Learner]] = {
    "WinnerTakesAll()": ls.WinnerTakesAll,
    "WinnerTakesAll('perceptron')": lambda: ls.WinnerTakesAll("perceptron"),
    "WinnerTakesAll('balanced-winnow')": lambda: ls.WinnerTakesAll("balanced-winnow"),
    "Auto()": ls.Auto,
    "MulticlassPerceptron()": ls.MulticlassPerceptron,
    "MulticlassPerceptron(averaged=True)": lambda: ls.MulticlassPerceptron(averaged=True),
}
ROOMS = (100, 1_000, 10_000, None)  # attributes that a bounded learner keeps


def play_all() -> dict[str, Any]:
    """Return the counts on generated streams, kind by kind, stream by stream, learner by learner, seed by seed."""
    found: dict[str, Any] = {kind: {} for kind in STREAMS}
    for kind, streams in STREAMS.items():
        for name, make in streams.items():
            rows = [make(seed) for seed in SEEDS]
            found[kind][name] = {
                who: [int(ls.play(getattr(ls.learners, who)(), each).mistakes) for each in rows]
                for who in PLAYERS if who in ls.learners.__all__
            }  # fmt: skip
    found["told"] = {
        kind: {str(n): [_told(kind, n, seed) for seed in SEEDS] for n in SIZES} for kind in ("wide", "narrow")
    }
    found["rooms"] = {str(room): [_bounded(room, seed) for seed in SEEDS] for room in ROOMS}
    return found


def _told(kind: str, n: int, seed: int) -> int:
    learner = ls.Winnow.for_disjunctions(n=n, k=RELEVANT)
    return int(ls.play(learner, ls.from_arrays(*stream(kind, n, seed))).mistakes)


def _bounded(room: int | None, seed: int) -> int:
    learner = ls.Bounded(ls.Perceptron(), max_attributes=room)
    return int(ls.play(learner, ls.from_arrays(*make_data(20_000, 1_000_000, seed=seed))).mistakes)


def play_many() -> dict[str, Any]:
    """Return the mistakes on the sets of many classes."""
    found: dict[str, Any] = {}
    for name in ("qc_train", "20newsgroups_train") if "LITTLESTONE_DATA" in os.environ else ():
        stream = ls.open(Path(os.environ["LITTLESTONE_DATA"]) / f"{name}.libsvm.gz")
        runs = {who: ls.play(make(), stream) for who, make in MANY.items()}
        found[name] = {"rows": runs["WinnerTakesAll()"].trials, **{who: int(run.mistakes) for who, run in runs.items()}}
    return found


def page(played: Mapping[str, Any], peers: Mapping[str, Any]) -> str:
    """Return the page."""
    generated = {
        kind: {f"n={int(n):,}": {**counts} for n, counts in peers["generated"][kind].items()}
        for kind in ("wide", "narrow")
    }
    counted = {**generated, **{kind: played[kind] for kind in STREAMS}}
    groups = _groups(peers)
    for kind, by_size in played["told"].items():
        for n, counts in by_size.items():
            counted[kind][f"n={int(n):,}"][TOLD] = counts
    tables = {kind: _counts(streams) for kind, streams in counted.items()}
    tables["groups"] = _shares(groups) if groups else "No real sets were played.\n"
    tables["many"] = _many(played["many"])
    tables["rooms"] = table(["attributes kept", "mistakes (mean)"], _rooms(played["rooms"]))
    tables["choice"] = table(["what you have", "fewest mistakes here", "most mistakes here"], _choices(counted, groups))
    return text.PAGE.format(**tables)


def _groups(peers: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return the mean share of mistakes, group by group."""
    groups = {}
    for name, sets in GROUPS.items():
        known = [peers["real"][each] for each in sets if each in peers["real"]]
        if known:
            players = [*peers["ours"], "VW logistic", "VW hinge"]
            groups[name] = {
                who: 100 * mean(about["mistakes"][who] / about["rows"] for about in known) for who in players
            }
    return groups


def _counts(streams: Mapping[str, Mapping[str, list[int]]]) -> str:
    names = [who for who in (TOLD, *PLAYERS) if all(who in counts for counts in streams.values())]
    lines = [[f"`{who}`", *(f"{mean(counts[who]):.0f}" for counts in streams.values())] for who in names]
    return table(["", *streams], lines)


def _shares(groups: Mapping[str, Mapping[str, float]]) -> str:
    players = list(next(iter(groups.values())))
    return table(["per cent", *groups], [[who, *(f"{each[who]:.1f}" for each in groups.values())] for who in players])


def _many(found: Mapping[str, Mapping[str, int]]) -> str:
    if not found:
        return "LITTLESTONE_DATA was not set: no sets of many classes.\n"
    players = [who for who in next(iter(found.values())) if who != "rows"]
    lines = [
        [f"`{who}`", *(f"{100 * counts[who] / counts['rows']:.1f}" for counts in found.values())] for who in players
    ]
    return table(["per cent", *found], lines)


def _rooms(found: Mapping[str, list[int]]) -> Iterator[list[str]]:
    for room, counts in found.items():
        yield ["all" if room == "None" else f"{int(room):,}", f"{mean(counts):.0f}"]


def _choices(
    counted: Mapping[str, Mapping[str, Mapping[str, list[int]]]], groups: Mapping[str, Mapping[str, float]]
) -> Iterator[list[str]]:
    for kind, what in text.KINDS.items():
        streams = counted[kind]
        typical = {
            who: geometric_mean([mean(counts[who]) for counts in streams.values()])
            for who in PLAYERS if all(who in counts for counts in streams.values())
        }  # fmt: skip
        yield [what, *_ends(typical)]
    for name, shares in groups.items():
        yield [text.GROUPS.get(name, name), *_ends({who: share for who, share in shares.items() if who in PLAYERS})]


def _ends(costs: Mapping[str, float]) -> tuple[str, str]:
    """Return the best three and the worst two, with how many times the mistakes of the best."""
    order = sorted(costs, key=costs.__getitem__)
    told = {who: f"`{who}` {costs[who] / costs[order[0]]:.2f}" for who in order}
    return f"`{order[0]}`, {', '.join(told[who] for who in order[1:3])}", ", ".join(told[who] for who in order[:-3:-1])


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="from the counts that are there")
    kept = DOCS / "which-learner.json"
    if not parser.parse_args().page:
        kept.write_text(json.dumps({**play_all(), "many": play_many()}, indent=1) + "\n", encoding="utf-8")
    played = json.loads(kept.read_text(encoding="utf-8"))
    peers = json.loads((DOCS / "peers.json").read_text(encoding="utf-8"))
    (DOCS / "which-learner.md").write_text(page(played, peers), encoding="utf-8")


if __name__ == "__main__":
    main()
