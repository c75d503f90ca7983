"""Loading: which model is being loaded, so that one that ends the worker each time is set aside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

__all__ = ["Loading"]

NAME = "loading.json"
MOST = 3  # deaths of the worker while it loads one model, one after the other, until that model is set aside


class Loading:
    """Counts how often the worker died while it loaded a model.

    A model that was set aside is tried again when the worker may take another amount of ``memory``.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for life in range(3):
    ...     Loading(folder, None)._begin(7)  # and it dies
    >>> Loading(folder, None).aside(7)[:37], Loading(folder, None).aside(8), Loading(folder, 1 << 30).aside(7)
    ('the worker ended 3 times while it loa', None, None)
    """

    def __init__(self, folder: Path, memory: int | None) -> None:
        self._path, self._memory = folder / NAME, memory
        found = self._read()
        self._deaths: dict[str, int] = found.get("deaths", {}) if found.get("memory") == memory else {}

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, AttributeError):
            found = json.loads(self._path.read_text())
            deaths = {str(key): int(count) for key, count in dict(found["deaths"]).items()}
            return {"memory": found.get("memory"), "deaths": deaths}
        return {}

    def _write(self) -> None:
        with suppress(OSError):  # the disk may be full
            if self._deaths:
                draft = self._path.with_suffix(".new")
                draft.write_text(json.dumps({"memory": self._memory, "deaths": self._deaths}))
                draft.replace(self._path)
            else:
                self._path.unlink(missing_ok=True)

    def aside(self, model: int) -> str | None:
        """Return why a model is not loaded any more, if that is so."""
        deaths = self._deaths.get(str(model), 0)
        if deaths < MOST:
            return None
        return (
            f"the worker ended {deaths} times while it loaded the model, which is set aside; roll it back to an event "
            f"before, remove it, or start the service with more --memory"
        )

    @contextmanager
    def of(self, model: int) -> Iterator[None]:
        """Have it known, while it lasts, that a model is being loaded."""
        self._begin(model)
        try:
            yield
        finally:
            self.forget(model)

    def _begin(self, model: int) -> None:
        self._deaths[str(model)] = self._deaths.get(str(model), 0) + 1
        self._write()

    def forget(self, model: int) -> None:
        """Know nothing of a model any more."""
        if self._deaths.pop(str(model), None) is not None:
            self._write()
