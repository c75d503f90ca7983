"""Client and AsyncClient: what a service can be asked, as methods."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import httpx

from littlestone.service.client.calls import AGAIN, Call, Retries, ServiceError, call, found_in, settings, taught

__all__ = ["AsyncClient", "Client"]

OCTETS, LINES = "application/octet-stream", "application/x-ndjson"


class _Calls:
    """What can be asked. Each method returns what the service answers, as a dict (of an `AsyncClient`, to be awaited).

    ``once`` is the key under which something is learned once; without it one is made up for each call.
    """

    def _do(self, one: Call) -> Any:
        raise NotImplementedError

    def predict(self, model: str, row: Any, *, at: int | None = None, shadow: str | None = None) -> Any:
        """Predict one row: its prediction, and how probable that is."""
        return self._do(call("POST", model, "predict", json={"row": row, "at": at, "shadow": shadow}))

    def predict_many(self, model: str, rows: Iterable[Any], *, at: int | None = None, shadow: str | None = None) -> Any:
        """Predict several rows: lists of predictions and probabilities."""
        body = {"rows": _listed(rows), "at": at, "shadow": shadow}
        return self._do(call("POST", model, "predict", json=body))

    def learn(
        self, model: str, row: Any, label: Any, *, weight: float | None = None, id: Any = None,  # noqa: A002
        once: str | None = None,
    ) -> Any:  # fmt: skip
        """Learn one row with its label: the number of the example, and what was predicted before."""
        body = {"row": row, "label": label, "weight": weight, "id": id}
        return self._do(taught(model, "learn", once, body))

    def learn_many(
        self, model: str, rows: Iterable[Any], labels: Iterable[Any], *, weights: Iterable[float] | None = None,
        ids: Iterable[Any] | None = None, once: str | None = None,
    ) -> Any:  # fmt: skip
        """Learn several rows with their labels, in their order."""
        body = {"rows": _listed(rows), "labels": _listed(labels), "weights": _listed(weights), "ids": _listed(ids)}
        return self._do(taught(model, "learn", once, body))

    def ask(self, model: str, row: Any, id: Any, *, weight: float | None = None, once: str | None = None) -> Any:  # noqa: A002
        """Predict one row, which is learned when its label comes under this id."""
        return self._do(taught(model, "ask", once, {"row": row, "id": id, "weight": weight}))

    def ask_many(
        self, model: str, rows: Iterable[Any], ids: Iterable[Any], *, weights: Iterable[float] | None = None,
        once: str | None = None,
    ) -> Any:  # fmt: skip
        """Predict several rows, which are learned when their labels come."""
        body = {"rows": _listed(rows), "ids": _listed(ids), "weights": _listed(weights)}
        return self._do(taught(model, "ask", once, body))

    def label(self, model: str, id: Any, label: Any, *, once: str | None = None) -> Any:  # noqa: A002
        """Learn a row that was asked: its label has come."""
        return self._do(taught(model, "label", once, {"id": id, "label": label}))

    def label_many(self, model: str, ids: Iterable[Any], labels: Iterable[Any], *, once: str | None = None) -> Any:
        """Learn several rows that were asked."""
        return self._do(taught(model, "label", once, {"ids": _listed(ids), "labels": _listed(labels)}))

    def lines(self, model: str, what: str, data: bytes, *, once: str | None = None) -> Any:
        """Return lines of JSON that answer others; ``what`` is predict, explain, learn, ask or label."""
        return self._do(replace(taught(model, what, once, {}), body=data, kind=LINES, raw=True))

    def explain(self, model: str, row: Any = None, *, top: int = 20) -> Any:
        """Say why the model decides so on a row; without one, what it has learned."""
        return self._do(call("POST", model, "explain", json={"row": row, "top": top}))

    def explain_many(self, model: str, rows: Iterable[Any], *, top: int = 20) -> Any:
        """Say why the model decides so on each of several rows."""
        return self._do(call("POST", model, "explain", json={"rows": _listed(rows), "top": top}))

    def models(self) -> Any:
        """List the models."""
        return self._do(call("GET"))

    def describe(self, model: str) -> Any:
        """Say how a model is."""
        return self._do(call("GET", model))

    def create(self, model: str, learner: str = "auto", **options: Any) -> Any:
        """Begin a model that has learned nothing; ``options`` are labels, attributes, new_labels, and so on."""
        return self._do(call("PUT", model, json={"learner": learner, **options}, again=False))

    def remove(self, model: str) -> Any:
        """Serve a model no more."""
        return self._do(call("DELETE", model, again=False))

    def download(self, model: str, *, at: int | None = None) -> Any:
        """Return the bytes of a model's file."""
        params = {} if at is None else {"at": at}
        return self._do(call("GET", model, "file", params=params, raw=True))

    def upload(self, model: str, data: bytes, *, new_labels: bool = False) -> Any:
        """Serve a model whose file has these bytes."""
        params = {"new_labels": "true"} if new_labels else {}
        return self._do(call("PUT", model, "file", body=data, kind=OCTETS, params=params, again=False))

    def clone(self, model: str, name: str, *, at: int | None = None) -> Any:
        """Serve a copy of a model under another name."""
        return self._do(call("POST", model, "clone", json={"name": name, "at": at}, again=False))

    def switch(self, model: str, other: str) -> Any:
        """Let two models exchange their names."""
        return self._do(call("POST", model, "switch", json={"other": other}, again=False))

    def roll_back(self, model: str, number: int) -> Any:
        """Go on from the model as of an event."""
        return self._do(call("POST", model, "roll-back", json={"number": number}, again=False))

    def correct(self, model: str, number: int, label: Any) -> Any:
        """Let the label of an example have been another one."""
        return self._do(call("PATCH", model, f"examples/{number}", json={"label": label}))

    def forget(self, model: str, number: int) -> Any:
        """Let an example never have been."""
        return self._do(call("DELETE", model, f"examples/{number}", again=False))


class Client(_Calls):
    """A client of a service. What is not answered is sent again, under the same key: it is learned once.

    ``key`` is by default what the variable LITTLESTONE_KEY has. ``options`` are those of `httpx.Client`, such as
    ``verify`` and ``timeout``. Errors are `ServiceError`, with the server's words.

    >>> import httpx
    >>> def served(request):
    ...     return httpx.Response(200, json={"prediction": "rain", "probability": 0.75})
    >>> with Client("http://localhost:8765", transport=httpx.MockTransport(served)) as client:
    ...     client.predict("weather", {"sky": "grey"})["prediction"]
    'rain'
    """

    def __init__(
        self, url: str = "http://localhost:8765", key: str | None = None, *, retries: Retries | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        self._url, self._retries = url, retries or Retries()
        self._session = httpx.Client(**settings(url, key, options))

    def _do(self, one: Call) -> Any:
        before = 0
        while True:
            answer: httpx.Response | None = None
            try:
                answer = self._session.request(one.method, one.path, **_sent(one))
            except httpx.TransportError as error:
                if not _may_again(one, self._retries, before, error):
                    raise _unreached(self._url, error) from error
            if answer is not None and not (answer.status_code in AGAIN and _may_again(one, self._retries, before)):
                return found_in(answer, one)
            time.sleep(self._retries.wait(before, None if answer is None else answer.headers.get("retry-after")))
            before += 1

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(_Calls):
    """A `Client` whose methods are awaited; many may be under way at once.

    >>> import asyncio, httpx
    >>> def served(request):
    ...     return httpx.Response(200, json={"models": []})
    >>> async def listed():
    ...     async with AsyncClient(transport=httpx.MockTransport(served)) as client:
    ...         return await client.models()
    >>> asyncio.run(listed())
    {'models': []}
    """

    def __init__(
        self, url: str = "http://localhost:8765", key: str | None = None, *, retries: Retries | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        self._url, self._retries = url, retries or Retries()
        self._session = httpx.AsyncClient(**settings(url, key, options))

    async def _do(self, one: Call) -> Any:
        before = 0
        while True:
            answer: httpx.Response | None = None
            try:
                answer = await self._session.request(one.method, one.path, **_sent(one))
            except httpx.TransportError as error:
                if not _may_again(one, self._retries, before, error):
                    raise _unreached(self._url, error) from error
            if answer is not None and not (answer.status_code in AGAIN and _may_again(one, self._retries, before)):
                return found_in(answer, one)
            said = None if answer is None else answer.headers.get("retry-after")
            await asyncio.sleep(self._retries.wait(before, said))
            before += 1

    async def close(self) -> None:
        """Close all connections."""
        await self._session.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _sent(one: Call) -> dict[str, Any]:
    kind: Mapping[str, str] = {} if one.kind is None else {"content-type": one.kind}
    return {"content": one.body, "params": dict(one.params), "headers": {**one.headers, **kind}}


def _may_again(one: Call, retries: Retries, before: int, error: httpx.TransportError | None = None) -> bool:
    """Tell whether to send it again: always where nothing can have been done, else where it may be done twice."""
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
        return False
    return before < retries.times and (one.again or isinstance(error, httpx.ConnectError))


def _unreached(url: str, error: httpx.TransportError) -> ServiceError:
    return ServiceError(f"{url}: expected a service there, got no answer ({type(error).__name__}: {error})")


def _listed(values: Iterable[Any] | None) -> Sequence[Any] | None:
    if values is None:
        return None
    return values.tolist() if hasattr(values, "tolist") else list(values)
