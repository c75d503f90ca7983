"""The tokeniser: what a word is, in any script, and the options."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.core.errors import InvalidParameter
from littlestone.core.words import Tokeniser

GOOD = {
    "Don't stop, DON\u2019T": ["don't", "stop"],
    "'quoted' rock'n'roll '": ["quoted", "rock'n'roll"],
    "1,000.50 or 1, 2. v1.2 3.5kg": ["1,000.50", "or", "1", "2", "v1.2", "3.5kg"],
    "win \u00a3100!! \u20ac5? $$": ["win", "\u00a3", "100", "!!", "\u20ac", "5", "?", "$"],
    "snake_case e-mail www.x.com": ["snake", "case", "e", "mail", "www", "x", "com"],
    "caf\u00e9 cafe\u0301 CAF\u00c9": ["caf\u00e9"],
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u0e44\u0e21\u0e48": [
        "\u0939\u093f\u0928\u094d\u0926\u0940", "\u0e44\u0e21\u0e48"],
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440": [
        "\u043f\u0440\u0438\u0432\u0435\u0442", "\u043c\u0438\u0440"],
    "ok\U0001f44d\U0001f3fd\U0001f44d": ["ok", "\U0001f44d\U0001f3fd", "\U0001f44d"],
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7": [
        "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f1eb\U0001f1f7"],
    "\u2764\ufe0f \u2764": ["\u2764"],
    "": [],
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_the_words_of_a_text(text):
    assert Tokeniser()(text) == GOOD[text]


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_way_for_ascii_finds_the_same_words(text):
    beside = Tokeniser()(text + " \u00e9")  # a letter that is not ASCII takes the other way
    assert Tokeniser()(text) == [word for word in beside if word != "\u00e9"]


@given(st.text())
def test_plain_is_what_older_models_were_trained_with(text):
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower())
    assert Tokeniser("plain")(text) == list(dict.fromkeys(found))


@given(st.lists(st.sampled_from(["Free", "4u", "it's", "\u00e9"]), max_size=5), st.integers(2, 5))
def test_characters_are_taken_within_words(words, size):
    expected = []
    for word in dict.fromkeys(words):
        marked = f"_{word}_"
        expected += [f"~{marked[at : at + size]}" for at in range(len(marked)) if at == 0 or at + size <= len(marked)]
    found = Tokeniser(lower=False, characters=size)(" ".join(words))
    assert found == list(dict.fromkeys([*words, *expected]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("word", True, 1, None), "tokens must be one of words, plain, got 'word'; did you mean words"),
        (("words", 1, 1, None), "lower must be True or False"),
        (("words", True, 0, None), "ngrams must be a whole number >= 1"),
        (("words", True, 1, 1), "characters must be a whole number >= 2"),
    ],
)
def test_options_that_are_wrong(options, said):
    with pytest.raises(InvalidParameter, match=f"Some: {said}"):
        Tokeniser.checked("Some", *options)
