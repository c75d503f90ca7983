"""Files in games: what is asked of them before the first trial, and what their rows bring along."""

import io

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import UnknownSize
from littlestone.streams import CsvStream, JsonlStream, Part, SvmlightStream, VWStream

SVMLIGHT = b"+1 1:1 3:1\n-1 2:1\n+1 5:1\n"
VW = b"1 2.0 |a x y\n-1 |a z\n1 0.5 |a x z\n"
JSONL = b'{"label": 1, "features": ["x"]}\n{"label": 0, "features": ["y", "z"]}\n'
CSV = b"colour,size,class\nred,1,1\nblue,0,0\n"


class Pipe(io.BytesIO):
    """Bytes that come once."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation("seek")


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scans of svmlight and VW files that were made."""
    made: list[str] = []
    scan = SvmlightStream.scan
    for kind in (SvmlightStream, VWStream):
        monkeypatch.setattr(kind, "scan", lambda self: (made.append(self.name), scan(self))[1])
    return made


@pytest.mark.parametrize(("learner", "scanned"), [(ls.Perceptron(), 0), (ls.Winnow(theta=2), 0), (ls.Winnow(), 1)])
def test_a_file_is_scanned_only_for_a_learner_that_needs_n(
    learner: ls.Learner, scanned: int, scans: list[str], tmp_path: object
) -> None:
    path = f"{tmp_path}/a.svm"
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(SVMLIGHT)
    run = ls.play(learner, SvmlightStream(path))
    assert run.trials == 3
    assert len(scans) == scanned
    assert learner.n == (5 if scanned else None)


@pytest.mark.parametrize(
    ("stream", "data"), [(SvmlightStream, SVMLIGHT), (VWStream, VW), (JsonlStream, JSONL), (CsvStream, CSV)]
)
def test_a_pipe_cannot_say_n_and_a_learner_that_needs_it_says_so(stream: type[ls.Stream], data: bytes) -> None:
    with pytest.raises(UnknownSize, match="number of attributes is needed"):
        ls.play(ls.Winnow(), stream(Pipe(data)))  # type: ignore[call-arg]
    learner = ls.Winnow(theta=2)
    assert ls.play(learner, stream(Pipe(data))).trials == data.count(b"\n") - (stream is CsvStream)  # type: ignore[call-arg]
    assert learner.n is None


def test_names_that_come_later_do_not_move_theta() -> None:
    rows = b"".join(b"%d |a f%d g%d\n" % (i % 2, i, i % 7) for i in range(500))
    learner = ls.Winnow()
    ls.play(learner, VWStream(io.BytesIO(rows)))
    assert learner.n == 507
    assert learner.hypothesis().theta == 507


def test_weights_of_rows_are_example_weights() -> None:
    stream = VWStream(io.BytesIO(VW))
    [block] = stream.blocks()
    by_file, by_hand = ls.Perceptron(), ls.Perceptron()
    ls.play(by_file, stream)
    by_hand.learn(block, weight=[2.0, 1.0, 0.5])
    assert by_file.weights() == by_hand.weights()
    assert by_file.guarantee is None
    heavier = ls.Perceptron()
    heavier.learn(block, weight=np.full(3, 3.0))  # what is said beside the block counts
    assert heavier.weights() != by_hand.weights()


def test_the_rest_of_a_file_is_not_scanned_either(scans: list[str], tmp_path: object) -> None:
    path = f"{tmp_path}/a.svm"
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(SVMLIGHT)
    rest = Part(SvmlightStream(path), 1)
    assert ls.play(ls.Perceptron(), rest).trials == 2
    assert scans == []
    assert (rest.n_attributes, rest.labels, rest.names) == (5, (-1, 1), None)
