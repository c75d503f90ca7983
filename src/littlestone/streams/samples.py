"""Made-up tables to try things on: short messages, spam or not; people, of whom some buy. The seed gives all rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from littlestone.core.parameters import check_whole
from littlestone.streams.grammar import HAM, SHARED, SPAM, WORDS
from littlestone.streams.sources.opened import plain_suffix
from littlestone.streams.writers import atomic

__all__ = ["SAMPLES", "Table", "messages", "people"]

SPAM_SHARE = 0.35
AMBIGUOUS = 0.12  # share of messages that are of sentences which either kind has
TWO_SENTENCES = 0.4  # share of messages that have two
WRONG_MESSAGES, WRONG_PEOPLE = 0.015, 0.05  # shares of labels that are wrong

CITIES = ("Northport", "Eastbay", "Millbrook", "Ashford", "Stonefield")
COAST = frozenset(CITIES[:2])
WORK = ("office", "workshop", "school", "student", "retired")
CONTACT = ("letter", "phone", "mail")
DELIMITERS = {".tsv": "\t", ".tab": "\t", ".csv": ","}


@dataclass(frozen=True)
class Table:
    """A made-up table: names of columns, rows of cells, the column of labels, and how the labels were made."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    label: str
    made: str

    @property
    def labels(self) -> list[Any]:
        """The label of each row."""
        at = self.columns.index(self.label)
        return [row[at] for row in self.rows]

    @property
    def examples(self) -> list[dict[str, Any]]:
        """Each row without its label, as a dict from columns to cells."""
        rows = (dict(zip(self.columns, row, strict=True)) for row in self.rows)
        return [{name: cell for name, cell in row.items() if name != self.label} for row in rows]

    def write(self, target: Any, like: str | Path | None = None) -> None:
        r"""Write the table with a header: to a path, to "-" for stdout, or to a binary file.

        Between cells are tabs, or commas where the name (``like`` says that of a binary file) ends in .csv.

        >>> file = io.BytesIO()
        >>> messages(rows=1).write(file)
        >>> file.getvalue().split(b"\n")[0]
        b'class\tmessage'
        """
        name = target if isinstance(target, str | Path) else like or ""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=DELIMITERS.get(plain_suffix(str(name)), "\t"), lineterminator="\n")
        writer.writerows([self.columns, *self.rows])
        with atomic(target) as file:
            file.write(text.getvalue().encode())


def messages(rows: int = 2000, *, seed: int = 0) -> Table:
    """Return short messages, "spam" or "ham", made from a small grammar: nobody wrote them to anybody.

    A third is spam. Both kinds share openings, closings and many words ("free", "win", "call", "account"), some
    messages could be of either kind, and some labels are wrong, so that no learner is always right.

    >>> table = messages(rows=1000)
    >>> table.columns, table.labels.count("spam")
    (('class', 'message'), 362)
    >>> table.rows[4]
    ('spam', 'your number was drawn, a cash bonus is waiting, code GO859 bye')
    """
    rows = check_whole("messages", "rows", rows)
    rng = Random(check_whole("messages", "seed", seed, least=0))  # noqa: S311 - it keeps no secret
    made = (
        f"made up from a grammar: {SPAM_SHARE:.0%} spam, {AMBIGUOUS:.0%} of the messages could be either, "
        f"{WRONG_MESSAGES:.1%} of the labels are wrong"
    )
    return Table(("class", "message"), [_labelled_message(rng) for _ in range(rows)], "class", made)


def _labelled_message(rng: Random) -> tuple[str, str]:
    spam = rng.random() < SPAM_SHARE
    message = _message(rng, spam=spam)
    wrong = rng.random() < WRONG_MESSAGES
    return ("spam" if spam != wrong else "ham"), message


def _message(rng: Random, *, spam: bool) -> str:
    """Return one or two sentences of a kind, or of those that both kinds have, between an opening and a closing."""
    own = SHARED if rng.random() < AMBIGUOUS else SPAM if spam else HAM
    sentence = _chosen(rng, own)
    if rng.random() < TWO_SENTENCES:
        sentence += ". " + _chosen(rng, SHARED if rng.random() < 0.5 else own)
    parts = (_chosen(rng, WORDS["opening"]), sentence, _chosen(rng, WORDS["closing"]))
    return " ".join(_filled(rng, part) for part in parts if part)


def _filled(rng: Random, sentence: str) -> str:
    """Return a sentence with words for what stands in braces, and a digit for each 0."""
    head, brace, rest = sentence.partition("{")
    if not brace:
        return "".join(str(_below(rng, 10)) if letter == "0" else letter for letter in head)
    slot, _, tail = rest.partition("}")
    return _filled(rng, head + _chosen(rng, WORDS[slot]) + tail)


def people(rows: int = 2000, *, seed: int = 0) -> Table:
    """Return people with numbers and categories, of whom some buy ("yes" or "no") by a rule that is known.

    Points are (income - 40) / 10, and 1.5 for a city at the coast (Northport or Eastbay), and 1 for who was reached by
    phone, less 2 for a student, less (age - 50) / 15. Who has more than 0 buys, but some do the contrary. How many
    ``visits`` there were has nothing to do with it.

    >>> table = people(rows=1000)
    >>> table.columns
    ('age', 'income', 'visits', 'city', 'work', 'contact', 'buys')
    >>> table.labels.count("yes"), table.rows[0]
    (512, (72, 48.0, 12, 'Eastbay', 'school', 'phone', 'yes'))
    """
    rows = check_whole("people", "rows", rows)
    rng = Random(check_whole("people", "seed", seed, least=0))  # noqa: S311 - it keeps no secret
    made = (
        "made up: points are (income - 40) / 10, 1.5 more in Northport and Eastbay, 1 more by phone, 2 less for a "
        f"student, (age - 50) / 15 less; above 0 they buy, but {WRONG_PEOPLE:.0%} do the contrary"
    )
    columns = ("age", "income", "visits", "city", "work", "contact", "buys")
    return Table(columns, [_person(rng) for _ in range(rows)], "buys", made)


def _person(rng: Random) -> tuple[Any, ...]:
    age, income = 18 + _below(rng, 65), round(15 + 50 * rng.random() ** 1.5, 1)
    visits, city = _below(rng, 30), _chosen(rng, CITIES)
    work, contact = _chosen(rng, WORK), _chosen(rng, CONTACT)
    points = (income - 40) / 10 + 1.5 * (city in COAST) + (contact == "phone") - 2 * (work == "student")
    buys = (points - (age - 50) / 15 > 0) != (rng.random() < WRONG_PEOPLE)
    return age, income, visits, city, work, contact, "yes" if buys else "no"


SAMPLES = {"messages": messages, "people": people}


# Python promises that random() gives the same numbers for ever, and promises nothing of what is built upon it.


def _below(rng: Random, n: int) -> int:
    return int(rng.random() * n)


def _chosen(rng: Random, several: Sequence[str]) -> str:
    return several[_below(rng, len(several))]
