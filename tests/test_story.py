"""From raw messages to decisions, as a new user would: a spam filter in two commands and a few lines of Python."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main

FOLDER = os.environ.get("LITTLESTONE_DATA")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="LITTLESTONE_DATA names no folder with sms_spam.tsv.gz")
RAW = "WINNER!! You have won a £1000 prize, call now"


def call(*words):
    done = CliRunner().invoke(main, [*map(str, words)])
    assert done.exit_code == 0, done.output
    return done


def test_a_spam_filter(tmp_path):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss
    from sklearn.pipeline import make_pipeline

    path, model = Path(FOLDER) / "sms_spam.tsv.gz", tmp_path / "sms.npz"
    reading = ("--columns", "class,message", "--label", "class")
    seen = call("train", path, *reading, "--schema")
    assert {one["name"]: one["kind"] for one in json.loads(seen.stdout)["columns"]} == {
        "class": "label", "message": "text",
    }  # fmt: skip
    trained = json.loads(call("train", path, *reading, "--split", 0.2, "-m", model, "--json").stdout)
    assert 1 - trained["split"]["error"] >= 0.985

    explained = json.loads(call("explain", model, "--example", RAW, "--json").stdout)
    assert explained["prediction"] == "spam"
    assert explained["listed"][0]["attribute"] in {"message=£", "message=call", "message=won", "message=prize"}

    with gzip.open(path, "rt", encoding="utf-8") as file:
        labels, texts = zip(*(line.rstrip("\n").split("\t", 1) for line in file), strict=True)
    cut = trained["learned"]
    loaded = ls.load(model)
    assert loaded.predict([RAW, "see you at lunch"]).tolist() == ["spam", "ham"]
    shares = loaded.probabilities(list(texts[cut:]))
    assert (np.abs(shares.sum(axis=1) - 1) < 1e-12).all()
    ours = log_loss(labels[cut:], shares, labels=list(loaded.labels))
    assert ours == pytest.approx(trained["split"]["log_loss"])
    rival = make_pipeline(CountVectorizer(), LogisticRegression()).fit(texts[:cut], labels[:cut])
    theirs = log_loss(labels[cut:], rival.predict_proba(texts[cut:]), labels=list(rival.classes_))
    assert ours <= 1.15 * theirs
