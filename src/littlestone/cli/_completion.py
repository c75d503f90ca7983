"""What a shell may put in after Tab: learners with their parameters, built-in streams, files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click
    from click.shell_completion import CompletionItem

__all__ = ["complete_learner", "complete_learners", "complete_source", "complete_teacher", "complete_theorem"]


def _item(value: str, *, type: str = "plain", help: str | None = None) -> CompletionItem:  # noqa: A002
    from click.shell_completion import CompletionItem  # only a shell that completes needs it

    return CompletionItem(value, type, help)


def complete_learner(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the learners whose names begin so; after a colon, the parameters of that learner."""
    del ctx, param
    return _learners(incomplete)


def complete_learners(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the same for the last learner of a list; what is typed before it stays."""
    from littlestone.core.spelling import split_names
    from littlestone.learners.purposes import LISTS

    del ctx, param
    head, comma, last = incomplete.rpartition(",")
    found = _after(head + comma, _learners(last))
    before = split_names(head)
    if before and ":" in before[-1] and ":" not in last:  # what follows may be one more of its parameters
        found += _after(head.removesuffix(before[-1]), _learners(f"{before[-1]},{last}"))
    return found if comma else [*_named(LISTS, last), *found]


def _after(before: str, items: list[CompletionItem]) -> list[CompletionItem]:
    return [_item(f"{before}{item.value}", help=item.help) for item in items]


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the built-in streams whose names begin so, or leave it to the shell to complete a file's name."""
    from littlestone.cli._settings import built_in

    del ctx, param
    return [*_named(built_in(), incomplete), _item(incomplete, type="file")]


def complete_teacher(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the teachers whose names begin so."""
    from littlestone.teachers import TEACHERS

    del ctx, param
    return _named(TEACHERS, incomplete)


def complete_theorem(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the theorems whose names begin so; after a colon, the parameters of a learner."""
    from littlestone.bounds import STATEMENTS

    del ctx, param
    if ":" in incomplete:
        return _learners(incomplete)
    return _named((name.replace("_", "-") for name in STATEMENTS), incomplete)


def _learners(typed: str) -> list[CompletionItem]:
    from littlestone.core.spelling import meant, split_settings
    from littlestone.learners.register import LEARNERS, registered_name
    from littlestone.learners.regressors import REGRESSORS

    if ":" not in typed:
        return _named([*LEARNERS, *REGRESSORS], typed)
    word = split_settings(typed)[0]
    name = registered_name(word)
    known = LEARNERS if name is not None else REGRESSORS
    name = name or meant(word, REGRESSORS)
    if name is None:
        return []
    at = 1 + max(typed.rfind(":"), typed.rfind(","))
    before, word = typed[:at], typed[at:]
    return [
        _item(f"{before}{one}=", help=declared.takes)
        for one, declared in known[name].parameters().items()
        if "=" not in word and one.startswith(word) and f"{one}=" not in before
    ]


def _named(known: Iterable[str], typed: str) -> list[CompletionItem]:
    from littlestone.core.spelling import hyphened

    return [_item(name) for name in known if name.startswith(hyphened(typed))]
