"""A service that learns: durable, exactly once; the journal is the model.

`Desk` does what requests ask, on a folder; `Supervisor` has a process of its own do it; `create_app` is its front, and
`Client` and `AsyncClient` call that.
"""

from littlestone.core.lazy import importer

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
__getattr__ = importer("littlestone.service", _HOME, {})
