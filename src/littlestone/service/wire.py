"""What is asked of the worker and what it replies, as structures, and the frames in which these travel."""

from __future__ import annotations

from typing import Any

import msgspec

from littlestone.core.errors import LittlestoneError

__all__ = [
    "Amended", "Answered", "Ask", "Clone", "Correct", "Create", "Describe", "Described", "Download", "Explain",
    "Explained", "File", "Forget", "Frames", "Gone", "Health", "Healthy", "Label", "Learn", "Made", "Predict",
    "Predicted", "Problem", "Refusal", "Remove", "Reply", "Request", "RollBack", "Switch", "TooLong", "Upload",
    "frame", "read", "reply_of", "request_of", "written",
]  # fmt: skip

MOST = 1 << 30  # bytes of a frame
HEAD = 4


class _Struct(msgspec.Struct, frozen=True, array_like=True):
    """A structure whose fields go one after the other; both ends are of one version."""


class Predict(_Struct, frozen=True, tag="predict"):
    """Predict rows; as of event number ``at``, or as it is now; a ``shadow`` is another model that predicts too."""

    model: str
    rows: list[Any]
    at: int | None = None
    shadow: str | None = None


class Learn(_Struct, frozen=True, tag="learn"):
    """Predict rows, then learn them; ``once`` is the key under which this is done once."""

    model: str
    rows: list[Any]
    labels: list[Any]
    weights: list[Any] | None = None
    ids: list[Any] | None = None
    once: str | None = None


class Ask(_Struct, frozen=True, tag="ask"):
    """Predict rows that will be learned when their labels come, under their ids."""

    model: str
    rows: list[Any]
    ids: list[Any]
    weights: list[Any] | None = None
    once: str | None = None


class Label(_Struct, frozen=True, tag="label"):
    """Learn rows that were asked, now that their labels have come."""

    model: str
    ids: list[Any]
    labels: list[Any]
    once: str | None = None


class Explain(_Struct, frozen=True, tag="explain"):
    """Say why the model decides as it does on a row, or on several; without any, what it has learned."""

    model: str
    row: Any = None
    top: int = 20
    rows: list[Any] | None = None


class Describe(_Struct, frozen=True, tag="describe"):
    """Say how a model is; without a name, all of them."""

    model: str | None = None


class Create(_Struct, frozen=True, tag="create"):
    """Begin a model that has learned nothing, for rows that name their attributes."""

    name: str
    learner: str = "auto"
    labels: list[Any] | None = None
    attributes: int | None = None
    new_labels: bool = False
    limit: int = 100_000
    window: int = 1000
    on_change: str = "warn"


class Upload(_Struct, frozen=True, tag="upload"):
    """Serve a model that was trained elsewhere: the bytes of its file."""

    name: str
    data: bytes
    new_labels: bool = False
    limit: int = 100_000
    window: int = 1000


class Download(_Struct, frozen=True, tag="download"):
    """Give the file of a model, as it is or as of event number ``at``."""

    model: str
    at: int | None = None


class Clone(_Struct, frozen=True, tag="clone"):
    """Serve a copy of a model, as it is or as of event number ``at``, under another name."""

    model: str
    name: str
    at: int | None = None


class Switch(_Struct, frozen=True, tag="switch"):
    """Let two models exchange their names: the challenger becomes the champion."""

    model: str
    other: str


class Remove(_Struct, frozen=True, tag="remove"):
    """Serve a model no more, and erase all that it was taught."""

    model: str


class Correct(_Struct, frozen=True, tag="correct"):
    """Let the label of an example have been another one."""

    model: str
    number: int
    label: Any


class Forget(_Struct, frozen=True, tag="forget"):
    """Let an example never have been, and erase it."""

    model: str
    number: int


class RollBack(_Struct, frozen=True, tag="roll back"):
    """Go on from the model as of event ``number``; that is an event, too, and can be undone."""

    model: str
    number: int


class Health(_Struct, frozen=True, tag="health"):
    """Give a sign of life."""


class Refusal(_Struct, frozen=True):
    """Why a row of a request was refused: where it stands, what was wrong ("row", "label", "id") and the message."""

    at: int
    because: str
    detail: str


class Predicted(_Struct, frozen=True, tag="predicted"):
    """Predictions of rows; None for those that were refused. They are of the model after event ``after``."""

    model: str
    after: int
    predictions: list[Any]
    probabilities: list[float | None]
    refused: list[Refusal]
    shadow: Predicted | Problem | None = None


class Answered(_Struct, frozen=True, tag="answered"):
    """What came of rows that were learned, asked or labelled: predictions, None for those that were refused.

    The accepted ones are the events ``first``, ``first + 1``, ... (``count`` of them), in the order of the rows.
    """

    model: str
    first: int
    count: int
    predictions: list[Any]
    probabilities: list[float | None]
    refused: list[Refusal]

    def numbers(self) -> list[int | None]:
        """Return the event number of each row, None for those that were refused.

        >>> Answered("m", 7, 2, ["a", None, "b"], [None] * 3, [Refusal(1, "row", "it is empty")]).numbers()
        [7, None, 8]
        """
        refused, own = {one.at for one in self.refused}, iter(range(self.first, self.first + self.count))
        return [None if at in refused else next(own) for at in range(len(self.predictions))]


class Explained(_Struct, frozen=True, tag="explained"):
    """An explanation, as JSON has it; of several rows a list of them, None for those that were refused."""

    model: str
    after: int
    data: Any
    refused: list[Refusal] = []


class Described(_Struct, frozen=True, tag="described"):
    """What is known of models: a dict each."""

    models: list[dict[str, Any]]


class File(_Struct, frozen=True, tag="file"):
    """A model file."""

    model: str
    number: int
    data: bytes


class Made(_Struct, frozen=True, tag="made"):
    """A model is served under this name, after event ``number``."""

    model: str
    number: int
    notes: list[str] = []


class Gone(_Struct, frozen=True, tag="gone"):
    """A model is served no more."""

    model: str


class Amended(_Struct, frozen=True, tag="amended"):
    """An event is another one, or none, from now on; ``pending``: the old model serves until the replay is done."""

    model: str
    number: int
    pending: bool


class Healthy(_Struct, frozen=True, tag="healthy"):
    """A sign of life; ``stuck`` says why nothing can be learned now."""

    models: int
    entries: int
    stuck: str | None
    facts: dict[str, Any]


class Problem(_Struct, frozen=True, tag="problem"):
    """Why a request was refused, as RFC 9457 has it; ``again``: it may be sent again, with the same key."""

    status: int
    kind: str
    title: str
    detail: str
    where: str | None = None
    again: bool = False


Request = (
    Predict | Learn | Ask | Label | Explain | Describe | Create | Upload | Download | Clone | Switch | Remove | Correct
    | Forget | RollBack | Health
)  # fmt: skip
Reply = Predicted | Answered | Explained | Described | File | Made | Gone | Amended | Healthy | Problem


class TooLong(LittlestoneError, ValueError):
    """A frame is longer than any may be: the two ends do not understand each other."""


class _Asked(_Struct, frozen=True):
    number: int
    request: msgspec.Raw


class _Told(_Struct, frozen=True):
    number: int
    reply: Reply | None  # none: a sign of life


_encoder = msgspec.msgpack.Encoder()
_asked = msgspec.msgpack.Decoder(_Asked)
_requests = msgspec.msgpack.Decoder(Request)
_told = msgspec.msgpack.Decoder(Reply)
_replies = msgspec.msgpack.Decoder(_Told)


def frame(number: int, what: Request | Reply | None) -> bytes:
    """Return a request or a reply as a frame; a reply has the number of its request.

    >>> request_of(frame(7, Describe("spam"))[4:])
    (7, Describe(model='spam'))
    """
    data = _encoder.encode((number, what))
    if len(data) > MOST:
        raise TooLong(f"frame: expected at most {MOST:,} bytes, got {len(data):,}", "send less at a time")
    return len(data).to_bytes(HEAD, "big") + data


def request_of(data: bytes) -> tuple[int, Request | Problem]:
    """Return what a frame asks; a problem, if that cannot be read."""
    found = _asked.decode(data)
    try:
        return found.number, _requests.decode(found.request)
    except (msgspec.MsgspecError, RecursionError) as error:
        return found.number, Problem(400, "unreadable", "The request cannot be read", str(error))


def written(reply: Reply) -> bytes:
    """Return a reply as it is kept for those who ask again."""
    return _encoder.encode(reply)


def read(data: bytes) -> Reply:
    """Return what `written` gave.

    >>> read(written(Gone("spam")))
    Gone(model='spam')
    """
    found: Reply = _told.decode(data)
    return found


def reply_of(data: bytes) -> tuple[int, Reply | None]:
    """Return what a frame replies; None: a sign of life."""
    found = _replies.decode(data)
    return found.number, found.reply


class Frames:
    """Takes frames apart that come in pieces.

    >>> frames, sent = Frames(), frame(1, Health()) + frame(2, Health())
    >>> frames.add(sent[:7]); [frames.next()]
    [None]
    >>> frames.add(sent[7:]); [request_of(frames.next())[0], request_of(frames.next())[0], frames.next()]
    [1, 2, None]
    """

    def __init__(self) -> None:
        self._came, self._at = bytearray(), 0

    def __len__(self) -> int:
        return len(self._came) - self._at

    def add(self, data: bytes) -> None:
        """Take what has come."""
        if self._at:
            del self._came[: self._at]
            self._at = 0
        self._came += data

    def is_complete(self) -> bool:
        """Tell whether a whole frame has come."""
        first = self._at + HEAD
        return len(self) >= HEAD and len(self._came) >= first + int.from_bytes(self._came[self._at : first], "big")

    def next(self) -> bytes | None:
        """Return the next frame, without its length, if it is complete."""
        first = self._at + HEAD
        if len(self._came) < first:
            return None
        length = int.from_bytes(self._came[self._at : first], "big")
        if length > MOST:
            raise TooLong(f"frame: expected at most {MOST:,} bytes, got {length:,}")
        if len(self._came) < first + length:
            return None
        self._at = first + length
        return bytes(self._came[first : self._at])
