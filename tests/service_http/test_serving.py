"""The command itself: a server in a process of its own, with its worker, on a port of this machine."""

import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

import littlestone as ls
from littlestone.service.client import Client, ServiceError
from littlestone.service.client.calls import Retries
from littlestone.service.http.keys import Keys
from littlestone.service.replaying import replayed
from littlestone.service.verifying import verify

from .test_malformed import request

PATIENT = Retries(times=100, first=0.05, most=0.5)
ROWS = [{"sky": "grey", "wind": 3, "rain": "yes"}, {"sky": "blue", "wind": 1, "rain": "no"}] * 20

CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "negative_data_rejection", "unsupported_method",
)  # fmt: skip

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "weather.npz"
    ls.Model.train(ROWS, label="rain").save(path)
    return path


class Server:
    """A server that runs."""

    def __init__(self, process, log):
        self.process, self.log = process, log
        self.line = process.stdout.readline().decode()
        while self.line.startswith("note:"):
            self.notes, self.line = self.line, process.stdout.readline().decode()
        found = re.match(r"(https?://\S+:\d+): ", self.line)
        assert found, self.line + log.read_text()[-2000:]
        self.url = found[1]

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(30)


@contextmanager
def served(folder, *words):
    command = [sys.executable, "-m", "littlestone", "serve", *map(str, words), "--data", str(folder / "svc"), "--port"]
    log = folder / "log.jsonl"
    with log.open("ab") as out:
        process = subprocess.Popen([*command, "0"], stdout=subprocess.PIPE, stderr=out)
    try:
        yield Server(process, log)
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
        process.kill()
        process.wait()
        process.stdout.close()


def key_of(folder, role):
    said = subprocess.run(
        [sys.executable, "-m", "littlestone", "key", str(folder / "svc"), "add", "--role", role],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return said.stdout.strip()


def wait_for(server, text, seconds=10):
    """Wait until the log says something."""
    end = time.monotonic() + seconds
    while text not in server.log.read_text():
        assert time.monotonic() < end, server.log.read_text()[-2000:]
        time.sleep(0.02)


def test_serve_learn_stop_and_serve_again(tmp_path, model):
    with served(tmp_path, model) as server:
        assert "serving weather from" in server.line and server.line.endswith("without keys: this machine only\n")
        with Client(server.url, retries=PATIENT) as client:
            first = client.learn("weather", {"sky": "grey", "wind": 2}, "yes", once="a")
            assert client.learn("weather", {"sky": "grey", "wind": 2}, "yes", once="a") == first
            assert client.ask("weather", {"sky": "blue", "wind": 2}, "tue")["number"] == 2
            copy = client.download("weather")
            before = client.predict("weather", {"sky": "blue", "wind": 3})
        assert server.stop() == 0
    (tmp_path / "copy.npz").write_bytes(copy)
    assert ls.load(tmp_path / "copy.npz").trials == 41
    with served(tmp_path, model) as server:
        assert "goes on from" in server.notes
        with Client(server.url, retries=PATIENT) as client:
            assert client.predict("weather", {"sky": "blue", "wind": 3}) == before
            assert client.label("weather", "tue", "no")["number"] == 3
            assert client.describe("weather")["model"]["trials"] == 42
            client.create("fresh", "winnow", labels=["a", "b"], attributes=10)
            assert client.learn("fresh", {"x": 1}, "b")["number"] == 1
            perhaps = {"row": {"sky": "grey", "wind": 1}, "label": "perhaps"}
            problem = httpx.post(f"{server.url}/v1/models/weather/learn", json=perhaps)
            assert problem.status_code == 422 and "perhaps" in problem.json()["detail"]
        assert server.stop(signal.SIGINT) == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert {"request", "stop", "audit"} <= {line["event"] for line in lines}
    audit = (tmp_path / "svc" / "audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["act"] for line in audit] == ["download", "create"]


def test_a_challenger_learns_beside_the_champion_and_takes_over(tmp_path):
    coin = random.Random(7)
    rows = [{f"a{at}": 1 for at in range(40) if coin.random() < 0.3} for _ in range(400)]
    labels = ["yes" if sum(name in row for name in ("a1", "a2", "a3")) != 1 else "no" for row in rows]
    with served(tmp_path) as server, Client(server.url, retries=PATIENT) as client:
        client.create("champion", "perceptron", labels=["no", "yes"])
        client.create("challenger", "arow", labels=["no", "yes"])
        client.create("alone", "arow", labels=["no", "yes"])
        for at in range(0, 400, 20):
            some = slice(at, at + 20)
            said = client.learn_many("champion", rows[some], labels[some], shadow="challenger", once=f"{at}")
            alone = client.learn_many("alone", rows[some], labels[some])
            assert said["shadow"]["numbers"] == said["numbers"]
            assert said["shadow"]["predictions"] == alone["predictions"]
        assert client.learn_many("champion", rows[some], labels[some], shadow="challenger", once=f"{at}") == said
        errors = {one["name"]: one["window_error"] for one in client.models()["models"]}
        assert errors["challenger"] == errors["alone"] != errors["champion"]
        better = client.download("challenger")
        client.switch("champion", "challenger")
        assert client.download("champion") == better
        assert client.learn_many("champion", rows[some], labels[some], shadow="challenger", once=f"{at}") == said
        assert client.describe("champion")["model"]["number"] == 400
        assert server.stop() == 0
    found = verify(tmp_path / "svc", replay=True)
    assert found.is_sound and found.models["champion"] == "replayed to event 400: the same bytes"
    replayed(tmp_path / "svc", 2, 400).write(tmp_path / "replayed.npz")
    assert (tmp_path / "replayed.npz").read_bytes() == better


def test_keys_are_read_anew(tmp_path, model):
    said = key_of(tmp_path, "predict")
    with served(tmp_path, model) as server:
        assert server.line.endswith("; 1 key\n")
        new = key_of(tmp_path, "learn")
        row = {"sky": "grey", "wind": 2}
        with Client(server.url, new, retries=Retries(times=0)) as client:
            server.process.send_signal(signal.SIGHUP)
            wait_for(server, '"event":"keys"')
            assert client.learn("weather", row, "yes")["number"] == 1
        with Client(server.url, said) as client, pytest.raises(ServiceError, match="403"):
            client.learn("weather", row, "yes")


def test_the_first_key_ends_it_and_the_last_one_does_not_begin_it(tmp_path, model):
    with served(tmp_path, model) as server:
        assert httpx.get(f"{server.url}/v1/models").status_code == 200
        key = key_of(tmp_path, "admin")
        wait_for(server, '"event":"keys"')  # without any signal
        assert httpx.get(f"{server.url}/v1/models").status_code == 401
        mine = {"authorization": f"Bearer {key}"}
        assert httpx.get(f"{server.url}/v1/models", headers=mine).status_code == 200
        Keys(tmp_path / "svc").revoke(key.split("_")[1])
        wait_for(server, '"count":0')
        assert httpx.get(f"{server.url}/v1/models", headers=mine).status_code == 401
    with served(tmp_path, model) as server:
        assert "0 keys: nobody is let in" in server.line
        assert httpx.get(f"{server.url}/v1/models").status_code == 401


def test_whatever_it_writes_is_its_owners(tmp_path, model):
    with served(tmp_path, model) as server:
        with Client(server.url) as client:
            client.learn("weather", {"sky": "grey", "wind": 2}, "yes")
        assert server.stop() == 0
        assert '"event":"folder"' not in server.log.read_text()
    folder = tmp_path / "svc"
    open_to_others = [path for path in [folder, *folder.rglob("*")] if path.stat().st_mode & 0o077]
    assert open_to_others == [] and any(folder.rglob("*.db"))
    folder.chmod(0o755)
    with served(tmp_path, model) as server:
        assert "is open to others (mode 755)" in server.log.read_text()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_tls(tmp_path, model):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
        capture_output=True, check=True,
    )  # fmt: skip
    with served(tmp_path, model, "--tls-cert", cert, "--tls-key", key) as server:
        assert server.url.startswith("https://127.0.0.1:")
        with Client(server.url, verify=ssl.create_default_context(cafile=str(cert))) as client:
            assert client.models()["models"][0]["name"] == "weather"
        with Client(server.url, retries=Retries(times=0)) as client, pytest.raises(ServiceError, match="CERTIFICATE"):
            client.models()


@pytest.mark.parametrize(("words", "says"), [
    (["--host", "0.0.0.0"], "make a key: littlestone key"),
    (["nowhere.npz"], "nowhere.npz"),
    (["--tls-cert", __file__], "--tls-cert and --tls-key"),
])  # fmt: skip
def test_what_is_refused_at_the_start(tmp_path, words, says):
    from click.testing import CliRunner

    from littlestone.cli import main

    found = CliRunner().invoke(main, ["serve", "--data", str(tmp_path / "svc"), *words])
    assert found.exit_code in (1, 2) and says in found.output
    assert not (tmp_path / "svc").exists()


def test_a_damaged_model_is_refused(tmp_path, model):
    bad = tmp_path / "bad.npz"
    bad.write_bytes(model.read_bytes()[:-100])
    command = [sys.executable, "-m", "littlestone", "serve", str(bad), "--data", str(tmp_path / "one"), "--port", "0"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 1 and "Error: " in found.stderr and "Traceback" not in found.stderr


def test_nothing_is_lost_when_all_is_killed(tmp_path, model):
    """Front and worker are killed while four clients learn; each example that was acknowledged is there once."""
    acknowledged = {}

    def learn(number, url, rounds):
        with Client(url, retries=Retries(times=0)) as client, suppress(ServiceError):
            for at in range(rounds):
                once = f"{number}-{at}"
                acknowledged[once] = client.learn("weather", {"sky": "grey", "wind": at % 5}, "yes", once=once)[
                    "number"
                ]

    with served(tmp_path, model) as server:
        threads = [threading.Thread(target=learn, args=(number, server.url, 10_000)) for number in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.4)
        server.process.kill()
        for thread in threads:
            thread.join()
    assert len(acknowledged) > 20
    with served(tmp_path, model) as server, Client(server.url) as client:
        for once, number in list(acknowledged.items())[-50:]:
            row = {"sky": "grey", "wind": int(once.partition("-")[2]) % 5}
            assert client.learn("weather", row, "yes", once=once)["number"] == number
        about = client.describe("weather")["model"]
        assert about["number"] >= len(acknowledged) and len(set(acknowledged.values())) == len(acknowledged)


def children_of(pid):
    """The processes that a process has begun, as Linux says."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc is Linux's")
@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_the_worker_is_killed_and_nobody_notices(tmp_path, model, kills):
    """Clients send again under the same keys: each example is learned once, whatever happens to the worker."""
    stop, numbers, failures = threading.Event(), [], []

    def learn(number, url):
        with Client(url, retries=PATIENT) as client:
            try:
                for at in range(1_000_000):
                    row = {"sky": "grey", "wind": at % 5}
                    numbers.append(client.learn("weather", row, "yes", once=f"{number}-{at}")["number"])
                    if stop.is_set():
                        return
            except ServiceError as error:
                failures.append(error)

    with served(tmp_path, model, "--log", "error") as server:
        threads = [threading.Thread(target=learn, args=(number, server.url)) for number in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(kills):
            time.sleep(random.uniform(0.3, 0.6))
            for one in children_of(server.process.pid):
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            before, end = len(numbers), time.monotonic() + 30
            while len(numbers) < before + 20 and time.monotonic() < end:  # who dies again and again is begun later
                time.sleep(0.02)
        stop.set()
        for thread in threads:
            thread.join()
        with Client(server.url, retries=PATIENT) as client:
            about = client.describe("weather")["model"]
            restarts = httpx.get(f"{server.url}/metrics").text.partition("\nlittlestone_worker_restarts_total ")[2]
    assert failures == []
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if '"event":"worker"' in line]
    assert len(lines) >= kills and int(restarts.split()[0]) >= kills
    assert {(one["level"], one["detail"]) for one in lines} >= {
        ("error", "the worker ended, and is started anew (exit code -9)")
    }
    assert sorted(numbers) == list(range(1, about["number"] + 1))


@pytest.mark.parametrize("count", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_malformed_requests_to_a_real_worker(tmp_path, model, count):
    coin = random.Random(count)
    with served(tmp_path, f"mail={model}", f"news={model}") as server:
        with httpx.Client(base_url=server.url) as session:
            for _ in range(count):
                method, path, headers, content = request(coin)
                if "/news" in path or method == "DELETE" or path.endswith("switch"):
                    continue
                try:
                    answer = session.request(method, path, headers=headers, content=content)
                except httpx.LocalProtocolError:
                    continue
                assert answer.status_code < 500, (method, path, headers, content, answer.text)
            assert session.get("/v1/health/ready").json() == {"status": "ready"}
        assert server.stop() == 0


@pytest.mark.slow
def test_schemathesis_finds_nothing(tmp_path, model):
    pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install schemathesis")
    with served(tmp_path, model) as server:
        program = str(Path(sys.executable).with_name("schemathesis"))
        command = [
            program,
            "run",
            f"{server.url}/v1/openapi.json",
            "--max-examples",
            "30",
            "--checks",
            ",".join(CHECKS),
        ]
        found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert found.returncode == 0, found.stdout[-8000:]
