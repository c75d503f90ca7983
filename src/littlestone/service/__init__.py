"""A service that learns: durable, exactly once; the journal is the model.

`Desk` does what requests ask, on a folder; `Supervisor` has a process of its own do it; `create_app` is its front, and
`Client` and `AsyncClient` call that.
"""

from typing import Any

from littlestone.core.errors import LittlestoneError
from littlestone.core.lazy import importer
from littlestone.core.messages import install

__all__ = ["AsyncClient", "Client", "Desk", "Keys", "Limits", "Options", "ServiceError", "Supervisor", "create_app"]

_HOME = {
    "AsyncClient": "littlestone.service.client",
    "Client": "littlestone.service.client",
    "Desk": "littlestone.service.desk",
    "Keys": "littlestone.service.http.keys",
    "Limits": "littlestone.service.options",
    "Options": "littlestone.service.options",
    "ServiceError": "littlestone.service.client",
    "Supervisor": "littlestone.service.supervisor",
    "create_app": "littlestone.service.http.app",
}
_EXTRA = {"httptools", "httpx", "msgspec", "starlette", "uvicorn"}
_find = importer("littlestone.service", _HOME, {})


def __getattr__(name: str) -> Any:
    try:
        return _find(name)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        raise LittlestoneError(f"service: expected {error.name}, which is not installed", install("serve")) from error
