"""littlestone follow: answers in time, late labels, growing and rotated files, stops and kills at any moment."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

import littlestone as ls
from tests.cli.test_live_pipes import LINES, PATIENCE, WRITTEN, Process, examples, models, written  # noqa: F401
from tests.cli.test_train import call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")

COMMAND = [sys.executable, "-m", "littlestone", "follow"]


def copied(model, path):
    path.write_bytes(model.read_bytes())
    return path


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("kind", WRITTEN)
def test_each_line_has_its_answer_before_the_next(kind, packed, models, tmp_path):  # noqa: F811
    head, lines = written(kind, examples(LINES if not packed else 20, seed=1))
    model, other = copied(models[kind], tmp_path / "model.npz"), copied(models[kind], tmp_path / "other.npz")
    process = Process("follow", model, "-", packed=packed)
    process.send(head)
    said = []
    for line in lines:
        process.send(line)
        said.append(json.loads(process.line()))
    assert process.end() == ("", 0)
    events = list(ls.follow(other, [head.rstrip("\n"), *lines] if head else lines))
    assert said == [event.as_dict() for event in events if isinstance(event, ls.following.Answer)]
    assert [answer["id"] for answer in said] == [*range(1 + bool(head), len(lines) + 1 + bool(head))]
    assert ls.load(model).trials == 300 + len(lines)
    if not head:  # else an item of a header is none of its lines
        learned = ls.load(model), ls.load(other)
        assert np.array_equal(*(one.learner.activation(some(lines, one)) for one in learned))


def some(lines, model):
    """Rows of a few lines, as a model's learner sees them."""
    import io

    text = io.BytesIO("".join(lines[:20]).encode())
    form = model.reading["format"]
    stream = ls.open(text, form, **{key: value for key, value in model.reading.items() if key != "format"})
    return model.rows(next(stream.blocks()))


def test_a_label_comes_later(models, tmp_path):  # noqa: F811
    model = copied(models["csv"], tmp_path / "model.npz")
    process = Process("follow", model, "--id", "name", "-P", "0")
    process.send("name,size,colour\nanna,3,red\n")
    assert json.loads(process.line())["id"] == "anna"
    process.send('bob,1,blue\n{"name": "anna", "label": "yes"}\n{"id": "bob", "label": "no"}\n')
    assert json.loads(process.line())["id"] == "bob"
    assert process.end() == ("", 0)
    assert ls.load(model).trials == 302
    rest = ls.load(model).following
    assert rest.about["place"]["head"] == ["name", "size", "colour"]
    assert rest.about["score"]["labels"] == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_saves_and_ends(number, models, tmp_path):  # noqa: F811
    model = copied(models["vw"], tmp_path / "model.npz")
    process = Process("follow", model)
    process.send("1 'a| w1 w2\n| w3\n")
    said = [json.loads(process.line()) for _ in range(2)]
    assert [answer["id"] for answer in said] == ["a", 2]
    process.process.send_signal(number)
    assert process.process.wait(PATIENCE) == 128 + number
    assert b"interrupted: 2 answered" in process.process.stderr.read()
    process.process.stderr.close()
    assert process.end() == ("", 128 + number)
    assert ls.load(model).trials == 301
    assert ls.load(model).following.about["place"]["lines"] == 2


def test_whoever_reads_the_answers_may_leave(models, tmp_path):  # noqa: F811
    """What nobody has read is not learned for good: it would not be said again."""
    model = copied(models["vw"], tmp_path / "model.npz")
    before = model.read_bytes()
    process = Process("follow", model)
    process.send("1 'a| w1 w2\n")
    process.line()
    process.process.stdout.close()
    with suppress(BrokenPipeError):
        for _ in range(100):
            process.send("1 'a| w1 w2\n")
    assert process.process.wait(PATIENCE) == 0
    assert process.process.stderr.read() == b""
    process.process.stderr.close()
    with suppress(BrokenPipeError):
        process.process.stdin.close()
    assert model.read_bytes() == before


def test_a_file_that_cannot_be_written_is_said_and_tried_again(models, tmp_path):  # noqa: F811
    """The system refuses to write large files, for a while."""
    model = copied(models["vw"], tmp_path / "model.npz")
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*COMMAND, str(model), "-", "--every", "1"], bufsize=0, **pipes) as process:
        process.stdin.write(b"1 'a| w1 w2\n")
        process.stdout.readline()
        before = saved(model, 301)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))
        process.stdin.write(b"1 'c| w1 w2\n")
        process.stdout.readline()
        said = process.stderr.readline().decode()
        assert said.endswith(": File too large; what was learned is kept, and saving is tried again\n")
        assert model.read_bytes() == before
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        process.stdin.write(b"1 'b| w1 w2\n")
        process.stdout.readline()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert ls.load(model).trials == 303


def saved(model, trials):
    """Return the bytes of a model once it has so many trials."""
    end = time.monotonic() + PATIENCE
    while ls.load(model).trials < trials and time.monotonic() < end:
        time.sleep(0.01)
    return model.read_bytes()


class Writer(threading.Thread):
    """Writes lines into a file, some bytes at a time, and may rotate it, once it is ``known``."""

    def __init__(self, path, lines, rng, rotations, known):
        super().__init__()
        self.known = known
        self.path, self.data, self.rng = path, "".join(lines).encode(), rng
        marks = [at for at in range(len(self.data)) if self.data[at : at + 1] == b"\n"]
        self.cuts = sorted(rng.sample(marks[:-1], rotations))

    def run(self):
        at, number = 0, 0
        while at < len(self.data):
            count = self.rng.choice((1, 30, 300, 2000))
            if self.cuts and at + count > self.cuts[0]:
                count = self.cuts.pop(0) + 1 - at
                turn = True
            else:
                turn = False
            with self.path.open("ab") as file:
                file.write(self.data[at : at + count])
            at += count
            if turn:
                end = time.monotonic() + 60.0
                while not self.known() and time.monotonic() < end:  # who never read it cannot look for it
                    time.sleep(0.01)
                number += 1
                self.path.rename(self.path.with_name(f"{self.path.name}.{number}"))
                self.path.touch()
            time.sleep(self.rng.choice((0.0, 0.001, 0.02)))


def killed(path, model, answers, writer, kills, rng):
    """Follow a file that grows, killed again and again, and at last to its end."""
    command = [*COMMAND, str(model), str(path), "--every", "40", "-q"]
    with answers.open("ab") as out:
        for _ in range(kills):
            size = out.tell()
            process = subprocess.Popen(command, stdout=out)
            end = time.monotonic() + 20.0
            if rng.random() < 0.8:  # soon after it has said something
                while answers.stat().st_size == size and time.monotonic() < end and writer.is_alive():
                    time.sleep(0.001)
                time.sleep(rng.choice((0.0, 0.002, 0.02, 0.2)))
            else:  # while it starts
                time.sleep(rng.uniform(0.0, 0.5))
            process.kill()
            process.wait()
            ls.load(model)
        writer.join()
        subprocess.run([*command, "--end"], stdout=out, check=True)


@pytest.mark.parametrize("rotations", [0, 5])
@pytest.mark.parametrize("kills", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_goes_on(kills, rotations, models, tmp_path):  # noqa: F811
    rng = random.Random(kills + rotations)
    _, lines = written("vw", examples(100 * kills, seed=3))
    lines = [line if rng.random() < 0.5 else line[line.index("|") :] for line in lines]  # some labels come later
    for at in reversed(range(len(lines))):
        if lines[at].startswith("|"):
            lines.insert(
                min(len(lines), at + rng.randint(1, 30)), f'{{"id": "t{at}", "label": {rng.choice((1, -1))}}}\n'
            )
    path, model, whole = tmp_path / "log.vw", *(copied(models["vw"], tmp_path / f"{n}.npz") for n in ("model", "whole"))
    numbered = iter(range(10**9))
    lines = [line if line.startswith("{") else line.replace("|", f"'t{next(numbered)}|", 1) for line in lines]
    (tmp_path / "whole.vw").write_text("".join(lines))
    done = subprocess.run(
        [*COMMAND, str(whole), str(tmp_path / "whole.vw"), "--end", "-q"], stdout=subprocess.PIPE, check=True
    )
    before, answers = model.read_bytes(), tmp_path / "answers.jsonl"
    writer = Writer(path, lines, rng, rotations, lambda: model.read_bytes() != before)
    path.touch()
    writer.start()
    killed(path, model, answers, writer, kills, rng)
    said = [line for line in answers.read_text().splitlines() if line.endswith("}")]  # a kill may cut one
    assert set(done.stdout.decode().splitlines()) <= set(said)
    found, expected = np.load(model), np.load(whole)
    if rotations:  # where they are differs: in the last file, and in one of all
        assert {name for name in expected if not np.array_equal(found[name], expected[name])} <= {"header"}
    else:
        assert model.read_bytes() == whole.read_bytes()


def test_a_pipe_is_replayed(models, tmp_path):  # noqa: F811
    _, lines = written("vw", examples(60, seed=4))
    model, other = (copied(models["vw"], tmp_path / f"{name}.npz") for name in ("model", "other"))
    feed = lambda path, some, *words: subprocess.run(  # noqa: E731
        [*COMMAND, str(path), "-q", *words], input="".join(some).encode(), capture_output=True, check=False
    )
    whole = feed(other, lines).stdout
    first, rest = feed(model, lines[:25]), feed(model, lines, "--replay")
    assert first.stdout + rest.stdout == whole
    assert model.read_bytes() == other.read_bytes()
    wrong = feed(model, lines[1:], "--replay")
    assert wrong.returncode == 1
    assert b"expected" in wrong.stderr
    go_on = feed(model, lines[:1])  # a pipe that goes on
    assert json.loads(go_on.stdout)["id"] == 61


def test_wrong_calls(models, tmp_path):  # noqa: F811
    model = copied(models["vw"], tmp_path / "model.npz")
    there = call("follow", tmp_path / "none.npz", "-", code=2)
    assert "train one first (littlestone train FILE" in there.stderr
    assert "expected a file" in call("follow", model, tmp_path / "none.vw", "--end", code=1).stderr
    assert "it cannot be saved" in call("follow", tmp_path / "no" / "m.npz", "-", "-l", "arow", code=1).stderr
    table = call("follow", tmp_path / "new.npz", "-", "--format", "csv", "-l", "arow", code=2).stderr
    assert "littlestone train" in table


def fed(model, lines, *words, code=0):
    """What follow says of lines that come through a pipe: on stdout, parsed, and on stderr."""
    done = subprocess.run(
        [*COMMAND, str(model), *map(str, words)], input="".join(lines).encode(), capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def shifting(count, at):
    """Lines whose labels change their meaning."""
    _, lines = written("vw", examples(count, seed=5))
    labels = ["-1" if ("w3 " in line) != (i < at) else "1" for i, line in enumerate(lines)]
    return [f"{label}{line[line.index(' |') :]}" for label, line in zip(labels, lines, strict=True)]


def test_changes_are_said_and_met(tmp_path):
    """Each call goes on with its policy; a model that is there takes one, too."""
    lines = shifting(4000, 2000)
    errors = {}
    for policy in ("warn", "restart", "forget"):
        model = tmp_path / f"{policy}.npz"
        words = ("--format", "vw", "-l", "naive-bayes", "-n", 20, "--on-change", policy)
        _, first = fed(model, lines[:1000], *words)
        assert "change: " not in first
        _, said = fed(model, lines[1000:], *words)
        [change] = [line for line in said.splitlines() if line.startswith("change: ")]
        assert "mistakes have become more frequent" in change
        assert "4,000 answered" in said
        errors[policy] = ls.load(model).mistakes
    assert errors["restart"] < 0.5 * errors["warn"]
    kinds = [type(ls.load(tmp_path / f"{policy}.npz").learner).__name__ for policy in errors]
    assert kinds == ["NaiveBayes", "Restarting", "Forgetting"]
    fed(tmp_path / "warn.npz", lines[:10], "--on-change", "restart")
    assert ls.load(tmp_path / "warn.npz").learner.champion.trials == 4010
    _, said = fed(tmp_path / "warn.npz", lines[:10], "--on-change", "forget", code=2)
    assert "expected 'restart', as the model was begun, got 'forget'" in said


def test_names_without_end_are_kept_within_bounds(tmp_path):
    model = tmp_path / "model.npz"
    lines = [f"{1 if i % 3 else -1} | k{i % 3} new{i} other{i}\n" for i in range(3000)]
    words = ("--format", "vw", "-l", "winner-takes-all", "--max-attributes", 100)
    _, said = fed(model, lines[:2000], *words)
    assert "attributes, 3," in said
    _, said = fed(model, lines[2000:], *words)
    learner = ls.load(model).learner
    assert 50 <= learner.held <= 100
    assert f"{learner.held} attributes, {learner.dropped:,} evicted" in said
    assert learner.dropped + learner.held == 6003
    assert "was begun to keep at most 100 attributes" in fed(model, lines[:1], "--max-attributes", 200, code=2)[1]
    assert "has the learner WinnerTakesAll(" in fed(model, lines[:1], "-l", "arow", code=2)[1]


def test_whoever_reads_no_more_ends_it_although_nothing_comes(models, tmp_path):  # noqa: F811
    """As `| head -1` does, of a file that does not grow."""
    model, log = copied(models["vw"], tmp_path / "model.npz"), tmp_path / "log.vw"
    log.write_text("1 'a| w1 w2\n")
    with subprocess.Popen([*COMMAND, str(model), str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert json.loads(process.stdout.readline())["id"] == "a"
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


def test_a_file_that_is_still_to_come(models, tmp_path):  # noqa: F811
    model, log = copied(models["vw"], tmp_path / "model.npz"), tmp_path / "log.vw"
    with subprocess.Popen([*COMMAND, str(model), str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline().decode().endswith("log.vw: it is not there yet; waiting for it\n")
        log.write_text("1 'a| w1 w2\n")
        assert json.loads(process.stdout.readline())["id"] == "a"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 143
    assert ls.load(model).trials == 301


def test_nothing_came_and_nothing_is_saved(tmp_path):
    said = subprocess.run(
        [*COMMAND, str(tmp_path / "new.npz"), "-", "--format", "vw"], input=b"", capture_output=True, check=True
    )
    assert said.stderr == b"0 answered; 0 learned; nothing to save\n"
    assert not (tmp_path / "new.npz").exists()


def test_options_that_a_model_knows_better(models, tmp_path):  # noqa: F811
    model = copied(models["vw"], tmp_path / "model.npz")
    assert "--labels: " in call("follow", model, "--labels", "a,b", code=2, input="").stderr
    assert "hash_bits: expected what the model reads with" in call("follow", model, "--hash-bits", "4", code=2).stderr
    assert "No such option" in call("follow", model, "--on-error", "raise", code=2).stderr
