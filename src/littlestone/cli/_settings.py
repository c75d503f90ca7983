"""What the words on a command line stand for: learners and teachers with KEY=VALUE, streams with reading options."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from littlestone.cli._remedies import typed
from littlestone.core.messages import close_to, did_you_mean
from littlestone.core.spelling import meant, split_settings, value_of

if TYPE_CHECKING:
    from littlestone.streams import Stream

__all__ = [
    "NAMES",
    "OneOf",
    "WrongCall",
    "beside",
    "built_in",
    "built_in_name",
    "made",
    "no_such",
    "parameters_of",
    "source_options",
    "stream_of",
]

F = TypeVar("F", bound=Callable[..., Any])

MOST_FILES = 10_000  # of a folder that are looked at for a name that is spelled nearly so
FORMATS = ("svmlight", "vw", "csv", "tsv", "jsonl", "parquet", "snow")

# Each is an option of the same name of some of the streams that littlestone.streams.open makes.
READING: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--label",), {"metavar": "COLUMN", "help": "The column of labels.  [default: label, class, target, y, or last]"}),
    (("--text",), {"metavar": "COLUMN", "multiple": True, "help": "A column of text, read as a bag of words."}),
    (("--ngrams",), {"type": int, "metavar": "N", "help": "Make attributes of runs of up to N words of text, too."}),
    (
        ("--characters",),
        {"type": int, "metavar": "N", "help": "Make attributes of every N characters of a word, too."},
    ),
    (("--lower/--no-lower",), {"default": None, "help": "Whether capitals of text are made small.  [default: lower]"}),
    (
        ("--tokens",),
        {
            "type": click.Choice(["words", "plain"]),
            "help": "What words are; plain: only letters, digits.  [default: words]",
        },
    ),
    (("--ignore",), {"metavar": "COLUMN", "multiple": True, "help": "A column to leave out."}),
    (("--numeric",), {"metavar": "COLUMN", "multiple": True, "help": "A column to read as numbers."}),
    (("--categorical",), {"metavar": "COLUMN", "multiple": True, "help": "A column to read as categories."}),
    (("--truth",), {"metavar": "COLUMN", "multiple": True, "help": "A column to read as True and False."}),
    (("--bins",), {"type": int, "metavar": "N", "help": "Make intervals of columns of numbers, about N of each."}),
    (("--weight",), {"metavar": "COLUMN", "help": "The column of weights: how much an example counts."}),
    (("--tag",), {"metavar": "COLUMN", "help": "The column of tags: names of the examples."}),
    (("--missing",), {"metavar": "TEXT", "multiple": True, "help": "Text of a cell that has no value."}),
    (("--delimiter",), {"metavar": "CHAR", "help": "The character between cells; tab for a tab."}),
    (("--quote",), {"metavar": "CHAR", "help": "The quote character; empty for none."}),
    (("--header/--no-header",), {"default": None, "help": "Whether the first line names the columns."}),
    (("--columns",), {"metavar": "NAMES", "help": "The names of the columns of a file without a header: a,b,c."}),
    (("--labels",), {"metavar": "NEG,POS", "help": "All labels, the negative one first."}),
    (
        ("--task",),
        {
            "type": click.Choice(["classification", "regression"]),
            "help": "Whether labels are classes, or numbers to be predicted.  [default: by the learner, or the labels]",
        },
    ),
    (("--targets",), {"metavar": "IDS", "help": "The ids that are labels in a SNoW file, the negative one first."}),
    (("-n", "--attributes"), {"type": int, "metavar": "N", "help": "The number of attributes."}),
    (
        ("--zero-based/--one-based",),
        {"default": None, "help": "Where svmlight indices begin.  [default: 0 if an index is 0, else 1]"},
    ),
    (("--names/--numbers",), {"default": None, "help": "Whether VW attributes are names.  [default: by the data]"}),
    (("--pairs",), {"is_flag": True, "default": None, "help": "Add every pair of attributes that are both on."}),
    (
        ("--pairs-between",),
        {"metavar": "A,B", "help": "Add pairs of an attribute of A and one of B: columns or namespaces."},
    ),
    (("--hash-bits",), {"type": int, "metavar": "B", "help": "Hash attributes to 2^B columns, and count collisions."}),
    (
        ("--on-error",),
        {"type": click.Choice(["raise", "skip"]), "help": "What to do with a bad line: stop, or skip and count it."},
    ),
)
NAMES = tuple(words[-1].removeprefix("--").split("/")[0].replace("-", "_") for words, _ in READING)


class WrongCall(click.ClickException):
    """A wrong call, in one line."""

    exit_code = 2


class OneOf(click.Choice[str]):
    """One of several words, in any case; of one that is spelled nearly so, the message says which was meant."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(list(words), case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what was expected, what came, and what may have been meant."""
        del ctx
        return (
            f"expected one of {', '.join(self.choices)}, got {value!r}{_suggestion(str(value).lower(), self.choices)}"
        )


# Learners and teachers


def made(role: str, text: str, known: Mapping[str, Any], settings: tuple[str, ...]) -> Any:
    """Return the learner, teacher or stream of this name with its settings; refuse those that it does not take.

    A name may bring settings of its own, as in winnow:alpha=1.5,theta=100; what a learner takes, it says itself.
    """
    from littlestone.learners.register import LEARNERS

    if known is LEARNERS:
        from littlestone.learners.named import learner_of

        return learner_of(text, *settings)
    word, own = split_settings(text)
    name = meant(word, known)
    if name is None:
        raise WrongCall(f"{role}: expected one of {', '.join(known)}, got {word!r}{_suggestion(word.lower(), known)}")
    kind = known[name]
    names = parameters_of(kind)
    values: dict[str, Any] = {}
    for setting in (*own, *settings):
        word, equals, value = setting.partition("=")
        key = word.replace("-", "_")
        if not equals or key not in names:
            expected = f"expected KEY=VALUE with one of {', '.join(names)}" if names else "expected no settings"
            raise WrongCall(f"{name}: {expected}, got {setting!r}{_suggestion(key, names)}")
        if key in values:
            raise WrongCall(f"{name}: expected {key} once, got it twice")
        values[key] = value_of(value)
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise WrongCall(f"{typed(error)}; {name} takes {', '.join(names)}") from error


def parameters_of(kind: Any) -> list[str]:
    """Return the names of the parameters of a teacher or a stream."""
    return [name for name in inspect.signature(kind).parameters if name != "self"]


def _suggestion(word: str, known: Iterable[str]) -> str:
    remedy = did_you_mean(word, known)
    return f"; {remedy}" if remedy else ""


# Streams


def source_options(command: F, *, without: tuple[str, ...] = ()) -> F:
    """Give a command the options that `stream_of` takes."""
    for words, option in reversed(READING):
        if words[-1] not in without:
            command = click.option(*words, **option)(command)
    return click.option("--format", type=OneOf(FORMATS), help="Format.  [default: by suffix, then first line]")(command)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reading options that were given, as `open` takes them."""
    found = {name: _value(name, options[name]) for name in NAMES if options.get(name) not in {None, ()}}
    if "pairs_between" in found:
        found["pairs"] = found.pop("pairs_between")
    return found


def stream_of(
    source: str,
    options: Mapping[str, Any],
    settings: tuple[str, ...] = (),
    *,
    defaults: Mapping[str, Any] | None = None,
    predicting: bool = False,
    task: str | None = None,
) -> Stream:
    """Return the stream that SOURCE names: a file, "-" for stdin, or a built-in stream with its KEY=VALUE settings.

    A file of that name comes first. ``options`` is what click parsed, of which only the reading options count;
    ``defaults`` are those of an earlier stream (``Stream.read_as``), for options that the format has and that are not
    given; for ``predicting``, labels are ignored. ``task`` is what the labels are for, where no option says so.
    """
    asked = given(options)
    if task is not None and "labels" not in asked:
        asked.setdefault("task", task)
    if built_in_name(source) is not None:
        return _computed(source, asked, settings)
    if source != "-" and not Path(source).exists():
        raise click.ClickException(no_such(source))
    if settings:
        known, got = ", ".join(built_in()), " ".join(settings)
        raise WrongCall(f"{source}: expected KEY=VALUE only for a built-in stream ({known}), got a file and {got}")
    from littlestone.models.recipe import read_like

    return read_like(source, defaults or {}, asked, options.get("format"), predicting=predicting)


def no_such(source: str) -> str:
    """Return the message about a file that does not exist, and is no built-in stream either."""
    known = built_in()
    word = split_settings(source)[0].lower()
    return (
        f"{source}: expected a file, - for stdin, or one of {', '.join(known)}, got the name of a file that is not "
        f"there{_suggestion(word, known) or beside(source)}"
    )


def beside(path: str) -> str:
    """Return which files of that folder have nearly the name of one that is not there, as the end of a message."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in islice(entries, MOST_FILES)]
    except OSError:
        return ""
    close = [str(Path(folder) / one) for one in close_to(name, names)]
    return f"; did you mean {' or '.join(close)}?" if close else ""


def built_in() -> dict[str, Any]:
    """Return the built-in streams by name."""
    from littlestone.streams import Stream
    from littlestone.streams.datasets import DATASETS
    from littlestone.teachers import NUMBERED, TEACHERS

    return {name: kind for name, kind in TEACHERS.items() if issubclass(kind, Stream)} | NUMBERED | DATASETS


def built_in_name(source: str) -> str | None:
    """Return the built-in stream that a word names, with or without settings; None: it is a file's name, or "-"."""
    if source == "-" or Path(source).exists():
        return None
    name = split_settings(source)[0]
    return None if source.startswith(f"{name}/") else meant(name, built_in())


def _computed(name: str, given: dict[str, Any], settings: tuple[str, ...]) -> Stream:
    given.pop("task", None)  # a stream says itself what its outcomes are
    if "attributes" in given:
        settings = (f"n={given.pop('attributes')}", *settings)
    if given:
        options = ", ".join(f"--{option.replace('_', '-')}" for option in given)
        raise WrongCall(f"{name}: expected a file for {options}, got a built-in stream; its parameters are KEY=VALUE")
    stream: Stream = made("STREAM", name, built_in(), settings)
    return stream


def _value(name: str, given: Any) -> Any:
    from littlestone.streams.formats.reading_rules import number_or_text

    if name == "labels":
        return tuple(number_or_text(word) for word in given.split(","))
    if name == "columns":
        return given.split(",")
    if name == "pairs_between":
        return _two(given)
    if name == "targets":
        try:
            return tuple(int(word) for word in given.split(","))
        except ValueError:
            raise WrongCall(f"--targets: expected ids separated by commas, such as 0,1, got {given!r}") from None
    if name == "delimiter" and given.lower() in {"tab", "\\t"}:
        return "\t"
    return list(given) if isinstance(given, tuple) else given


def _two(given: str) -> tuple[str, ...]:
    words = tuple(given.split(","))
    if len(words) != 2 or not all(words):
        raise WrongCall(f"--pairs-between: expected two columns or namespaces, such as colour,size, got {given!r}")
    return words
