"""Problems: what is wrong with a request, as RFC 9457 has it, with the library's own messages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from littlestone.core.errors import (
    InUse,
    InvalidData,
    InvalidLabel,
    InvalidModel,
    InvalidParameter,
    LittlestoneError,
    TooLarge,
    UnknownSize,
)

__all__ = ["KINDS", "MEDIA_TYPE", "ProblemDetails", "Refusal", "kind_of"]

MEDIA_TYPE = "application/problem+json"

# Every kind of problem: its status, its title, and what to do about it, as the page of documentation says it.
KINDS: Mapping[str, tuple[int, str, str]] = MappingProxyType({
    "unreadable": (400, "The worker cannot read the request", "Report it, with the detail."),
    "malformed": (400, "The body is not JSON as it should be", "Check the body with a JSON checker."),
    "bad-request": (400, "The request is not HTTP as it should be", "Check address and headers."),
    "no-key": (401, "A key is needed", "Send `Authorization: Bearer lst_...`; `littlestone key` makes keys."),
    "wrong-key": (401, "The key is not known", "It was revoked, or mistyped; ask for a new one."),
    "not-allowed": (403, "The key may not do this", "Use a key of the role and the models that are needed."),
    "not-here": (403, "Without keys only programs of this machine are served", "Make keys, or call 127.0.0.1."),
    "origin": (403, "Pages of other origins are not served", "Name the origin when starting: --allow-origin."),
    "unknown-path": (404, "There is no such address", "/docs lists all addresses."),
    "unknown-model": (404, "There is no such model", "GET /v1/models lists them."),
    "method": (405, "The address has no such method", "The header Allow names those that it has."),
    "not-acceptable": (406, "The answer is to be of a type that there is not", "Ask for application/json."),
    "timeout": (408, "The request came too slowly", "Send it faster, or in smaller parts."),
    "conflict": (409, "It cannot be done as things are", "See what the detail says."),
    "too-large": (413, "The body is too large", "Send fewer rows at a time."),
    "content-type": (415, "The body is of a type that is not read", "Send application/json, not compressed."),
    "invalid": (422, "The request says what it cannot", "The detail says where, and what was expected."),
    "too-many-rows": (422, "Too many rows in one request", "Send fewer rows at a time."),
    "too-many-attributes": (422, "A row with too many attributes", "See the limits that the server was started with."),
    "row": (422, "A row that the model cannot take", "The detail says what it expected."),
    "label": (422, "A label that the model cannot take", "The detail names those that it knows."),
    "id": (422, "An id that waits already, or does not", "Send each id once, and labels for those that wait."),
    "key": (422, "An Idempotency-Key that came with another request", "Take a new key for each new request."),
    "rows": (422, "Lists that do not fit together", "Send as many labels, weights and ids as rows."),
    "name": (422, "A name that no model can have", "Take letters, digits, dots, hyphens and underscores."),
    "file": (422, "A model file that cannot be served", "The detail says what is wrong; save it anew."),
    "learner": (422, "A learner that cannot be made so", "`littlestone learners` lists them with their parameters."),
    "event": (404, "There is no such event", "GET /v1/models/{model} says how many there are."),
    "erased": (410, "The event was erased", "What was forgotten or compacted does not come back."),
    "exists": (409, "There is a model of this name", "Take another name, or remove it first."),
    "too-many": (409, "There are as many models as there may be", "Remove one that is not needed."),
    "no-snapshot": (409, "There is no snapshot to begin from", "See what the detail says."),
    "no-replay": (409, "The past cannot be done anew", "See what the detail says."),
    "invalid-parameter": (422, "A parameter outside its range", "The detail says what it may be."),
    "invalid-model": (422, "A model file that is damaged, or not of a learner known here", "Save it anew."),
    "too-many-requests": (429, "Too many requests with this key", "Wait as long as the header Retry-After says."),
    "headers-too-large": (431, "The headers are too large", "Send shorter ones."),
    "unexpected": (500, "Something unexpected went wrong; nothing was changed", "Report it, with the detail."),
    "internal": (500, "Something went wrong here", "The server's log has more, under the id of the request."),
    "busy": (503, "Too much is under way", "Wait as long as the header Retry-After says."),
    "unavailable": (503, "Nothing can be learned now", "Send it again later, with the same Idempotency-Key."),
    "broken": (503, "The model cannot be had now", "The detail says why; other models are served."),
    "starting": (503, "The worker starts", "Send it again, with the same Idempotency-Key."),
    "fatal": (422, "The worker ends under it", "Three times it had to be started anew. Leave it out, or ask for less."),
    "restarted": (503, "The worker was started anew", "Send it again, with the same Idempotency-Key."),
    "not-ready": (503, "The service is not ready", "Send it again, with the same Idempotency-Key."),
    "stopping": (503, "The service stops", "Send it again, with the same Idempotency-Key."),
})  # fmt: skip
BY_ERROR: tuple[tuple[type[LittlestoneError], str], ...] = (
    (InvalidLabel, "label"), (InvalidData, "row"), (InvalidParameter, "invalid-parameter"),
    (InvalidModel, "invalid-model"), (UnknownSize, "row"), (TooLarge, "invalid"), (InUse, "busy"),
)  # fmt: skip


class ProblemDetails(msgspec.Struct, omit_defaults=True):
    """What RFC 9457 calls the members of a problem, the id of the request, and where in the body it is."""

    type: str
    title: str
    status: int
    detail: str = ""
    where: str = ""
    request: str = ""


class Refusal(Exception):
    """A request is refused: the kind of problem, what is wrong in words, and headers that the answer has.

    >>> refusal = Refusal("too-large", "expected at most 8 bytes, got 9")
    >>> refusal.status, refusal.details("7f3a").type
    (413, '/docs#too-large')
    """

    def __init__(
        self,
        kind: str,
        detail: str = "",
        *,
        where: str = "",
        headers: Mapping[str, str] | None = None,
        status: int | None = None,
        title: str | None = None,
        close: bool = False,
    ) -> None:
        known = KINDS.get(kind, (500 if status is None else status, kind, ""))
        self.kind, self.detail, self.where = kind, detail, where
        self.status = known[0] if status is None else status
        self.title = known[1] if title is None else title
        self.headers, self.close = dict(headers or {}), close  # close: what is left of the body is not read
        super().__init__(f"{self.title}: {detail}")

    @classmethod
    def of(cls, error: LittlestoneError) -> Refusal:
        """Return what is refused for an error of the library."""
        return cls(kind_of(error), str(error))

    @classmethod
    def of_decoding(cls, error: msgspec.MsgspecError, most_said: int = 300) -> Refusal:
        """Return what is refused for a body that could not be read: no JSON, or not what was expected, and where.

        >>> try:
        ...     msgspec.json.decode(b'[[1, "x"]]', type=list[list[int]])
        ... except msgspec.MsgspecError as error:
        ...     refusal = Refusal.of_decoding(error)
        >>> refusal.kind, refusal.where, refusal.detail
        ('invalid', '[0][1]', '[0][1]: expected `int`, got `str`')
        """
        said = str(error)
        if not isinstance(error, msgspec.ValidationError):
            return cls("malformed", said[:most_said])
        text, _, place = said.rpartition(" - at `")
        if not text:
            return cls("invalid", _lowered(said)[:most_said])
        where = place.removesuffix("`").removeprefix("$").removeprefix(".")
        return cls("invalid", f"{where}: {_lowered(text)}"[:most_said] if where else _lowered(text), where=where)

    def details(self, request: str = "") -> ProblemDetails:
        """Return the members of the problem."""
        return ProblemDetails(f"/docs#{self.kind}", self.title, self.status, self.detail, self.where, request)


def kind_of(error: LittlestoneError) -> str:
    """Return the kind of problem that an error of the library is.

    >>> kind_of(InvalidLabel("expected two labels, got 3"))
    'label'
    """
    return next((kind for known, kind in BY_ERROR if isinstance(error, known)), "invalid")


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
