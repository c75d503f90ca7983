"""The page of an explanation: sound, of all kinds of explanations, and of nothing else."""

import pytest

from littlestone.core.errors import InvalidParameter
from littlestone.report import explanation_page
from tests.report.reading import check_alone
from tests.report.things import things


@pytest.mark.parametrize(
    ("name", "said"),
    [("explanation", "Largest weights"), ("explained", "What each attribute brings"), ("reasons", "a lunch")],
)
def test_a_page_is_sound_and_has_the_card(name, said):
    read = check_alone(explanation_page(things()[name], model="dir/a <b>.npz"))
    words = "".join(read.said)
    assert "a <b>.npz, explained" in words and said in words
    assert "dir/" not in words
    assert [tag for tag, _ in read.tags].count("h1") == 1


def test_other_things_are_refused():
    with pytest.raises(InvalidParameter, match="expected what explain returns, got Run"):
        explanation_page(things()["run"])
