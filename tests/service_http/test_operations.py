"""What docs/service.md says about operations is done: the unit, the Dockerfile's steps, back-up and compaction."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
import venv
from contextlib import suppress
from pathlib import Path

import pytest

import littlestone as ls

ROOT = Path(ls.__file__).parents[2]
PAGE = ROOT / "docs" / "service.md"
NO_INDEX = ("No matching distribution", "ConnectionError", "NewConnectionError", "Temporary failure")

pytestmark = [
    pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not beside the package"),
    pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX"),
]


def blocks(kind, section):
    """The blocks of a kind in a section of the page."""
    text = PAGE.read_text(encoding="utf-8").split(f"### {section}\n")[1].split("\n### ")[0]
    return re.findall(rf"```{kind}\n(.*?)```", text, flags=re.DOTALL)


def test_the_unit(tmp_path):
    (unit,) = blocks("ini", "As a unit of systemd")
    pairs = [line.split("=", 1) for line in unit.splitlines() if line and not line.startswith("[")]
    about = dict(pairs)
    assert len(about) == len(pairs)
    assert about["KillMode"] == "mixed" and "MemoryDenyWriteExecute" not in about
    words = shlex.split(about["ExecStart"])
    assert words[:2] == ["/opt/littlestone/bin/littlestone", "serve"]
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed; the unit's names were looked at, not verified")
    path = tmp_path / "littlestone.service"
    path.write_text(unit.replace(words[0], sys.executable))  # it wants a program that is there
    said = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    ours = [line for line in (said.stdout + said.stderr).splitlines() if "littlestone.service" in line]
    assert ours == []


def instructions():
    """The Dockerfile's instructions, in order."""
    (file,) = blocks("dockerfile", "As a container")
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in file.splitlines()]


def test_the_dockerfile_is_what_it_should_be():
    found = dict(instructions())
    assert found["FROM"] == "python:3.12-slim" and found["USER"] == "learner" and found["VOLUME"] == "/data"
    assert [word for word, _ in instructions()].index("USER") > max(
        at for at, (word, _) in enumerate(instructions()) if word == "RUN"
    )
    compile(json.loads(found["HEALTHCHECK"].split("CMD ", 1)[1])[2], "HEALTHCHECK", "exec")
    assert json.loads(found["ENTRYPOINT"]) == ["littlestone"] and json.loads(found["CMD"])[0] == "serve"


def call(url, key, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    head = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url + path, data, head, method=method), timeout=60) as answer:
        return json.load(answer)


@pytest.mark.slow
def test_the_steps_of_the_dockerfile_in_an_empty_environment(tmp_path):
    """As in a container without a compiler: install, make a key, serve, be healthy, learn, back up, compact, stop."""
    found, data, port = dict(instructions()), tmp_path / "data", "18765"
    (install,) = [text for word, text in instructions() if word == "RUN" and text.startswith("pip ")]
    venv.create(tmp_path / "empty", with_pip=True)
    place = tmp_path / "empty" / "bin"
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "LITTLESTONE"))
    }
    settings = {**kept, "PATH": f"{place}:{os.environ['PATH']}", "LITTLESTONE_NATIVE": "none", "HOME": str(tmp_path)}
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "__pycache__", "_native*"))
    words = [str(place / "python"), "-m", *shlex.split(install)]
    assert words[-1] == "littlestone[serve]"
    words[-1] = f"{tree}[serve]"
    building = {**settings, "PIP_CONSTRAINT": str(tree / "constraints.txt")}
    done = subprocess.run(words, env=building, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode and any(word in done.stderr for word in NO_INDEX):
        pytest.skip(f"packages cannot be installed here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr

    def littlestone(*more):
        command = [str(place / "littlestone"), *more]
        return subprocess.run(command, env=settings, capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    key = littlestone("key", str(data), "add", "--role", "admin").strip().splitlines()[-1]
    start = [str(data) if word == "/data" else word for word in json.loads(found["CMD"])]
    health = [word.replace("8765", port) for word in json.loads(found["HEALTHCHECK"].split("CMD ", 1)[1])]
    command = [str(place / json.loads(found["ENTRYPOINT"])[0]), *start, "--port", port]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=settings, cwd=tmp_path, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 120
        while subprocess.run(
            [str(place / health[0]), *health[1:]], env=settings, capture_output=True, check=False
        ).returncode:
            assert process.poll() is None and time.monotonic() < end, (tmp_path / "log").read_text()
            time.sleep(0.2)
        url = f"http://127.0.0.1:{port}"
        about = {"learner": "arow", "labels": ["ham", "spam"], "attributes": 10}
        call(url, key, "PUT", "/v1/models/spam", about)
        many = {"rows": [{"win": 1}, {"lunch": 1}] * 50, "labels": ["spam", "ham"] * 50}
        assert call(url, key, "POST", "/v1/models/spam/learn", many)["count"] == 100
        first, second, _ = blocks("", "Back-up")[0].splitlines()
        littlestone(*[{"service": str(data)}.get(word, word) for word in shlex.split(first)[1:]])
        assert littlestone(*shlex.split(second)[1:]).endswith("sound\n")
        process.terminate()
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            process.kill()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
    (compact,) = blocks("", "How large the journal becomes")
    said = littlestone(*[{"service": str(data)}.get(word, word) for word in shlex.split(compact)[1:]])
    assert "events 1 to 100 was dropped" in said
    assert littlestone("journal", str(data), "verify").endswith("sound\n")
