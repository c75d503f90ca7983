"""VocabularyVectorizer: examples with names become sparse rows; names may be to come."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from littlestone.core.errors import InvalidData
from littlestone.core.parameters import check_flag, check_whole
from littlestone.core.vocabulary import Vocabulary
from littlestone.core.words import Tokeniser

__all__ = ["VocabularyVectorizer"]

NUMBER = (int, float, np.integer, np.floating, np.bool_)


class VocabularyVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Examples with named attributes as sparse rows, a column a name, in the order in which the names come.

    An example is a dict from names to numbers (or to strings: ``{"colour": "red"}`` is the name "colour=red", on), a
    set, list or tuple of the names that are on, or a text, whose words are the names, made as in a column of text of a
    table; ``analyzer`` makes any of these of anything else. `fit` forgets the names it
    had, `partial_fit` adds to them, and `transform` leaves out those it does not know. A name never loses its column.

    Before `partial_fit` of a classifier, which needs rows of one width, give ``max_attributes``: rows then have that
    many columns from the first, those of names to come being 0. Nothing is hashed: no two names share a column.

    Parameters
    ----------
    max_attributes : int or None
        The number of columns; one more name is refused. None: as many as there are names.
    analyzer : callable or None
        What makes names of an example that has none, as ``str.split`` does of a text in its own way.
    tokens, lower, ngrams, characters
        How texts become words, as `core.words.Tokeniser` says.
    separator : str
        What goes between a name and a value that is a string.
    sparse_output : bool
        Rows as a CSR matrix; False: as an array, as `set_output` needs it.

    Attributes
    ----------
    vocabulary_ : Vocabulary
        The names and their columns.

    Examples
    --------
    >>> from littlestone.sklearn import PerceptronClassifier
    >>> words, model = VocabularyVectorizer(max_attributes=1000), PerceptronClassifier()
    >>> for batch, y in [([{"win", "cash"}, {"lunch"}], [1, 0]), ([{"cash": 3}, ["lunch", "noon"]], [1, 0])]:
    ...     model = model.partial_fit(words.partial_fit(batch).transform(batch), y, classes=[0, 1])
    >>> list(words.vocabulary_), model.predict(words.transform([{"cash", "never seen"}])).tolist()
    (['cash', 'win', 'lunch', 'noon'], [1])
    >>> VocabularyVectorizer(ngrams=2).fit(["Don't win!", "win cash"]).get_feature_names_out().tolist()
    ['!', "don't", "don't_win", 'win', 'win_!', 'cash', 'win_cash']
    """

    def __init__(
        self,
        *,
        max_attributes: int | None = None,
        analyzer: Callable[[Any], Any] | None = None,
        separator: str = "=",
        sparse_output: bool = True,
        tokens: str = "words",
        lower: bool = True,
        ngrams: int = 1,
        characters: int | None = None,
    ) -> None:
        self.max_attributes = max_attributes
        self.analyzer = analyzer
        self.separator = separator
        self.sparse_output = sparse_output
        self.tokens = tokens
        self.lower = lower
        self.ngrams = ngrams
        self.characters = characters

    def fit(self, X: Iterable[Any], y: ArrayLike | None = None) -> Self:
        """Forget the names and learn those of these examples."""
        del y
        self.vocabulary_ = self._more(Vocabulary(), X)
        return self

    def partial_fit(self, X: Iterable[Any], y: ArrayLike | None = None) -> Self:
        """Learn the names of these examples too."""
        del y
        self.vocabulary_ = self._more(getattr(self, "vocabulary_", Vocabulary()), X)
        return self

    def transform(self, X: Iterable[Any]) -> Any:
        """Return the examples as rows; names that are not known are left out."""
        from scipy.sparse import csr_matrix

        check_is_fitted(self)
        columns, words = self.vocabulary_.columns, self._tokeniser()
        indptr, indices, values = [0], [], []
        for example in _examples(X):
            for name, value in self._items(example, words):
                column = columns.get(name)
                if column is not None and value:
                    indices.append(column)
                    values.append(float(value))
            indptr.append(len(indices))
        shape = (len(indptr) - 1, self._width())
        rows = csr_matrix((np.array(values), np.array(indices, dtype=np.int32), indptr), shape=shape, dtype=np.float64)
        rows.sort_indices()
        return rows if self.sparse_output else rows.toarray()

    def inverse_transform(self, X: Any) -> list[dict[Hashable, float]]:
        """Return rows as dicts from names to values that are not 0."""
        from scipy.sparse import csr_array

        check_is_fitted(self)
        rows = csr_array(X)
        if rows.shape[1] != self._width():
            raise InvalidData(f"X: expected rows of {self._width()} columns, got {rows.shape[1]}")
        if rows.nnz and rows.indices.max() >= len(self.vocabulary_):
            raise InvalidData(f"X: expected columns below the {len(self.vocabulary_)} names, got {rows.indices.max()}")
        return [
            {self.vocabulary_.name(int(i)): float(v) for i, v in zip(rows.indices[a:b], rows.data[a:b], strict=True)}
            for a, b in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        ]

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """Return the name of each column; a column without a name yet is called by its number, "(7)"."""
        del input_features
        check_is_fitted(self)
        names = [name if isinstance(name, str) else repr(name) for name in self.vocabulary_]
        return np.array([*names, *(f"({i})" for i in range(len(names), self._width()))], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        """Say what kind of input is taken, as scikit-learn asks for it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.dict, tags.input_tags.string = False, True, True
        tags.requires_fit = True
        return tags

    # Inside

    def _width(self) -> int:
        return len(self.vocabulary_) if self.max_attributes is None else int(self.max_attributes)

    def _more(self, words: Vocabulary, X: Iterable[Any]) -> Vocabulary:
        """Return the vocabulary with the names of the examples added; a refusal leaves it as it was."""
        owner = type(self).__name__
        check_flag(owner, "sparse_output", self.sparse_output)
        found: dict[Hashable, None] = {}
        tokeniser = self._tokeniser()
        for example in _examples(X):
            names = (name for name, _ in self._items(example, tokeniser))
            found |= dict.fromkeys(words.unseen(name for name in names if name not in found))
        new = list(found)
        if self.max_attributes is not None:
            room = check_whole(owner, "max_attributes", self.max_attributes) - len(words)
            if len(new) > room:
                raise InvalidData(
                    f"{owner}: name {new[room]!r} is one more than max_attributes={self.max_attributes}; "
                    "make it larger, and fit again"
                )
        words.add(new)
        return words

    def _tokeniser(self) -> Tokeniser:
        return Tokeniser.checked(type(self).__name__, self.tokens, self.lower, self.ngrams, self.characters)

    def _items(self, example: Any, words: Tokeniser) -> Iterator[tuple[Hashable, Any]]:
        """Yield the names and values of one example."""
        if self.analyzer is not None:
            example = self.analyzer(example)
        if isinstance(example, str):
            example = words(example)
        if isinstance(example, Mapping):
            for name, value in example.items():
                if isinstance(value, str):
                    yield f"{name}{self.separator}{value}", 1.0
                elif isinstance(value, NUMBER) and np.isfinite(value):
                    yield name, value
                else:
                    raise InvalidData(f"X: attribute {name!r}: expected a finite number or a string, got {value!r}")
        elif isinstance(example, set | frozenset | list | tuple):
            try:
                names = dict.fromkeys(example)
            except TypeError:
                raise InvalidData(f"X: expected names that can be looked up, got {example!r}") from None
            yield from ((name, 1.0) for name in names)
        else:
            raise InvalidData(
                "X: expected each example as a dict, a set, a list or a tuple of names, or a text, got "
                f"{type(example).__name__}; set analyzer to what makes names of it"
            )


def _examples(X: Any) -> Iterable[Any]:
    """Return the examples; refuse what is one example, or a text, or a frame, which gives its columns."""
    if hasattr(X, "columns"):
        one = next(iter(getattr(X, "column_names", X.columns)), "text")
        raise InvalidData(
            f"X: expected a list of examples, got a frame ({type(X).__name__}); give one column of it, as X[{one!r}], "
            "or its rows as dicts"
        )
    if isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
        raise InvalidData(f"X: expected a list of examples, got {type(X).__name__}; for one example give [x]")
    return X
