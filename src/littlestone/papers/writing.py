"""Files that are there whole or not at all, and those of one page all together."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from threading import current_thread, main_thread

from littlestone.core.errors import InvalidData
from littlestone.core.files import Draft, drafted

__all__ = ["prepare", "write"]


def prepare(folder: Path, names: Iterable[str] = ()) -> None:
    """Make a folder, and refuse one in which files of these names cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InvalidData(
            f"{folder}: it cannot be made or written to: {error.strerror or error}; name another folder"
        ) from None
    for name in names:
        if (folder / name).is_dir():
            raise InvalidData(f"{folder / name}: expected a file or nothing, got a folder; name another folder")


def write(texts: Mapping[Path, str]) -> None:
    """Write files: under each name there is the old one or the whole new one, whatever happens.

    No name is given before all files are on the disk, and an interrupt waits until all names are: files that belong
    together stay together.
    """
    with _undisturbed(), ExitStack() as drafts:
        staged: dict[Path, Draft] = {}
        try:
            for path, text in texts.items():
                staged[path] = drafts.enter_context(drafted(path))
                staged[path].file.write(text.encode())
                staged[path].finish()
            for path, draft in staged.items():  # noqa: B007 - an error names it
                draft.place()
        except OSError as error:
            why = error.strerror or error
            raise InvalidData(f"{path}: it cannot be written: {why}; what was there still is") from None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let SIGINT and SIGTERM wait; elsewhere than in the main thread they do not come."""
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _: object) -> None:
        came.append(number)

    numbers = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not None]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for one in came[:1]:
            signal.raise_signal(one)
