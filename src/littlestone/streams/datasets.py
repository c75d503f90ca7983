"""Sets that need no file, since every row is computed: tic-tac-toe, the MONK's problems, and made-up tables.

`DATASETS` has those that the command line plays by their names.

>>> from littlestone.streams.datasets import DATASETS
>>> sorted(DATASETS), len(DATASETS["monks"](1).labels)
(['monks', 'tic-tac-toe'], 2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.streams import ArrayStream
from littlestone.streams.samples import messages, people

__all__ = ["DATASETS", "Dataset", "messages", "monks", "people", "tic_tac_toe"]

Row = tuple[Any, ...]

SQUARES = ("top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARKS = ("x", "o", "blank")
VALUES = (3, 3, 2, 3, 4, 2)  # how many values each attribute of the MONK's problems has

MONKS: dict[int, Callable[[Row], bool]] = {
    1: lambda a: a[0] == a[1] or a[4] == 1,
    2: lambda a: a.count(1) == 2,
    3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}
TERMS: dict[int, list[list[tuple[int, Any]]] | None] = {  # the rules as disjunctions of conjunctions of values
    1: [[(4, 1)], *([(0, value), (1, value)] for value in (1, 2, 3))],
    2: None,  # it has as many terms as there are positive rows
    3: [[(4, 3), (3, 1)], *([(4, a5), (1, a2)] for a5 in (1, 2, 3) for a2 in (1, 2))],
}


class Dataset(ArrayStream):
    """A stream whose rows are also arrays: ``X``, Boolean, and the labels ``y``, 0 or 1.

    ``terms`` are those of the monotone DNF that the labels follow, where it has few.

    >>> data = monks(1)
    >>> data.X.shape, int(data.y.sum()), data.names[:4]
    ((432, 17), 216, ('a1=1', 'a1=2', 'a1=3', 'a2=1'))
    """

    def __init__(
        self,
        call: str,
        X: NDArray[np.bool_],
        y: NDArray[np.int64],
        names: tuple[str, ...],
        terms: list[tuple[int, ...]] | None = None,
    ) -> None:
        super().__init__(replace(Block.from_arrays(X), names=names).labelled(y))
        self.X, self.y, self.terms, self._call = X, y, terms, call

    def __repr__(self) -> str:
        return self._call


def tic_tac_toe(*, marks: str = "xob", seed: int | None = 0) -> Dataset:
    """Return the 958 positions in which a game of tic-tac-toe can end if x moves first; positive: x has won.

    This is the Tic-Tac-Toe Endgame set of the UCI repository: 626 positions are won by x, 316 by o, 16 by nobody. The
    label is a disjunction of eight conjunctions, the lines: what learners over conjunctions are made for.

    Parameters
    ----------
    marks : str
        Which attributes a row has for each of the nine squares: x ("top-left=x"), o and b ("top-left=blank"). With
        "x" alone there are nine, which are all that the eight lines need.
    seed : int or None
        The order of the rows, at random; None: sorted, x before o before a blank, square by square.

    Example
    -------
    >>> import littlestone as ls
    >>> data = tic_tac_toe()
    >>> len(data), data.n_attributes, int(data.y.sum())
    (958, 27, 626)
    >>> [name for name, on in zip(data.names, data.X[0]) if on][:3]
    ['top-left=o', 'top=blank', 'top-right=x']
    >>> ls.play(ls.Perceptron(), data).mistakes
    260
    >>> tic_tac_toe(marks="x").n_attributes
    9

    Reference
    ---------
    Matheus and Rendell, "Constructive induction on decision trees", IJCAI 1989; Aha, UCI repository, 1991.
    """
    initials = {mark[0]: mark for mark in MARKS}
    if not isinstance(marks, str) or not marks or not set(marks) <= set(initials) or len(set(marks)) < len(marks):
        raise InvalidParameter(f"tic_tac_toe: marks must be some of the letters x, o and b, each once, got {marks!r}")
    kept = [mark for initial, mark in initials.items() if initial in marks]
    boards, won = _ended()
    lines = [[(square, "x") for square in line] for line in LINES]
    call = f"tic_tac_toe(marks={marks!r}, seed={seed!r})"
    return _made(call, "tic_tac_toe", boards, won, SQUARES, [kept] * 9, lines, seed)


def monks(problem: int = 1, *, seed: int | None = 0) -> Dataset:
    """Return all 432 rows of one of the three MONK's problems, with their labels as the rule has them.

    Six attributes with 3, 3, 2, 3, 4 and 2 values become 17 Boolean ones, "a1=1" to "a6=2". A row is positive if

    1. a1 = a2, or a5 = 1;
    2. exactly two of the six attributes have their first value;
    3. a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3. (Here without the noise of its training rows.)

    Parameters
    ----------
    problem : 1, 2 or 3
    seed : int or None
        The order of the rows, at random; None: sorted.

    Example
    -------
    >>> [int(monks(problem).y.sum()) for problem in (1, 2, 3)]
    [216, 142, 228]

    Reference
    ---------
    Thrun and others, "The MONK's problems: a performance comparison of different learning algorithms", 1991.
    """
    problem = check_whole("monks", "problem", problem, most=len(MONKS))
    values = [range(1, count + 1) for count in VALUES]
    rows = list(product(*values))
    outcomes = [MONKS[problem](row) for row in rows]
    names = [f"a{i + 1}" for i in range(len(VALUES))]
    return _made(f"monks({problem}, seed={seed!r})", "monks", rows, outcomes, names, values, TERMS[problem], seed)


DATASETS: dict[str, Callable[..., Dataset]] = {"tic-tac-toe": tic_tac_toe, "monks": monks}


@cache
def _ended() -> tuple[list[Row], list[bool]]:
    """Return the boards on which some game ends, sorted, and whether x has won; found by playing every game."""
    ended: dict[Row, bool] = {}
    seen: set[Row] = set()

    def play(board: Row, mover: str, other: str) -> None:
        if board in seen:  # the marks on a board say who moves: its games have been played
            return
        seen.add(board)
        if any(all(board[square] == other for square in line) for line in LINES):
            ended[board] = other == "x"
        elif "blank" not in board:
            ended[board] = False
        else:
            for square, mark in enumerate(board):
                if mark == "blank":
                    play((*board[:square], mover, *board[square + 1 :]), other, mover)

    play(("blank",) * 9, "x", "o")
    boards = sorted(ended, key=lambda board: [MARKS.index(mark) for mark in board])
    return boards, [ended[board] for board in boards]


def _made(
    call: str, owner: str, rows: Sequence[Row], outcomes: Sequence[bool], attributes: Sequence[str],
    values: Sequence[Sequence[Any]], terms: list[list[tuple[int, Any]]] | None, seed: int | None,
) -> Dataset:  # fmt: skip
    """Return rows of values as Boolean attributes, one for each value, in an order that the seed gives."""
    order = np.arange(len(rows))
    if seed is not None:
        order = np.random.default_rng(check_whole(owner, "seed", seed, least=0)).permutation(len(rows))
    columns = [(at, value) for at, several in enumerate(values) for value in several]
    X = np.array([[row[at] == value for at, value in columns] for row in rows], dtype=bool)[order]
    names = tuple(f"{attributes[at]}={value}" for at, value in columns)
    known = None
    if terms is not None and all(literal in columns for term in terms for literal in term):
        known = [tuple(columns.index(literal) for literal in term) for term in terms]
    return Dataset(call, X, np.array(outcomes, dtype=np.int64)[order], names, known)
