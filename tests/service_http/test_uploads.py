"""Uploads go to a file in the data folder as they come, and the worker reads them there."""

import asyncio
import errno
import hashlib
import os
import signal
import threading
from pathlib import Path

import httpx
import pytest

import littlestone as ls
from littlestone.service import uploads, wire
from littlestone.service.client import Client, ServiceError
from littlestone.service.desk import Desk
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Audit
from littlestone.service.supervisor import Supervisor
from littlestone.service.suspects import Suspects
from tests.service.desks import QUICK, begun, file_of

from .test_app import is_problem
from .test_serving import ROWS, children_of, served

OCTETS = {"content-type": "application/octet-stream"}


@pytest.fixture
def folder(desk, tmp_path):
    """A desk that takes files; `seen` has what was in each."""
    desk.uploads, desk.files = uploads.swept(tmp_path), []
    upload = desk.upload

    def taken(request):
        path = uploads.path_of(tmp_path, request.file)
        desk.files.append((path.read_bytes(), path.stat().st_mode & 0o777, request.digest))
        return upload(request)

    desk.upload = taken
    return tmp_path


def left(folder):
    return list((folder / "uploads").iterdir())


def test_the_worker_is_asked_by_the_name_of_a_file(client, desk, folder):
    audit, data = Audit(folder), os.urandom(3 << 20)
    answer = client("PUT", "/v1/models/up/file?new_labels=true", content=data, headers=OCTETS, audit=audit)
    assert answer.status_code == 201 and left(folder) == []
    digest = hashlib.sha256(data).hexdigest()
    assert desk.files == [(data, 0o600, digest)]
    assert desk.seen[-1].data == b"" and desk.seen[-1].new_labels and len(desk.seen[-1].file) == 32
    assert digest in audit.path.read_text() and "3145728" in audit.path.read_text()


def test_a_refused_upload_leaves_nothing(client, desk, folder, monkeypatch):
    small = Limits(model_file=100)
    answer = client("PUT", "/v1/models/up/file", content=b"x" * 101, headers=OCTETS, limits=small)
    assert "at most 100 bytes" in is_problem(answer, 413, "too-large") and left(folder) == []
    desk.reply = wire.Problem(422, "file", "t", "it is damaged")
    is_problem(client("PUT", "/v1/models/up/file", content=b"x", headers=OCTETS), 422, "file")
    assert left(folder) == []

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(uploads.Upload, "write", full)
    answer = client("PUT", "/v1/models/up/file", content=b"x", headers=OCTETS)
    assert "No space left" in is_problem(answer, 503, "unavailable") and left(folder) == []


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "", "a" * 32, "A" * 32, "secret"])
def test_no_other_file_is_read(tmp_path, name):
    with begun(tmp_path) as desk:
        uploads.swept(tmp_path)
        (tmp_path / "uploads" / "secret").write_bytes(b"")
        [said] = desk.handle([wire.Upload("up", file=name)])
        assert said.kind == "file" and "expected a file that was uploaded, got none" in said.detail


def test_a_desk_of_this_process_takes_both(tmp_path):
    with begun(tmp_path / "a") as desk:
        data = file_of(desk)
        folder = uploads.swept(tmp_path / "a")
        (tmp_path / "m.npz").write_bytes(data)
        name = uploads.copied(folder, str(tmp_path / "m.npz"))
        replies = desk.handle([wire.Upload("b", data), wire.Upload("c", file=name)])
        assert replies == [wire.Made("b", 0), wire.Made("c", 0)]
        assert file_of(desk, "b") == file_of(desk, "c") == data
        (folder / name).write_bytes(b"PK no more")
        [said] = desk.handle([wire.Upload("d", file=name)])
        assert said.kind == "file" and name not in said.detail


def test_an_upload_under_which_the_worker_ends_is_known_again():
    suspects = Suspects()
    for at in range(3):
        suspects.add([wire.Upload("m", file=f"{at}", digest="d")])
    assert suspects.is_guilty(wire.Upload("m", file="9", digest="d"))
    assert not suspects.is_guilty(wire.Upload("m", file="9", digest="e"))


def test_what_does_not_fit_into_the_buffer_of_the_worker_arrives(tmp_path):
    """A request of more bytes than the worker takes at a time."""

    async def main():
        async with Supervisor(tmp_path, QUICK) as service:
            (service.uploads / ("a" * 32)).touch()
            return await service.request(wire.Upload("m", bytes(65 << 20)))

    assert asyncio.run(main()).kind == "file"
    with Desk(tmp_path, QUICK):
        assert left(tmp_path) != []


def peak(pid):
    """The most memory that a process has taken, in bytes."""
    (line,) = [one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("VmHWM")]
    return int(line.split()[1]) << 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc is Linux's")
def test_the_memory_of_the_front_stays_flat(tmp_path):
    model = tmp_path / "weather.npz"
    ls.Model.train(ROWS, label="rain").save(model)

    def pieces():
        for _ in range(80):
            yield bytes(1 << 20)

    with served(tmp_path, f"weather={model}") as server:
        folder = tmp_path / "svc" / "uploads"
        assert left(tmp_path / "svc") == [] and folder.stat().st_mode & 0o777 == 0o700
        before = peak(server.process.pid)
        answer = httpx.put(f"{server.url}/v1/models/up/file", content=pieces(), headers=OCTETS, timeout=60)
        assert answer.status_code == 422 and "file is damaged" in answer.text
        assert peak(server.process.pid) - before < 20 << 20
        with Client(server.url) as client:
            client.upload("copy", model.read_bytes())
            assert client.download("copy") == client.download("weather")
            with pytest.raises(ServiceError, match="expected the name of a new model"):
                client.upload("copy", model.read_bytes())
        assert left(tmp_path / "svc") == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc is Linux's")
def test_what_a_front_that_was_killed_left_is_swept_away(tmp_path):
    going = threading.Event()

    def endless():
        yield bytes(2 << 20)
        going.set()
        while True:
            yield bytes(1 << 16)

    def send(url):
        with pytest.raises(httpx.TransportError):
            httpx.put(f"{url}/v1/models/up/file", content=endless(), headers=OCTETS, timeout=10)

    with served(tmp_path) as server:
        thread = threading.Thread(target=send, args=(server.url,))
        thread.start()
        assert going.wait(10)
        while not left(tmp_path / "svc"):
            pass
        workers = children_of(server.process.pid)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        thread.join()
        assert workers and left(tmp_path / "svc")
    with served(tmp_path):
        assert left(tmp_path / "svc") == []
