"""Everything littlestone raises on purpose.

::

    LittlestoneError
    ├── InvalidParameter   a parameter outside its range, or one that does not exist    (ValueError)
    ├── InvalidData        rows, columns or values that an algorithm cannot take       (ValueError)
    ├── InvalidLabel       outcomes that are not two known labels                      (ValueError)
    ├── InvalidCertificate a ledger that does not add up, or is not of this stream     (ValueError)
    ├── InvalidModel       a model file that is damaged, or not of a learner known here (ValueError)
    ├── InUse              an object that another thread uses, while one learns with it (RuntimeError)
    ├── TooLarge           an exact answer that would take too long or too much room   (ValueError)
    └── UnknownSize        the number of attributes is needed and not known            (ValueError)

Each message gives the place, what was expected, what was found, and what to do. Options are kept as data, so that the
command line can say ``--labels NEG,POS`` where Python says ``labels=(negative, positive)``.
"""

from littlestone.core.messages import Message, Remedy

__all__ = [
    "InUse",
    "InvalidCertificate",
    "InvalidData",
    "InvalidLabel",
    "InvalidModel",
    "InvalidParameter",
    "LittlestoneError",
    "TooLarge",
    "UnknownSize",
]


class LittlestoneError(Exception):
    """The base of every error that littlestone raises on purpose."""

    def __init__(self, message: str = "", *remedies: Remedy | str) -> None:
        self.message = Message(message, *remedies)
        super().__init__(str(self.message))


class InUse(LittlestoneError, RuntimeError):
    """Two threads use a learner at once, and one of them learns; the second is refused, and nothing has changed."""


class InvalidParameter(LittlestoneError, ValueError):
    """A parameter is outside its range, or there is no such parameter."""


class InvalidData(LittlestoneError, ValueError):
    """A row, a column or a value is not one that the algorithm can take."""


class InvalidLabel(LittlestoneError, ValueError):
    """The outcomes are not two known labels."""


class InvalidCertificate(LittlestoneError, ValueError):
    """A certificate's ledger does not add up, or is not that of this stream."""


class InvalidModel(LittlestoneError, ValueError):
    """A model file is damaged, or not that of a learner known here."""


class TooLarge(LittlestoneError, ValueError):
    """An exact answer would take too long or too much room; the message names what to ask instead."""


class UnknownSize(LittlestoneError, ValueError):
    """The number of attributes is needed and not known."""
