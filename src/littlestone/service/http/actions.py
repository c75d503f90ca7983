"""Actions: what is done for each operation. A request to the worker is made, and its reply is put into words."""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET

from littlestone.service import wire
from littlestone.service.http import forms
from littlestone.service.http.asked import Fields, Several, check_rows, from_form, from_lines
from littlestone.service.http.keeper import Call
from littlestone.service.http.limits import Limits
from littlestone.service.http.metrics import CONTENT_TYPE, Metrics, Sample
from littlestone.service.http.problems import Refusal

__all__ = ["Actions", "Asked", "Desk", "Raw", "Wanted", "checked", "too_late"]

ROWS = Fields("row", "rows", True)
LABELS = Fields("label", "labels", True)
WEIGHTS = Fields("weight", "weights", False)
IDS = Fields("id", "ids", True)
USUAL = {"weight": 1.0}
LONG = (wire.Upload, wire.Clone, wire.RollBack)  # and whatever is as of an event: something is learned anew
LONGER = 10
FRESH = 1.0  # seconds for which a sign of life is good


class Desk(Protocol):
    """Who does what is asked: the supervisor of the worker, or a worker in this process."""

    def request(self, request: wire.Request) -> Awaitable[wire.Reply]:
        """Return the reply to a request."""


class Raw(NamedTuple):
    """An answer that is not JSON."""

    data: bytes
    media_type: str
    headers: Mapping[str, str] = {}


class Asked(NamedTuple):
    """A request that passed all checks: its model, its form or the bytes of its body, and so on."""

    call: Call
    model: str = ""
    number: int = 0
    form: Any = None  # a form, or a list of lines
    data: bytes = b""
    once: str | None = None
    query: Mapping[str, Any] = {}

    @property
    def lines(self) -> bool:
        """Whether the body was lines: so is the answer."""
        return isinstance(self.form, list)


class Wanted(NamedTuple):
    """What the worker is to be asked, and what makes an answer of its reply."""

    request: wire.Request
    answer: Callable[[Any], Any]


class Actions:
    """A method for each operation, under its name; those about rows say what is `Wanted`, the others do it."""

    def __init__(self, desk: Desk, limits: Limits, metrics: Metrics) -> None:
        self._desk, self._limits, self._metrics = desk, limits, metrics
        self._explained = replace(limits, attributes=min(limits.attributes, limits.explained))
        self._healthy: tuple[float, wire.Healthy | None, str] = (-FRESH, None, "")

    async def done(self, wanted: Wanted) -> Any:
        """Ask the worker what is wanted, and return the answer."""
        return wanted.answer(await self._ask(wanted.request))

    def patience(self, request: wire.Request) -> float:
        """Return how many seconds the worker may take for a reply."""
        is_long = isinstance(request, LONG) or getattr(request, "at", None) is not None
        return self._limits.answer_time * (LONGER if is_long else 1)

    async def _ask(self, request: wire.Request) -> Any:
        """Return the worker's reply; a problem is raised."""
        seconds = self.patience(request)
        try:
            async with timeout(seconds):
                reply = await self._desk.request(request)
        except TimeoutError:
            raise too_late(seconds) from None
        return checked(reply)

    # Rows

    def predict(self, asked: Asked) -> Wanted:
        """Predict rows."""
        found = self._several(asked, (ROWS,))
        at, shadow = (None, None) if asked.lines else (asked.form.at, asked.form.shadow)
        if shadow is not None and not asked.call.key.reaches(shadow):
            raise Refusal("not-allowed", f"shadow: the key is not for the model {shadow!r}", where="shadow")

        def answer(reply: wire.Predicted) -> Any:
            self._count(asked, "predict", reply)
            other = _shadow(reply.shadow, alone=found.alone)
            if asked.lines:
                return _lines(reply, None)
            if found.alone:
                _check_one(reply)
                return forms.PredictedOne(
                    reply.model, reply.after, reply.predictions[0], reply.probabilities[0], shadow=other
                )
            return forms.PredictedMany(
                reply.model, reply.after, reply.predictions, reply.probabilities, _refused(reply), shadow=other
            )

        return Wanted(wire.Predict(asked.model, found.needed("rows"), at, shadow), answer)

    def learn(self, asked: Asked) -> Wanted:
        """Predict rows, then learn them."""
        found = self._several(asked, (ROWS, LABELS, WEIGHTS, Fields("id", "ids", False)))
        lists = found.lists
        request = wire.Learn(
            asked.model, found.needed("rows"), found.needed("labels"), lists["weights"], lists["ids"], asked.once
        )
        return self._answered(asked, "learn", request, found)

    def ask(self, asked: Asked) -> Wanted:
        """Predict rows whose labels will come."""
        found = self._several(asked, (ROWS, IDS, WEIGHTS))
        request = wire.Ask(asked.model, found.needed("rows"), found.needed("ids"), found.lists["weights"], asked.once)
        return self._answered(asked, "ask", request, found)

    def label(self, asked: Asked) -> Wanted:
        """Learn rows whose labels have come."""
        found = self._several(asked, (IDS, LABELS))
        request = wire.Label(asked.model, found.needed("ids"), found.needed("labels"), asked.once)
        return self._answered(asked, "label", request, found)

    def _several(self, asked: Asked, fields: tuple[Fields, ...]) -> Several:
        found = from_lines(asked.form, fields, USUAL) if asked.lines else from_form(asked.form, fields)
        check_rows(found.lists.get("rows") or (), self._limits)
        if len(ids := found.lists.get("ids") or ()) > self._limits.rows:
            raise Refusal("too-many-rows", f"ids: expected at most {self._limits.rows:,}, got {len(ids):,}")
        return found

    def _answered(self, asked: Asked, what: str, request: wire.Request, found: Several) -> Wanted:
        def answer(reply: wire.Answered) -> Any:
            self._count(asked, what, reply)
            if found.alone and not asked.lines:
                _check_one(reply)
                return forms.AnsweredOne(reply.model, reply.first, reply.predictions[0], reply.probabilities[0])
            numbers = reply.numbers()
            if asked.lines:
                return _lines(reply, numbers)
            return forms.AnsweredMany(
                reply.model, reply.first, reply.count, numbers, reply.predictions, reply.probabilities, _refused(reply)
            )

        return Wanted(request, answer)

    def _count(self, asked: Asked, what: str, reply: wire.Predicted | wire.Answered) -> None:
        rows = len(reply.predictions)
        self._metrics.rows(asked.model, what, rows - len(reply.refused))
        asked.call.more["rows"] = rows
        if reply.refused:
            self._metrics.rows(asked.model, "refused", len(reply.refused))
            asked.call.more["refused"] = len(reply.refused)

    async def explain(self, asked: Asked) -> Any:
        """Explain predictions, or what was learned."""
        if asked.lines:
            request = wire.Explain(asked.model, rows=[line.row for line in asked.form])
        else:
            given = {name: value for name in ("row", "rows") if (value := getattr(asked.form, name)) is not UNSET}
            if len(given) > 1:
                raise Refusal("invalid", "expected row or rows, got both", where="rows")
            request = wire.Explain(asked.model, top=asked.form.top, **given)
        check_rows(request.rows or [one for one in [request.row] if one is not None], self._explained)
        reply = await self._ask(request)
        if request.rows is None:
            return forms.ExplainedForm(reply.model, reply.after, reply.data)
        if asked.lines:
            refused = {one.at: one for one in _refused(reply)}
            return [forms.ExplainedLine(one, refused.get(at)) for at, one in enumerate(reply.data)]
        return forms.ExplainedMany(reply.model, reply.after, reply.data, _refused(reply))

    # Models

    async def list_models(self, asked: Asked) -> Any:
        """List models."""
        reply = await self._ask(wire.Describe())
        return forms.ModelsForm([one for one in reply.models if asked.call.key.reaches(str(_name(one)))])

    async def describe(self, asked: Asked) -> Any:
        """Describe a model."""
        reply = await self._ask(wire.Describe(asked.model))
        return forms.ModelForm(reply.models[0])

    async def create(self, asked: Asked) -> Any:
        """Create a model."""
        form = asked.form or forms.CreateForm()
        return _made(await self._ask(wire.Create(asked.model, **{
            name: getattr(form, name) for name in forms.CreateForm.__struct_fields__
        })))  # fmt: skip

    async def remove(self, asked: Asked) -> Any:
        """Remove a model."""
        await self._ask(wire.Remove(asked.model))
        self._metrics.forget(asked.model)
        return Raw(b"", "")

    async def download(self, asked: Asked) -> Any:
        """Give a model's file."""
        reply = await self._ask(wire.Download(asked.model, asked.query.get("at")))
        name = f"{reply.model}-{reply.number}.npz"
        asked.call.told |= {"number": reply.number, "bytes": len(reply.data)}
        return Raw(reply.data, "application/octet-stream", {"content-disposition": f'attachment; filename="{name}"'})

    async def upload(self, asked: Asked) -> Any:
        """Take a model's file."""
        return _made(await self._ask(wire.Upload(asked.model, asked.data, asked.query.get("new_labels", False))))

    async def clone(self, asked: Asked) -> Any:
        """Copy a model."""
        _check_reached(asked, asked.form.name, "name")
        return _made(await self._ask(wire.Clone(asked.model, asked.form.name, asked.form.at)))

    async def switch(self, asked: Asked) -> Any:
        """Let two models exchange their names."""
        _check_reached(asked, asked.form.other, "other")
        return _made(await self._ask(wire.Switch(asked.model, asked.form.other)))

    async def roll_back(self, asked: Asked) -> Any:
        """Go back to an event."""
        return _made(await self._ask(wire.RollBack(asked.model, asked.form.number)))

    async def correct(self, asked: Asked) -> Any:
        """Correct a label."""
        return _amended(await self._ask(wire.Correct(asked.model, asked.number, asked.form.label)))

    async def forget(self, asked: Asked) -> Any:
        """Forget an example."""
        return _amended(await self._ask(wire.Forget(asked.model, asked.number)))

    # The service

    async def live(self, asked: Asked) -> Any:
        """Say that the front lives."""
        del asked
        return forms.HealthForm("live")

    async def ready(self, asked: Asked) -> Any:
        """Say whether the worker answers."""
        del asked
        health, said = await self._health()
        if health is None:
            raise Refusal("not-ready", said, headers={"Retry-After": "1"})
        return forms.HealthForm("ready", "" if health.stuck is None else f"nothing can be learned: {health.stuck}")

    async def metrics(self, asked: Asked) -> Any:
        """Give the metrics."""
        if asked.call.key.models:
            raise Refusal("not-allowed", "metrics: expected a key for all models, got one for some")
        health, _ = await self._health()
        return Raw(self._metrics.text(_of_worker(health, getattr(self._desk, "restarts", None))).encode(), CONTENT_TYPE)

    async def _health(self) -> tuple[wire.Healthy | None, str]:
        """Return the worker's last sign of life; it is asked for at most once a second."""
        then, health, said = self._healthy
        if monotonic() - then >= FRESH:
            try:
                health, said = await self._ask(wire.Health()), ""
            except Refusal as refusal:
                health, said = None, refusal.detail
            self._healthy = monotonic(), health, said
        return health, said


def too_late(seconds: float) -> Refusal:
    """Return what is said if the worker does not reply in time."""
    said = f"no answer within {seconds:g} seconds; send it again with the same Idempotency-Key"
    return Refusal("not-ready", said, headers={"Retry-After": "5"})


def checked(reply: wire.Reply | BaseException) -> Any:
    """Return a reply; a problem, or what went wrong instead of one, is raised."""
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, wire.Problem):
        raise _refusal(reply)
    return reply


def _refusal(problem: wire.Problem) -> Refusal:
    again = {"Retry-After": "1"} if problem.again else {}
    return Refusal(
        problem.kind, problem.detail, where=problem.where or "", status=problem.status, title=problem.title,
        headers=again,
    )  # fmt: skip


def _check_one(reply: wire.Predicted | wire.Answered) -> None:
    """Refuse a request whose only row was refused."""
    if reply.refused:
        first = reply.refused[0]
        raise Refusal(first.because, first.detail, where=first.because)


def _refused(reply: wire.Predicted | wire.Answered | wire.Explained) -> list[forms.RefusedRow]:
    return [forms.RefusedRow(one.at, one.because, one.detail) for one in reply.refused]


def _lines(reply: wire.Predicted | wire.Answered, numbers: list[int | None] | None) -> list[forms.AnsweredLine]:
    refused = {one.at: one for one in _refused(reply)}
    both = zip(reply.predictions, reply.probabilities, strict=True)
    return [
        forms.AnsweredLine(prediction, probability, None if numbers is None else numbers[at], refused.get(at))
        for at, (prediction, probability) in enumerate(both)
    ]


def _shadow(found: wire.Predicted | wire.Problem | None, *, alone: bool) -> Any:
    if found is None or isinstance(found, wire.Problem):
        return None if found is None else _refusal(found).details()
    if alone and not found.refused:
        return forms.PredictedOne(found.model, found.after, found.predictions[0], found.probabilities[0])
    return forms.PredictedMany(found.model, found.after, found.predictions, found.probabilities, _refused(found))


def _name(model: Mapping[str, Any]) -> Any:
    return model.get("name", model.get("model"))


def _check_reached(asked: Asked, model: str, where: str) -> None:
    if not asked.call.key.reaches(model):
        raise Refusal("not-allowed", f"{where}: the key is not for the model {model!r}", where=where)


def _made(reply: wire.Made) -> forms.MadeForm:
    return forms.MadeForm(reply.model, reply.number, reply.notes)


def _amended(reply: wire.Amended) -> forms.AmendedForm:
    return forms.AmendedForm(reply.model, reply.number, reply.pending)


def _of_worker(health: wire.Healthy | None, restarts: int | None) -> Iterable[tuple[str, str, str, list[Sample]]]:
    if restarts is not None:  # it is a supervisor
        yield "littlestone_worker_restarts_total", "counter", "Times that the worker ended.", [({}, restarts)]
    yield "littlestone_ready", "gauge", "Whether the worker answers.", [({}, float(health is not None))]
    if health is not None:
        yield "littlestone_models", "gauge", "Models that are served.", [({}, health.models)]
        yield "littlestone_entries_total", "counter", "Entries of the journal.", [({}, health.entries)]
        yield "littlestone_stuck", "gauge", "Whether nothing can be learned now.", [({}, float(bool(health.stuck)))]
        for name, value in sorted(health.facts.items()):
            if isinstance(value, int | float):
                yield f"littlestone_worker_{name}", "gauge", f"The worker's {name}.", [({}, float(value))]
