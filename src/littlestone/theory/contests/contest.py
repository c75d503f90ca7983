"""contest: several learners on one stream, in its own order and in permutations that are the same for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter, LittlestoneError, TooLarge
from littlestone.core.messages import Message, Remedy
from littlestone.core.parameters import check_whole
from littlestone.games.game import stream_blocks
from littlestone.learners import Learner
from littlestone.parts.losses import Loss
from littlestone.streams import ArrayStream, Part, Stream
from littlestone.teachers import disjunction_of
from littlestone.theory.contests._games import Permuted, Player, Rows, Seen, gathered, play_game
from littlestone.theory.contests._losses import LossJudge, entrant_of, of_numbers
from littlestone.theory.contests.outcome import Contest, Entry
from littlestone.theory.hindsight import Comparator, Verdict, comparators, tightest

__all__ = ["MEMORY", "contest"]

MEMORY = 1 << 30  # bytes of rows, some 80 million active attributes
MOST_NONZEROS = 20_000_000  # a greedy search beyond it would take longer than the games
WAYS = ("auto", "greedy", "exact", "none")

Entrant = Learner | str  # a learner, or its name, as in "winnow:alpha=1.5"
Entrants = dict[str, list[Learner]]


def contest(
    learners: Mapping[str, Entrant | Sequence[Entrant]] | Sequence[Entrant],
    stream: Stream,
    *,
    permutations: int = 0,
    seed: int = 0,
    tuning: float = 0,
    trials: int | None = None,
    hindsight: str = "auto",
    time_limit: float | None = None,
    memory: int = MEMORY,
) -> Contest:
    """Let several learners play the same rows, which are read once, and say how they fared.

    The first game is played in the stream's own order. With ``permutations`` the rows are then played in as many
    random orders, the same ones for every learner; for this they are held in memory (4 bytes for each active attribute,
    12 with a value, and 16 for each row), and refused beyond ``memory`` bytes. Without permutations the rows stream by
    in constant memory, apart from the numbers of the trials with mistakes. A learner that refuses the rows leaves
    alone, and its entry says why.

    With ``tuning``, a number of rows or a fraction of them below 1, the first rows of every game are not scored: on
    them the alternatives of a learner, given as a list, play against each other, and a fresh copy of the one with the
    fewest mistakes, or the least loss, (the first of several) plays the rest. All learners begin anew after these rows:
    they choose a setting, and teach nothing. In each permutation the choice is made anew, on the rows that come first
    there.

    Regressors play for the least loss on streams of numbers: their own, or the square loss if they differ in it. They
    are held against the best weights of their own class, found in hindsight if that takes some seconds only, or with
    ``hindsight="exact"``.

    Parameters
    ----------
    learners : learners, by names of your own or as a list
        Fresh ones, which are copied and stay as they are; or the names of learners, as in "winnow:alpha=1.5", see
        `learner_of`. A list in the place of a learner: its alternatives.
    permutations, seed : whole numbers
        How many other orders to play, and from which seed. The orders 1, 2, ... do not depend on how many there are.
    trials : int or None
        Use the first rows only.
    hindsight : "auto", "greedy", "exact" or "none"
        How the disjunctions are found from which the bounds are computed. What is found on all rows bounds every game,
        for a bound of this kind asks for no order. "auto" is greedy where the rows can be read again and have at most
        20,000,000 active attributes.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=200, k=5, trials=1000)
    >>> winnows = [ls.Winnow(alpha=alpha) for alpha in (1.1, 1.5, 2)]
    >>> found = contest({"perceptron": ls.Perceptron(), "winnow": winnows}, stream, permutations=10, tuning=0.2)
    >>> found.trials, found.tuning, found.best.name, found["winnow"].counts.tolist()
    (800, 200, 'winnow', [49, 45, 44, 41, 43, 41, 46, 40, 44, 42])
    >>> found.difference(found["perceptron"]).fewer
    0
    >>> [(entry.name, entry.mistakes) for entry in contest(["perceptron", "winnow:alpha=1.5"], stream).entries]
    [('perceptron', 217), ('winnow:alpha=1.5', 69)]
    >>> stream = ls.teachers.Linear.sparse(n=50, k=3, trials=1000)
    >>> found = contest(["gradient-descent", "eg-plus-minus:U=3"], stream)
    >>> [(entry.name, round(entry.loss), round(entry.verdict.regret)) for entry in found.entries]
    [('gradient-descent', 204, 204), ('eg-plus-minus:U=3', 111, 111)]
    """
    entrants = _entrants(learners)
    permutations = check_whole("contest", "permutations", permutations, least=0)
    seed = check_whole("contest", "seed", seed, least=0)
    if not isinstance(stream, Stream):
        raise InvalidData(f"contest: expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)")
    source: Stream = stream if trials is None else Part(stream, 0, check_whole("contest", "trials", trials))
    if hindsight not in WAYS:
        raise InvalidParameter(f"contest: hindsight must be one of {', '.join(WAYS)}, got {hindsight!r}")
    measure = of_numbers(entrants, stream)
    everybody: list[Any] = [one for several in entrants.values() for one in several]
    judge = (
        _Judge(stream, hindsight, time_limit) if measure is None else LossJudge(stream, hindsight, everybody, measure)
    )
    block = gathered(source, memory) if permutations else None
    if block is not None:
        source = ArrayStream(block)
    if hindsight == "exact" and isinstance(judge, _Judge):
        judge.search(source, 0)  # before the games: an infeasible search says so at once
    prefix = _prefix(tuning, source, entrants)
    seen, games = Seen(), _Games(entrants, prefix, measure)
    games.play(source, seen)
    if seen.trials == 0:
        short = f"more than the {prefix:,} rows for tuning" if prefix else "examples"
        raise InvalidData(f"contest: expected {short}, got {'no more' if prefix else 'none'}; give a longer stream")
    for game in range(1, permutations + 1):
        assert block is not None
        order = np.random.default_rng([seed, game]).permutation(len(block))
        games.play(Permuted(block, order), None)
    if len(games.refused) == len(entrants):
        raise InvalidData(reduce(Message.then, games.refusals(), Message("contest: no learner took the rows")))
    if isinstance(judge, LossJudge):
        judge.search(Part(source, prefix) if prefix else source, seen.trials, seen.n)
    elif hindsight != "exact":
        judge.search(source, seen.nonzeros)
    return Contest(
        stream=repr(stream),
        trials=seen.trials,
        tuning=prefix,
        attributes=seen.n,
        nonzeros=seen.nonzeros,
        boolean=seen.boolean,
        labels=dict(zip(seen.labels, seen.outcomes.tolist(), strict=False)),
        permutations=permutations,
        seed=seed,
        entries=tuple(games.entry(name, judge) for name in entrants),
        hindsight=judge.best,
        measure=None if measure is None else str(measure),
    )


class _Judge:
    """The disjunctions that runs are held against, or why there are none."""

    def __init__(self, stream: Stream, how: str, time_limit: float | None) -> None:
        self.how, self.time_limit = how, 60.0 if time_limit is None else time_limit
        self.target, self.terms = disjunction_of(stream), stream.terms
        self.found: list[Comparator] = []
        self.why: Message | None = None

    def search(self, source: Stream, nonzeros: int) -> None:
        """Look for disjunctions, unless that would take too long, or again more than a pipe can give."""
        if self.how == "none":
            self.why = Message("no disjunction was looked for", Remedy("{hindsight} asks for none", hindsight="none"))
        elif not source.again:
            self.why = Message("the rows came through a pipe and cannot be read again to look for a disjunction")
        elif self.how == "auto" and nonzeros > MOST_NONZEROS:
            self.why = Message(
                f"no disjunction was looked for among more than {MOST_NONZEROS:,} active attributes, which takes long",
                Remedy("{hindsight} does", hindsight="greedy"),
            )
        else:
            try:
                exact = self.how == "exact"
                self.found = comparators(source, target=self.target, exact=exact, time_limit=self.time_limit)
            except TooLarge:
                raise
            except LittlestoneError as error:
                self.why = error.message

    @property
    def best(self) -> Comparator | None:
        """The disjunction with the fewest attribute errors."""
        return min(self.found, key=lambda one: (one.attribute_errors, one.lower is None, one.k), default=None)

    def verdict(self, run: Any, learner: Learner) -> Verdict:
        """Return the smallest bound that had to hold, or why there is none."""
        del learner
        found = tightest(run, self.found, terms=self.terms)
        if self.why is not None and run.guarantee is not None and found.bound is None:
            return replace(found, why_not=self.why)
        return found


class _Games:
    """The games so far: the runs of every learner, or why it left."""

    def __init__(self, entrants: Entrants, prefix: int, measure: Loss | None) -> None:
        self.entrants, self.prefix, self.measure, self.played = entrants, prefix, measure, 0
        self.runs: dict[str, list[Any]] = {name: [] for name in entrants}
        self.first: dict[str, Learner] = {}  # who played the first game, still fresh
        self.settings: dict[str, list[str]] = {name: [] for name in entrants}
        self.refused: dict[str, Message] = {}

    def play(self, stream: Stream, seen: Seen | None) -> None:
        """Play one more game, tuning first."""
        left = [one for name, several in self.entrants.items() if name not in self.refused for one in several]
        rows = Rows(stream_blocks(left, stream))
        chosen = self._chosen(rows.take(self.prefix))
        players = {name: Player(learner.copy(), self.measure) for name, learner in chosen.items()}
        play_game(list(players.values()), rows.take(), seen, warm=self.played == 0)
        for name, player in players.items():
            if player.refused is not None:
                self._leave(name, player.refused)
            elif player.runs:
                self.first.setdefault(name, chosen[name])
                self.runs[name].append(player.run(Part(stream, self.prefix) if self.prefix else stream))
                if len(self.entrants[name]) > 1:
                    self.settings[name].append(repr(chosen[name]))
        self.played += 1

    def _chosen(self, blocks: Iterator[Block]) -> dict[str, Learner]:
        """Return the learner that plays for each entry, by the first rows where it has alternatives."""
        left = {name: several for name, several in self.entrants.items() if name not in self.refused}
        trying = {
            name: [Player(one.copy(), self.measure) for one in several]
            for name, several in left.items()
            if len(several) > 1
        }
        play_game([player for players in trying.values() for player in players], blocks, None, warm=False)
        chosen = {}
        for name, several in left.items():
            tried = trying.get(name, [Player(several[0], self.measure)])
            sound = [at for at, player in enumerate(tried) if player.refused is None]
            if sound:
                chosen[name] = several[min(sound, key=lambda at: tried[at].cost)]
            else:
                self._leave(name, Message(tried[0].refused or ""))
        return chosen

    def _leave(self, name: str, why: Message) -> None:
        self.refused[name] = why.after(f"in permutation {self.played}: ") if self.played else why

    def refusals(self) -> list[Message]:
        """Return who left, and why; a reason that several have is said once."""
        whose: dict[Message, list[str]] = {}
        for name, why in self.refused.items():
            whose.setdefault(why, []).append(name)
        return [why.after(f"{', '.join(names)}: ") for why, names in whose.items()]

    def entry(self, name: str, judge: _Judge | LossJudge) -> Entry:
        """Return what came of one learner."""
        why = self.refused.get(name)
        if why is not None:
            return Entry(name, (), (), why, Verdict(None, None, why))
        runs = tuple(self.runs[name])
        return Entry(name, runs, tuple(self.settings[name]), None, judge.verdict(runs[0], self.first[name]))


def _entrants(learners: Any) -> Entrants:
    if isinstance(learners, Learner | str):
        learners = [learners]
    if isinstance(learners, Sequence) and all(isinstance(one, Learner | str) for one in learners):
        named = {one if isinstance(one, str) else repr(one): one for one in learners}
        if len(named) < len(learners):
            raise InvalidParameter("contest: expected different learners, got one of them twice; give them names")
        learners = named
    if not isinstance(learners, Mapping) or not learners:
        raise InvalidParameter(f"contest: expected learners by name, or a list of them, got {learners!r}")
    found: Entrants = {}
    for name, given in learners.items():
        several = [given] if isinstance(given, Learner | str) else given
        if not isinstance(several, Sequence) or not several or not all(isinstance(x, Learner | str) for x in several):
            raise InvalidParameter(f"contest: {name}: expected a learner, or a list of alternatives, got {given!r}")
        found[str(name)] = [entrant_of(x) if isinstance(x, str) else x for x in several]
        if any(one.trials for one in found[str(name)]):
            raise InvalidParameter(f"contest: {name}: expected a fresh learner, got one that has learned already")
    return found


def _prefix(tuning: Any, source: Stream, entrants: Entrants) -> int:
    """Return how many rows are for tuning; a fraction of them needs their number."""
    if isinstance(tuning, bool) or not isinstance(tuning, int | float | np.integer) or not tuning >= 0:
        raise InvalidParameter(f"contest: tuning: expected a number of rows or a fraction below 1, got {tuning!r}")
    several = [name for name, given in entrants.items() if len(given) > 1]
    if several and tuning == 0:
        raise InvalidParameter(f"contest: {several[0]} has alternatives; tuning= says how many rows choose among them")
    if tuning >= 1 or tuning == 0:
        return check_whole("contest", "tuning", tuning, least=0)
    if not source.again:
        remedy = Remedy("give tuning= as a number of rows", typed="give {tune}", tune="ROWS")
        raise InvalidParameter("contest: a pipe's rows are not known beforehand", remedy)
    rows = sum(map(len, source.blocks()))
    return max(1, round(tuning * rows))
