"""Labels that are numbers, in every format: read alike, refused with their line, and recognised by a rule."""

import io
import json

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.streams.formats.outcomes import are_numbers, of_cells

Y = [99.5, 140.0, -2.25e3, 0.1, 140.0]
ROOMS = [1.0, 2.0, 0.0, 4.5, 3.0]

FILES = {
    "csv": "rooms,price\n" + "".join(f"{x},{y}\n" for x, y in zip(ROOMS, Y, strict=True)),
    "tsv": "rooms\tprice\n" + "".join(f"{x}\t{y}\n" for x, y in zip(ROOMS, Y, strict=True)),
    "svmlight": "".join(f"{y} 1:{x}\n" for x, y in zip(ROOMS, Y, strict=True)),
    "vw": "".join(f"{y} |f rooms:{x}\n" for x, y in zip(ROOMS, Y, strict=True)),
    "jsonl": "".join(json.dumps({"label": y, "features": {"rooms": x}}) + "\n" for x, y in zip(ROOMS, Y, strict=True)),
}
# a file whose second row has this outcome
ODD = {
    "csv": "rooms,price\n1,2.5\n2,{}\n3,3.5\n",
    "svmlight": "2.5 1:1\n{} 1:2\n3.5 1:3\n",
    "vw": "2.5 | a\n{} | b\n3.5 | c\n",
    "jsonl": '{{"label": 2.5, "features": ["a"]}}\n{{"label": "{}", "features": ["b"]}}\n'
    '{{"label": 3.5, "features": ["c"]}}\n',
}


def opened(text, kind, **options):
    return ls.open(io.BytesIO(text.encode()), kind, **options)


def outcomes(stream, rows=8192):
    blocks = [*stream.blocks(rows)]
    assert all(block.is_numbered and block.outcomes.dtype == np.float64 for block in blocks)
    return np.concatenate([block.outcomes for block in blocks]).tolist()


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("task", ["regression", "auto"])
@pytest.mark.parametrize("rows", [1, 2, 8192])
def test_outcomes_are_numbers_in_every_format(kind, task, rows):
    stream = opened(FILES[kind], kind, task=task)
    assert outcomes(stream, rows) == Y
    assert stream.task == "regression"
    assert stream.labels == ()
    assert stream.n_attributes == 1
    assert stream.read_as()["task"] == "regression"
    assert outcomes(stream) == Y  # again
    again = stream.read_as()
    assert outcomes(opened(FILES[kind], again.pop("format"), **again)) == Y


@pytest.mark.parametrize("kind", FILES)
def test_without_a_task_they_are_labels(kind):
    stream = opened(FILES[kind], kind)
    assert stream.task == "classification"
    assert len(stream.labels) == 4
    assert "task" not in stream.read_as()


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("odd", ["cheap", "nan", "inf", "1e200", "-inf"])
def test_an_outcome_that_is_none_is_refused_with_its_line_or_skipped(kind, odd):
    text = ODD[kind].format(odd)
    line = 3 if kind == "csv" else 2
    with pytest.raises((InvalidLabel, InvalidData), match=rf":{line}: .*expected.*got.*{odd}.*; .+"):
        outcomes(opened(text, kind, task="regression"))
    stream = opened(text, kind, task="regression", on_error="skip")
    assert outcomes(stream) == [2.5, 3.5]
    assert stream.skipped == 1
    assert f":{line}: " in stream.complaints[0]


@pytest.mark.parametrize("kind", ["svmlight", "vw"])
def test_lines_without_an_outcome_have_none(kind):
    text = {"svmlight": "2.5 1:1\n1:2\n", "vw": "2.5 | a\n| b\n"}[kind]
    with pytest.raises(InvalidData, match=":2: expected a label before"):
        outcomes(opened(text, kind, task="regression"))
    [block] = opened(text, kind, task="regression", unlabelled=True).blocks()
    assert block.outcomes[0] == 2.5
    assert np.isnan(block.outcomes[1])
    [block] = opened(text.split("\n")[1] + "\n", kind, task="regression", unlabelled=True).blocks()
    assert block.outcomes is None


@pytest.mark.parametrize("cell", ["", "?", "NA", "nan"])
def test_a_missing_cell_is_refused(cell):
    with pytest.raises(InvalidLabel, match=r":3: column 'y': expected a number as outcome.*leave the row out"):
        outcomes(opened(f"x,y\n1,2.5\n2,{cell}\n", "csv", task="regression"))


def test_a_number_that_means_missing_is_none():
    stream = opened("x,y\n1,2.5\n2,-999\n3,4.5\n", "csv", task="regression", missing=["-999"], on_error="skip")
    assert outcomes(stream) == [2.5, 4.5]


def test_frames_records_and_parquet(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"rooms": ROOMS, "price": Y})
    frame.to_parquet(path := tmp_path / "prices.parquet")
    rows = frame.to_dict("records")
    for source in (frame, frame.astype({"price": object}), str(path), rows, iter(rows), iter(rows)):
        stream = ls.open(source, task="auto", label="price")
        assert outcomes(stream, 2) == Y
    for odd in ("cheap", None, float("inf")):
        with pytest.raises(InvalidLabel, match="row 1: column 'price': expected"):
            outcomes(ls.open([{"rooms": 1, "price": 2.5}, {"rooms": 2, "price": odd}], task="regression"))


def test_snow_refuses_numbers():
    with pytest.raises(InvalidParameter, match="a target in SNoW's format is an id"):
        opened("1, 7(1.5):\n", "snow", task="regression")


def test_labels_have_no_place_beside_numbers():
    with pytest.raises(InvalidParameter, match="labels: expected none"):
        opened(FILES["csv"], "csv", task="regression", labels=(0, 1))
    with pytest.raises(InvalidParameter, match="did you mean regression"):
        opened(FILES["csv"], "csv", task="regresion")
    assert opened("x,y\n1,0.5\n2,1.5\n3,2.5\n", "csv", task="auto", labels=(0.5, 1.5, 2.5)).task == "classification"


@pytest.mark.parametrize("wrapper", [{"pairs": True}, {"hash_bits": 5}])
def test_wrapped_streams_keep_them(wrapper):
    stream = opened(FILES["csv"], "csv", task="auto", **wrapper)
    assert outcomes(stream, 2) == Y
    assert stream.task == "regression"


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1] * 20, [-1, 1] * 20, [0.0, 1.0] * 20, ["+1", "-1"], [0.5, 1.5] * 9, [1, 2, 3, 4, 5] * 5, [*range(100)],
        [*range(1000)] * 6, [True, False, True], ["a", "b", "c"], [1.5, "b", 2.5], [], [3.0], [7] * 20,
    ],
)  # fmt: skip
def test_classes_are_never_mistaken_for_numbers(labels):
    assert not are_numbers(labels)


@pytest.mark.parametrize("labels", [[1.5, 2.0, 3.0], ["0.1", "0.2", "0.3"], [*range(200)], [25, *range(300)] * 4])
def test_numbers_are_recognised(labels):
    assert are_numbers(labels)


def test_cells_are_read_exactly():
    assert of_cells(["1_000"]) is None
    assert of_cells([" 1e-3 ", "2"]).tolist() == [0.001, 2.0]
    values = np.random.default_rng(0).normal(size=500).tolist()
    text = "x,y\n" + "".join(f"1,{value!r}\n" for value in values)
    assert outcomes(opened(text, "csv", task="regression")) == values


def test_recognition_of_a_pipe_needs_no_second_reading(tmp_path):
    import os
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(FILES["csv"]))
    writer.start()
    stream = ls.open(str(path), "csv", task="auto")
    assert stream.task == "regression"
    assert outcomes(stream) == Y
    writer.join()
