"""What is written is whole or not there, and what was there stays what it was: a link, a pipe, a device, private."""

import io
import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.files import clear, drafted, replacing, special
from littlestone.models.files import save
from littlestone.streams import Pairs, convert
from tests.cli.test_train import call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and permissions of POSIX")

COMMAND = [sys.executable, "-m", "littlestone"]
ROWS = "1 1:1\n-1 2:1\n1 1:1 2:1\n"
JSONL = b'{"label": 1, "features": ["0"]}\n{"label": -1, "features": ["1"]}\n{"label": 1, "features": ["0", "1"]}\n'


@pytest.fixture
def svm(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text(ROWS)
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "rows.svm").write_text(ROWS)
    call("train", folder / "rows.svm", "-m", folder / "model.npz", "-q", "--passes", 9)
    return folder / "model.npz"


def page(svm, path):
    pytest.importorskip("matplotlib")
    call("compare", svm, "-l", "perceptron", "--page", path)


WRITERS = {
    "convert": lambda svm, model, path: call("convert", svm, path, "--to", "jsonl"),
    "predict": lambda svm, model, path: call("predict", model, svm, "-o", path),
    "compare": lambda svm, model, path: page(svm, path),
}
STARTS = {"convert": b'{"label": 1', "predict": b"1\n-1\n", "compare": b"<!DOCTYPE html>"}
every_writer = pytest.mark.parametrize("writer", WRITERS)


def null(path):
    """Make a null device of our own: the machine's is not to be tried out."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.write_bytes(b"")
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return path


def read_from(path):
    """Begin to read a pipe; return what waits for the end and tells what came."""
    found = []
    reader = Thread(target=lambda: found.append(path.read_bytes()), daemon=True)
    reader.start()

    def all_of_it():
        reader.join(20)
        return found[0]

    return all_of_it


@every_writer
def test_a_device_stays_a_device(writer, svm, model, tmp_path):
    device = null(tmp_path / "null")
    WRITERS[writer](svm, model, device)
    assert stat.S_ISCHR(device.stat().st_mode)


@every_writer
def test_a_pipe_is_written_to(writer, svm, model, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = read_from(pipe)
    WRITERS[writer](svm, model, pipe)
    assert said().startswith(STARTS[writer])
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@every_writer
def test_a_link_stays_a_link_and_a_private_file_private(writer, svm, model, tmp_path):
    (tmp_path / "there").mkdir()
    file, link, far = tmp_path / "there" / "file", tmp_path / "link", tmp_path / "far"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to("there/file")
    far.symlink_to(link)
    WRITERS[writer](svm, model, far)
    assert far.readlink() == link and link.readlink() == Path("there/file")
    assert file.read_bytes().startswith(STARTS[writer])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["file"]


def test_a_link_to_nothing_makes_what_it_points_to(tmp_path):
    (tmp_path / "link").symlink_to("file")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"
    (tmp_path / "one").symlink_to("other")
    (tmp_path / "other").symlink_to("one")
    with pytest.raises(OSError, match="symbolic links"), replacing(tmp_path / "one"):
        pass


def test_a_draft_is_nobody_elses_and_new_files_are_as_usual(tmp_path):
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        with replacing(path):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    with replacing(path):
        (part,) = tmp_path.glob(".file.*.part")
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_stays(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o640)


def stopped(file, error):
    file.write(b"half")
    raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_an_error_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error), replacing(path) as file:
        stopped(file, error)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("file", b"old")]


def test_what_is_finished_waits_beside_its_place(tmp_path):
    path = tmp_path / "file"
    with drafted(path) as draft:
        draft.file.write(b"new")
        draft.finish()
        assert not path.exists()
        draft.place()
        assert path.read_bytes() == b"new"
    with drafted(path) as draft:
        draft.file.write(b"newer")
        draft.finish()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("file", b"new")]


def test_what_the_dead_left_is_removed_and_what_the_living_write_is_not(tmp_path):
    path, other = tmp_path / "file", tmp_path / ".file.notes.part"
    left = [tmp_path / f".file.{token}.part" for token in ("0123456789abcdef", "fedcba9876543210")]
    for one in (*left, other):
        one.write_bytes(b"half")
    with drafted(path) as draft:
        assert not any(one.exists() for one in left)
        clear(path)
        with replacing(path) as file:  # another writer of the same file
            file.write(b"other")
        draft.file.write(b"mine")
        draft.finish()
        draft.place()
    assert path.read_bytes() == b"mine"
    assert sorted(one.name for one in tmp_path.iterdir()) == [".file.notes.part", "file"]


def test_a_save_removes_what_a_killed_one_left(tmp_path):
    path = tmp_path / "model.npz"
    code = (
        "import os, signal, sys, littlestone as ls\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "ls.save(ls.Winnow(), sys.argv[1])"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".part")
    save(ls.Winnow(), path)
    assert [one.name for one in tmp_path.iterdir()] == ["model.npz"]


def test_the_longest_name_that_there_may_be(tmp_path):
    path = tmp_path / ("n" * 255)
    with replacing(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"


def test_what_a_model_cannot_be_saved_to(svm, tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path, what in ((pipe, "a pipe"), (link, "a pipe"), (tmp_path, "a folder"), ("/dev/fd/1", "an open file")):
        assert special(path) == what
        with pytest.raises(InvalidParameter, match=f"expected the name of a file, got {what}"):
            save(ls.Winnow(), path)
    said = call("train", svm, "-m", pipe, code=1).stderr
    assert "it cannot be saved: expected the name of a file, got a pipe" in said and "average" not in said
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_where_nothing_can_be_written(svm, model, tmp_path):
    for path in (tmp_path, tmp_path / "nowhere" / "file", "/dev/fd/987"):
        with pytest.raises(InvalidData, match="it cannot be written"):
            convert(svm, path, to="vw")
    said = call("predict", model, svm, "-o", tmp_path / "nowhere" / "file", code=1).stderr
    assert "it cannot be written: No such file" in said
    said = call("compare", svm, "-l", "perceptron", "--page", tmp_path / "nowhere" / "page.html", code=1).stderr
    assert "page.html: it cannot be written: there is no such folder" in said


def test_standard_output_by_name(svm, tmp_path):
    """It is the one that is open, wherever it stands: what is there stays, and what follows comes after it."""
    out, link = tmp_path / "out", tmp_path / "stdout"
    link.symlink_to("/dev/fd/1")  # as /dev/stdout is one: but if this goes wrong, the machine's is still there
    script = f"echo before; {sys.executable} -m littlestone convert {svm} {link} --to jsonl; echo after"
    with out.open("ab") as file:
        file.write(b"first\n")
        file.flush()
        subprocess.run(["/bin/sh", "-c", script], stdout=file, stderr=subprocess.PIPE, check=True)
    assert out.read_bytes() == b"first\nbefore\n" + JSONL + b"after\n"
    assert link.is_symlink()


@pytest.mark.parametrize("link", [False, True])
def test_an_open_file_by_its_number(svm, tmp_path, link):
    with (tmp_path / "out").open("wb", buffering=0) as file:
        name = Path(f"/dev/fd/{file.fileno()}")
        if link:
            (tmp_path / "link").symlink_to(name)
            name = tmp_path / "link"
        file.write(b"before\n")
        convert(svm, name, to="jsonl")
        file.write(b"after\n")
    assert (tmp_path / "out").read_bytes() == b"before\n" + JSONL + b"after\n"


def test_what_is_read_may_be_replaced(svm, model, tmp_path):
    rows = tmp_path / "rows.jsonl"
    convert(svm, rows)
    before = rows.read_bytes()
    call("convert", rows, rows)
    assert rows.read_bytes() == before
    call("predict", model, svm, "-o", svm)
    assert svm.read_text() == "1\n-1\n1\n"


def test_what_is_read_is_never_written_to_while_it_is_read(svm, tmp_path):
    rows = tmp_path / "rows.jsonl"
    convert(svm, rows)
    before = rows.read_bytes()
    with rows.open("ab") as file:
        for source in (rows, Pairs(ls.open(rows))):
            with pytest.raises(InvalidParameter, match="expected another file than the input"):
                convert(source, f"/dev/fd/{file.fileno()}", to="jsonl")
        with rows.open("rb") as given:
            command = [*COMMAND, "convert", "-", "--to", "jsonl"]
            done = subprocess.run(command, stdin=given, stdout=file, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"stdout: expected another file than the input" in done.stderr
    assert rows.read_bytes() == before


def test_a_full_disk_is_told_with_the_file(svm, tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidData, match=r"out\.vw: it cannot be written: No space left"):
        convert(svm, tmp_path / "out.vw")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.svm"]


def test_a_binary_file_is_handed_through(svm):
    file = io.BytesIO()
    assert convert(svm, file, to="jsonl") == 3
    assert file.getvalue() == JSONL
