"""A service that learns: durable, exactly once; the journal is the model.

`Desk` does what requests ask, on a folder; `Supervisor` has a process of its own do it.
"""

from littlestone.core.lazy import importer

__all__ = ["Desk", "Limits", "Options", "Supervisor"]

_HOME = {
    "Desk": "littlestone.service.desk",
    "Limits": "littlestone.service.options",
    "Options": "littlestone.service.options",
    "Supervisor": "littlestone.service.supervisor",
}
__getattr__ = importer("littlestone.service", _HOME, {})
