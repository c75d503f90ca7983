"""Serving: the worker is started, models are taken up, and uvicorn listens until a signal comes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn

from littlestone.core.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.service import wire
from littlestone.service.http.app import create_app
from littlestone.service.http.keeper import is_loopback
from littlestone.service.http.keys import Keys
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Audit, Log
from littlestone.service.http.protocol import patient
from littlestone.service.options import Options
from littlestone.service.supervisor import Supervisor
from littlestone.service.uploads import copied

__all__ = ["Settings", "serve"]

ENDING = 30  # seconds that requests under way may take when the server stops
BACKLOG = 2048
LOOK = 1.0  # seconds between two looks at the file of keys


@dataclass(frozen=True)
class Settings:
    """Where a service listens, with what, and how much it takes."""

    data: str
    models: Mapping[str, str] = field(default_factory=dict)  # files by the names of models
    host: str = "127.0.0.1"
    port: int = 8765
    tls_cert: str | None = None
    tls_key: str | None = None
    origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    options: Options = field(default_factory=Options)
    memory: int | None = None  # bytes that the worker may take
    patience: float = 30.0  # seconds that it may give no sign of life
    level: str = "info"


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT comes; ``say`` gets a line when it listens, and notes before."""
    keys = Keys(settings.data) if Path(settings.data).is_dir() else None
    if not (keys or is_loopback(settings.host)):
        raise InvalidParameter(
            f"host: expected an address of this machine alone, such as 127.0.0.1, where there are no keys, got "
            f"{settings.host}",
            f"make a key: littlestone key {settings.data} add --role admin",
        )
    before = os.umask(0o077)  # whatever it and its worker write is their owner's
    try:
        Path(settings.data).mkdir(parents=True, exist_ok=True, mode=0o700)
        keys = Keys(settings.data) if keys is None else keys
        keys.open = keys.is_missing
        _run(_serve(settings, keys, say))
    finally:
        os.umask(before)


def _run(serving: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        asyncio.run(serving)
        return
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serving)


async def _serve(settings: Settings, keys: Keys, say: Callable[[str], None]) -> None:
    log = Log(level=settings.level)
    _check_closed(settings.data, log)
    worker = Supervisor(
        settings.data,
        settings.options,
        patience=settings.patience,
        memory=settings.memory,
        on_end=lambda why: log.line("error", "worker", detail=why),
    )
    await worker.start()
    try:
        names = await _taken_up(worker, settings, say)
        audit = Audit(settings.data)
        app = create_app(worker, keys=keys, limits=settings.limits, log=log, audit=audit, origins=settings.origins)
        server = _Server(_config(app, settings), lambda: _reload(keys, log))
        server.listening = lambda port: say(_said(settings, keys, names, port))
        looking = asyncio.create_task(_look(keys, audit, log))
        try:
            await server.serve()
        finally:
            looking.cancel()
    finally:
        log.line("info", "stop", detail="snapshots are made")
        await worker.stop()


def _config(app: Any, settings: Settings) -> uvicorn.Config:
    limits = settings.limits
    return uvicorn.Config(
        app, host=settings.host, port=settings.port, http=patient(limits, app.state.quick), ws="none", lifespan="off",
        log_config=None, log_level="critical", access_log=False, proxy_headers=False, server_header=False,
        backlog=BACKLOG, timeout_keep_alive=int(limits.idle_time), timeout_graceful_shutdown=ENDING,
        ssl_certfile=settings.tls_cert, ssl_keyfile=settings.tls_key,
    )  # fmt: skip


class _Server(uvicorn.Server):
    """A server that ends without an error when it is told to, and reads its keys anew when SIGHUP comes."""

    def __init__(self, config: uvicorn.Config, reload: Callable[[], None]) -> None:
        super().__init__(config)
        self._reload = reload
        self.listening: Callable[[int], None] = lambda _: None

    async def startup(self, sockets: Any = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self.listening(self.servers[0].sockets[0].getsockname()[1])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals while it serves."""
        loop = asyncio.get_running_loop()
        acts: dict[int, Callable[[], None]] = {signal.SIGINT: self._stop, signal.SIGTERM: self._stop}
        if hasattr(signal, "SIGHUP"):
            acts[signal.SIGHUP] = self._reload
        taken: list[int] = []
        for number, act in acts.items():
            try:
                loop.add_signal_handler(number, act)
            except (NotImplementedError, RuntimeError, ValueError):  # Windows, or another thread
                continue
            taken.append(number)
        try:
            yield
        finally:
            for number in taken:
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def _check_closed(data: str, log: Log) -> None:
    """Warn where a folder that was there before is open to others."""
    mode = Path(data).stat().st_mode & 0o777
    if os.name == "posix" and mode & 0o077:
        log.line("warning", "folder", detail=f"{data} is open to others (mode {mode:o}): chmod 700 {data}")


async def _look(keys: Keys, audit: Audit, log: Log) -> None:
    """Read the keys anew whenever their file has changed; have the audit say what it left out."""
    while True:
        await asyncio.sleep(LOOK)
        with suppress(OSError):
            if keys.changed():
                _reload(keys, log)
        with suppress(OSError):
            await audit.tell()


def _reload(keys: Keys, log: Log) -> None:
    try:
        keys.reload()
    except (LittlestoneError, OSError) as error:
        log.line("error", "keys", detail=f"they are those that they were: {error}")
    else:
        log.line("info", "keys", count=len(keys))


async def _taken_up(worker: Supervisor, settings: Settings, say: Callable[[str], None]) -> list[str]:
    """Let the worker serve the files of models that it does not know yet; return the names of all models."""
    known = {str(one["name"]) for one in (await _asked(worker, wire.Describe(), wire.Described)).models}
    for name, file in settings.models.items():
        if name in known:
            say(f"note: {name} goes on from {settings.data}, with what it has learned there; {file} is not read")
            continue
        made = await _uploaded(worker, name, file)
        for note in made.notes:
            say(f"note: {name}: {note}")
        known.add(name)
    return sorted(known)


async def _uploaded(worker: Supervisor, name: str, file: str) -> wire.Made:
    """Have the worker serve a file, which does not pass through the memory of this process."""
    assert worker.uploads is not None
    upload = await asyncio.to_thread(copied, worker.uploads, file)
    try:
        made: wire.Made = await _asked(worker, wire.Upload(name, file=upload), wire.Made)
    finally:
        (worker.uploads / upload).unlink(missing_ok=True)
    return made


async def _asked(worker: Supervisor, request: wire.Request, kind: type[Any]) -> Any:
    reply = await worker.request(request)
    if isinstance(reply, kind):
        return reply
    detail = reply.detail if isinstance(reply, wire.Problem) else repr(reply)
    raise InvalidData(detail)


def _said(settings: Settings, keys: Keys, names: list[str], port: int) -> str:
    """Return the line that says where it listens, what it serves, and to whom."""
    scheme = "https" if settings.tls_cert else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")
    what = f"serving {shown or 'no model yet'}"
    if keys.is_open:
        who = "without keys: this machine only"
    else:
        who = f"{len(keys)} key{'s' * (len(keys) != 1)}"
        if not len(keys):
            who += f": nobody is let in; make one: littlestone key {settings.data} add --role admin"
        if scheme == "http" and not is_loopback(settings.host):
            who += ", which travel in the clear: say --tls-cert, or let a proxy with TLS stand before it"
    return f"{scheme}://{host}:{port}: {what} from {settings.data}; {who}"
