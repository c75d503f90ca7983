"""Where a command's examples come from: a file, stdin or a built-in stream, and the options that say how it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from littlestone.cli._settings import WrongCall, made
from littlestone.core.messages import did_you_mean

if TYPE_CHECKING:
    from littlestone.streams import Stream

__all__ = ["built_in", "no_such", "source_options", "stream_of"]

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("svmlight", "vw", "csv", "tsv", "jsonl", "parquet", "snow")

# Each is an option of the same name of some of the streams that littlestone.streams.open makes.
READING: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--label",), {"metavar": "COLUMN", "help": "The column of labels.  [default: label, class, target, y, or last]"}),
    (("--text",), {"metavar": "COLUMN", "multiple": True, "help": "A column of text, read as a bag of words."}),
    (("--ngrams",), {"type": int, "metavar": "N", "help": "Make attributes of runs of up to N words of text, too."}),
    (("--ignore",), {"metavar": "COLUMN", "multiple": True, "help": "A column to leave out."}),
    (("--numeric",), {"metavar": "COLUMN", "multiple": True, "help": "A column to read as numbers."}),
    (("--categorical",), {"metavar": "COLUMN", "multiple": True, "help": "A column to read as categories."}),
    (("--weight",), {"metavar": "COLUMN", "help": "The column of weights: how much an example counts."}),
    (("--tag",), {"metavar": "COLUMN", "help": "The column of tags: names of the examples."}),
    (("--missing",), {"metavar": "TEXT", "multiple": True, "help": "Text of a cell that has no value."}),
    (("--delimiter",), {"metavar": "CHAR", "help": "The character between cells; tab for a tab."}),
    (("--quote",), {"metavar": "CHAR", "help": "The quote character; empty for none."}),
    (("--header/--no-header",), {"default": None, "help": "Whether the first line names the columns."}),
    (("--labels",), {"metavar": "NEG,POS", "help": "All labels, the negative one first."}),
    (("--targets",), {"metavar": "IDS", "help": "The ids that are labels in a SNoW file, the negative one first."}),
    (("-n", "--attributes"), {"type": int, "metavar": "N", "help": "The number of attributes."}),
    (
        ("--zero-based/--one-based",),
        {"default": None, "help": "Where svmlight indices begin.  [default: 0 if one is 0]"},
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
DIVIDING = ("delimiter", "quote", "header")  # what is no option of another format's files
NAMES = tuple(words[-1].removeprefix("--").split("/")[0].replace("-", "_") for words, _ in READING)


def source_options(command: F) -> F:
    """Give a command the options that `stream_of` takes."""
    for words, said in reversed(READING):
        command = click.option(*words, **said)(command)
    return click.option("--format", type=click.Choice(FORMATS), help="Format.  [default: by suffix, then first line]")(
        command
    )


def stream_of(
    source: str,
    told: Mapping[str, Any],
    settings: tuple[str, ...] = (),
    *,
    defaults: Mapping[str, Any] | None = None,
    predicting: bool = False,
) -> Stream:
    """Return the stream that SOURCE names: a file, "-" for stdin, or a built-in stream with its KEY=VALUE settings.

    A file that is there wins. ``told`` is what click found, of which only the options above are taken; ``defaults``
    are those of an earlier stream (``Stream.read_as``), taken where the format knows them and nothing else is told;
    for ``predicting`` labels are not looked at.
    """
    said = {name: _value(name, told[name]) for name in NAMES if told.get(name) not in {None, ()}}
    if "pairs_between" in said:
        said["pairs"] = said.pop("pairs_between")
    named = {} if source == "-" or Path(source).exists() else built_in()
    if source in named:
        return _made(source, named, said, settings)
    if settings:
        raise WrongCall(
            f"{source}: expected KEY=VALUE only for a built-in stream ({', '.join(built_in())}), got {settings}"
        )
    if source != "-" and not Path(source).exists():
        raise click.ClickException(no_such(source))
    from littlestone.streams.opening import open as opened
    from littlestone.streams.opening import options_of

    before = dict(defaults or {})
    format_before = before.pop("format", None)
    file, format = _format(source, told.get("format"), format_before)  # noqa: A001
    known = [name for name in options_of(format) if format == format_before or name not in DIVIDING]
    said = {name: value for name, value in before.items() if name in known} | said
    if "attributes" not in known:
        said.pop("attributes", None)  # then it is for the learner alone
    if predicting:
        said |= {"unlabelled": True} | ({"labels": ()} if format in {"svmlight", "vw"} else {})
        if "weight" in said:  # it may be missing, and is no attribute
            said["ignore"] = [*said.get("ignore", []), said.pop("weight")]
    return opened(file, format, **said)


def no_such(source: str) -> str:
    """Return what is said of a file that is not there, and is no built-in stream either."""
    known = built_in()
    remedy = did_you_mean(source, known)
    return (
        f"{source}: expected a file, - for stdin, or one of {', '.join(known)}, got the name of a file that is not "
        f"there{f'; {remedy}' if remedy else ''}"
    )


def built_in() -> dict[str, Any]:
    """Return the streams that are computed, by their names."""
    from littlestone.streams import Stream
    from littlestone.streams.datasets import DATASETS
    from littlestone.teachers import TEACHERS

    return {name: kind for name, kind in TEACHERS.items() if issubclass(kind, Stream)} | DATASETS


def _made(name: str, named: dict[str, Any], said: dict[str, Any], settings: tuple[str, ...]) -> Stream:
    if "attributes" in said:
        settings = (f"n={said.pop('attributes')}", *settings)
    if said:
        options = ", ".join(f"--{option.replace('_', '-')}" for option in said)
        raise WrongCall(f"{name}: expected a file for {options}, got a built-in stream; its parameters are KEY=VALUE")
    stream: Stream = made("STREAM", name, named, settings)
    return stream


def _format(source: str, told: str | None, before: str | None) -> tuple[Any, str]:
    """Return what is to be opened and its format: as told, by suffix, as before, or by the first line."""
    from littlestone.streams.opening import SUFFIXES, format_of
    from littlestone.streams.sources.opened import Source, plain_suffix

    known = told or (SUFFIXES.get(plain_suffix(source)) if source != "-" else None) or before
    if known is not None:
        return source, known
    found = Source(source)
    format = format_of(found)  # noqa: A001
    return source if found.again else found.open(), format  # the first line of a pipe is not to be lost


def _value(name: str, told: Any) -> Any:
    from littlestone.streams.formats.reading_rules import number_or_text

    if name == "labels":
        return tuple(number_or_text(word) for word in told.split(","))
    if name == "pairs_between":
        return _two(told)
    if name == "targets":
        try:
            return tuple(int(word) for word in told.split(","))
        except ValueError:
            raise WrongCall(f"--targets: expected ids separated by commas, such as 0,1, got {told!r}") from None
    if name == "delimiter" and told.lower() in {"tab", "\\t"}:
        return "\t"
    return list(told) if isinstance(told, tuple) else told


def _two(told: str) -> tuple[str, ...]:
    words = tuple(told.split(","))
    if len(words) != 2 or not all(words):
        raise WrongCall(f"--pairs-between: expected two columns or namespaces, such as colour,size, got {told!r}")
    return words
