"""littlestone reproduce, stopped: by interrupts, full disks, damaged files and checks that fail."""

import errno
import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from littlestone.cli import main
from littlestone.core.errors import InvalidData, LittlestoneError
from littlestone.papers import Outcome, Paper, claim, register, reproduce
from littlestone.papers.comparisons import equal
from tests.papers.test_reproduce import CALLS, TOYS

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

PAGE = ("index.html", "index.md", "results.json")
HOW = {"on": lambda: None}  # what the toys below do, in this process


@claim("good", "A good one", "Section 3")
def toy_good(seed):
    """One is one."""
    del seed
    CALLS.append("good")
    return Outcome("1", [equal("one", 1, 1)])


@claim("wild", "A wild one", "Section 3")
def toy_wild(seed):
    """One is one, if it comes to that."""
    del seed
    CALLS.append("wild")
    HOW["on"]()
    return Outcome("1", [equal("one", 1, 1)])


def _cut(**_):
    return [{"at": 0}, {"at": 1}]


def _part(seed, at):
    del seed
    CALLS.append(at)
    return at


@claim("joined", "Joined", "Section 4", pieces=_cut, part=_part)
def toy_joined(done, seed):
    """The pieces are joined, if it comes to that."""
    del seed
    HOW["on"]()
    return Outcome("2", [equal("pieces", done, [0, 1])])


WILD = Paper("wild", "Wild ones", "Nowhere", [toy_wild, toy_good])
PAPERS = {"toys": TOYS, "wild": WILD, "joined": Paper("joined", "Joined ones", "Nowhere", [toy_good, toy_joined])}


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr(register, "load", PAPERS.__getitem__)
    monkeypatch.setattr("littlestone.papers.work.perf_counter", lambda: 0.0)  # times are all that may differ
    monkeypatch.setitem(HOW, "on", lambda: None)
    CALLS.clear()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs behind it without one
    yield
    signal.signal(signal.SIGINT, before)


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("at", [0, 1, 7, 20, 21])
def test_an_interrupted_run_goes_on_and_gives_the_same_bytes(tmp_path, at):
    def stop(now):
        if now.done == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce("toys", out=tmp_path / "cut", on_progress=stop)
    assert not [name for name in PAGE if (tmp_path / "cut" / name).exists()]
    assert len(CALLS) == at
    reproduce("toys", out=tmp_path / "cut")
    assert len(CALLS) == 21
    reproduce("toys", out=tmp_path / "whole")
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_times_are_added_up_over_the_runs(tmp_path, monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr("littlestone.papers.work.perf_counter", lambda: next(clock))  # a second a unit

    def stop(now):
        if now.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce("toys", out=tmp_path, on_progress=stop)
    assert [one.seconds for one in reproduce("toys", out=tmp_path)] == [20.0, 1.0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda old: old[: len(old) // 2], lambda old: b"", lambda old: b"\xff" * 9, lambda old: b"[1, 2]",
        lambda old: old.replace(b"0.0", b"0.5", 1), lambda old: json.dumps({"answer": [1, 2], "seconds": 0}).encode(),
        lambda old: b'{"sum": "x"}',
    ],
)  # fmt: skip
def test_what_is_damaged_is_computed_again(tmp_path, damage):
    reproduce("toys", out=tmp_path)
    before = files(tmp_path)
    path = sorted((tmp_path / "cache").glob("toys-_drawn*.json"))[3]
    assert damage(path.read_bytes()) != path.read_bytes()
    path.write_bytes(damage(path.read_bytes()))
    CALLS.clear()
    reproduce("toys", out=tmp_path)
    assert len(CALLS) == 1
    assert files(tmp_path) == before


def test_a_full_disk_leaves_the_whole_page_that_was_there(tmp_path, monkeypatch):
    reproduce("wild", out=tmp_path)
    page, room = {name: (tmp_path / name).read_bytes() for name in PAGE}, iter(())

    def sync(_):
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", sync)
    for files_that_fit in range(20):
        room = iter([1] * files_that_fit)
        try:
            reproduce("wild", out=tmp_path, seed=3 + files_that_fit)
        except InvalidData as error:
            assert "No space left" in str(error)  # noqa: PT017 - until it fits
        else:
            break
        assert {name: (tmp_path / name).read_bytes() for name in PAGE} == page
        assert not list(tmp_path.rglob(".*"))
    assert files_that_fit == 6  # a note, two units, and the page
    assert all((tmp_path / name).read_bytes() != page[name] for name in PAGE)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_page_is_written_waits_until_it_is(tmp_path, monkeypatch, number, step):
    arguments = ["reproduce", "wild", "--workers", "1", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    page = {name: (tmp_path / name).read_bytes() for name in PAGE}
    usual, calls = getattr(os, step), []

    def disturbed(*call):
        calls.append(call)
        if ".index.md." in str(call) or (step == "fsync" and len(calls) == 5):  # the second file of the page
            signal.raise_signal(number)
        return usual(*call)

    monkeypatch.setattr(os, step, disturbed)
    before = signal.getsignal(signal.SIGTERM)
    done = CliRunner().invoke(main, [*arguments, "--seed", "4"])
    assert done.exit_code == 128 + number
    assert "call again to continue" in done.stderr
    assert all((tmp_path / name).read_bytes() != page[name] for name in PAGE)
    assert not list(tmp_path.rglob(".*"))
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_computes_stops_at_once(tmp_path, monkeypatch, number):
    arguments = ["reproduce", "wild", "--workers", "1", "--out", str(tmp_path)]
    monkeypatch.setitem(HOW, "on", lambda: signal.raise_signal(number))
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 128 + number
    assert done.stderr == f"stopped; finished results are kept in {tmp_path}/cache: call again to continue\n"
    assert CALLS == ["wild"]
    assert not [name for name in PAGE if (tmp_path / name).exists()]
    monkeypatch.setitem(HOW, "on", lambda: None)
    assert CliRunner().invoke(main, arguments).exit_code == 0


def _nan():
    raise ZeroDivisionError("nothing to divide by")


@pytest.mark.parametrize(("paper", "result", "calls"), [("wild", "wild", 1), ("joined", "joined", 0)])
def test_a_check_that_fails_is_named_and_the_others_are_kept(tmp_path, monkeypatch, paper, result, calls):
    reproduce(paper, out=tmp_path)
    page = {name: (tmp_path / name).read_bytes() for name in PAGE}
    monkeypatch.setitem(HOW, "on", _nan)
    with pytest.raises(LittlestoneError, match=f"{paper} {result}: its check stopped with ZeroDivisionError: nothing"):
        reproduce(paper, out=tmp_path, seed=5)
    assert {name: (tmp_path / name).read_bytes() for name in PAGE} == page
    done = CliRunner().invoke(main, ["reproduce", paper, "--workers", "1", "--seed", "5", "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert f"Error: {paper} {result}: its check stopped" in done.stderr and "Traceback" not in done.stderr
    monkeypatch.setitem(HOW, "on", lambda: None)
    CALLS.clear()
    assert [str(one.verdict) for one in reproduce(paper, out=tmp_path, seed=5)] == ["confirmed exactly"] * 2
    assert len(CALLS) == calls  # the good ones are there


def test_the_whole_story_of_a_failure_is_in_its_notes(tmp_path, monkeypatch):
    monkeypatch.setitem(HOW, "on", _nan)
    with pytest.raises(LittlestoneError) as raised:
        reproduce("wild", out=tmp_path)
    assert "in toy_wild" in raised.value.__notes__[0]
    assert "test_reproduce_stops.py, line" in str(raised.value)


def test_an_outcome_that_json_cannot_hold_names_its_result(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.papers.outcome.Outcome.as_dict", lambda self: {"measured": np.nan})
    with pytest.raises(LittlestoneError, match="wild wild: its check stopped with ValueError"):
        reproduce("wild", out=tmp_path)


@pytest.mark.parametrize("way", ["file", "folder in a file", "page is a folder", "cache is a file"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path, way):
    out = tmp_path / "out" / "sub" if way == "folder in a file" else tmp_path / "out"
    if way == "page is a folder":
        (out / "index.html").mkdir(parents=True)
    elif way == "cache is a file":
        out.mkdir()
        (out / "cache").write_text("")
    else:
        (tmp_path / "out").write_text("")
    done = CliRunner().invoke(main, ["reproduce", "wild", "--out", str(out)])
    assert done.exit_code == 1
    assert "name another folder" in done.stderr
    assert not CALLS


def test_a_worker_that_is_killed_is_named(tmp_path, monkeypatch):
    from concurrent.futures.process import BrokenProcessPool

    def killed():
        raise BrokenProcessPool

    monkeypatch.setattr("joblib.Parallel.__call__", lambda *_: killed())
    with pytest.raises(LittlestoneError, match="a worker was ended from outside"):
        reproduce("wild", out=tmp_path)
