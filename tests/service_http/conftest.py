"""A desk that is none: it knows one model and does what it is told; and a server on a port of this machine."""

import asyncio
import socket
import threading
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from littlestone.service import wire
from littlestone.service.http.app import create_app
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Log
from littlestone.service.http.protocol import patient


class FakeDesk:
    """Answers as a worker does; ``seen`` has what was asked, ``reply`` is given instead of any other reply."""

    def __init__(self):
        self.seen, self.reply, self.wait = [], None, 0.0
        self.number, self.models = 0, {"mail": {"name": "mail"}, "news": {"name": "news"}}

    async def request(self, request):
        self.seen.append(request)
        if self.wait:
            await asyncio.sleep(self.wait)
        if self.reply is not None:
            return self.reply
        model = getattr(request, "model", getattr(request, "name", None))
        if model is not None and model not in self.models and not isinstance(request, wire.Create | wire.Upload):
            return wire.Problem(404, "unknown-model", "There is no such thing", f"no model {model!r}")
        return getattr(self, type(request).__name__.lower())(request)

    def predict(self, request):
        rows = request.rows
        refused = [wire.Refusal(at, "row", f"row {at} is bad") for at, row in enumerate(rows) if row == "bad"]
        bad = {one.at for one in refused}
        said = [None if at in bad else "ham" for at in range(len(rows))]
        chances = [None if at in bad else 0.75 for at in range(len(rows))]
        shadow = request.shadow and self.predict(wire.Predict(request.shadow, rows))
        return wire.Predicted(request.model, request.at or self.number, said, chances, refused, shadow or None)

    def learn(self, request):
        said = self.predict(wire.Predict(request.model, getattr(request, "rows", None) or request.ids))
        first, count = self.number + 1, len(said.predictions) - len(said.refused)
        self.number += count
        return wire.Answered(request.model, first, count, said.predictions, said.probabilities, said.refused)

    ask = label = learn

    def explain(self, request):
        if request.rows is not None:
            refused = [
                wire.Refusal(at, "row", f"row {at} is bad") for at, row in enumerate(request.rows) if row == "bad"
            ]
            return wire.Explained(request.model, 3, [row if row != "bad" else None for row in request.rows], refused)
        return wire.Explained(request.model, 3, {"row": request.row, "top": request.top})

    def describe(self, request):
        return wire.Described([self.models[request.model]] if request.model else list(self.models.values()))

    def create(self, request):
        self.models[request.name] = {"name": request.name}
        return wire.Made(request.name, 0)

    def upload(self, request):
        self.models[request.name] = {"name": request.name, "size": len(request.data)}
        return wire.Made(request.name, 0, ["noted"])

    def clone(self, request):
        return self.create(wire.Create(request.name))

    def switch(self, request):
        return wire.Made(request.model, 5)

    def rollback(self, request):
        return wire.Made(request.model, request.number)

    def download(self, request):
        return wire.File(request.model, request.at or 7, b"model" * 200_000)

    def remove(self, request):
        del self.models[request.model]
        return wire.Gone(request.model)

    def correct(self, request):
        return wire.Amended(request.model, request.number, True)

    def forget(self, request):
        return wire.Amended(request.model, request.number, True)

    def health(self, request):
        del request
        return wire.Healthy(len(self.models), self.number, None, {"memory": 12.5, "build": "x"})


@pytest.fixture
def desk():
    return FakeDesk()


@pytest.fixture
def keys(tmp_path):
    return Keys(tmp_path)


class Sink:
    """Where a log goes."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.fixture
def sink():
    return Sink()


@pytest.fixture
def client(desk, sink):
    """Calls the service without any socket, as a program of this machine: client(method, path, ...) or client(...)."""
    made = {}

    def call(method, path, *, base="http://localhost", address=("127.0.0.1", 4000), **more):
        options = {name: more.pop(name) for name in ("keys", "limits", "origins", "audit") if name in more}
        name = tuple(sorted((key, id(value)) for key, value in options.items()))
        if name not in made:
            made[name] = create_app(desk, log=Log(sink), **options), options

        async def run():
            transport = httpx.ASGITransport(app=made[name][0], client=address, raise_app_exceptions=True)
            async with httpx.AsyncClient(transport=transport, base_url=base) as session:
                return await session.request(method, path, **more)

        return asyncio.run(run())

    return call


@contextmanager
def serving(app, limits=None, **more):
    """Serve an application on a port of this machine; gives the port."""
    found = socket.socket()
    found.bind(("127.0.0.1", 0))
    found.listen(128)
    config = uvicorn.Config(
        app, http=patient(limits or Limits(), app.state.quick), ws="none", loop="uvloop", log_config=None,
        proxy_headers=False, server_header=False, access_log=False, timeout_graceful_shutdown=2, **more,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            thread.join(0.01)
        yield found.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        found.close()
