"""Model: all that stands between raw input and a decision."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import Block
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.labels import plain
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.models import raw as raws
from littlestone.models import recipe
from littlestone.models.calibration import Calibration
from littlestone.models.decision import Decision
from littlestone.models.given import check_two, known_labels, with_y
from littlestone.models.learning_numbers import learn_numbers
from littlestone.models.outcomes import Outcomes, Paid
from littlestone.models.scaling import Scaling
from littlestone.streams import Stream
from littlestone.streams.formats.outcomes import CLASSIFICATION, REGRESSION

if TYPE_CHECKING:
    from littlestone.bounds import Bound, OpenBound
    from littlestone.games.evaluation import Evaluation
    from littlestone.models.explanation import Explanation, Reasons
    from littlestone.models.files import Rest

__all__ = ["Model"]

T = TypeVar("T")


class Model(Plotted):
    """A learner with all that it needs from raw input to a decision: one object, one file.

    It holds how rows are read (which columns there are and what they mean, the tokeniser, missing values, hashing),
    the scaling of real numbers, the learner, the calibration of its probabilities, and how a decision is made of them.
    It takes raw input of any kind: the path of a file, an open file, a list of texts, dicts or rows of cells, a data
    frame, an array, a stream; the same row gives the same bits whichever way it comes. `learn` goes on from where
    training stopped, and ``save``, ``load`` and ``learn`` give the bits of no interruption.

    Example
    -------
    >>> import littlestone as ls
    >>> rows = [{"message": "win a prize now", "class": "spam"}, {"message": "lunch at noon?", "class": "ham"}] * 20
    >>> model = ls.Model.train(rows, label="class", text="message")
    >>> model.predict(["a prize for you", "are you at lunch?"]).tolist()
    ['spam', 'ham']
    >>> model.predict_one({"message": "now win"}), model.labels
    ('spam', ('ham', 'spam'))
    """

    def __init__(
        self,
        learner: Learner,
        reading: Mapping[str, Any] | None = None,
        *,
        scaling: Scaling | None = None,
        calibration: Calibration | None = None,
        decision: Decision | None = None,
        outcomes: Outcomes | None = None,
        columns: tuple[str, ...] = (),
    ) -> None:
        if not isinstance(learner, Learner):
            raise InvalidParameter(f"Model: expected a learner, such as Auto(), got {learner!r}")
        self.learner, self.reading, self.columns = learner, dict(reading or {}), columns
        self.scaling, self.calibration = scaling, calibration
        self.decision = decision or Decision()
        regression = isinstance(learner, Regressor)
        self.outcomes = (outcomes or Outcomes(scaled=False)) if regression else None
        self.source: str | None = None  # what its file says of its training
        self.position: int | None = None
        self.following: Rest | None = None  # of the live source that it follows: examples that wait, and where it is

    @classmethod
    def begun(cls, learner: Learner | str, stream: Stream, *, scale: bool = True, scale_outcome: bool = True) -> Self:
        """Return a model that has learned nothing, for the rows of a stream as it is read.

        Numbers are scaled only for a learner that takes any, as scaled ones are negative, too; outcomes for a regressor
        whose loss takes any.
        """
        made = _learner(learner)
        scaled = recipe.scaled_columns(stream) if scale and made.domain == "any" and not made.finds_units else ()
        return cls(
            made,
            scaling=Scaling(scaled) if scaled else None,
            calibration=None if isinstance(made, Regressor) else Calibration.of(made),
            outcomes=recipe.outcomes_for(made, scale=scale_outcome),
            columns=recipe.columns_of(stream),
        )

    @classmethod
    def train(
        cls,
        source: Any,
        y: ArrayLike | None = None,
        *,
        learner: Learner | str | None = None,
        format: str | None = None,  # noqa: A002
        passes: int = 1,
        trials: int | None = None,
        task: str | None = None,
        scale: bool = True,
        scale_outcome: bool = True,
        threshold: float | None = None,
        cost: Mapping[str, float] | None = None,
        **reading: Any,
    ) -> Self:
        """Return a model trained on a file, a frame, a list of dicts or a stream, row by row.

        The ``task`` is "classification" or "regression", which learns numbers; None: that of the ``learner`` or, where
        none is given, what the first labels look like (docs/regression.md). The ``learner`` is Auto, if none is given;
        of regression, a regressor. ``reading`` are the options of `open`: label=, text=, columns= (for a
        file without a header), and so on. What they do not say is guessed, and ``model.reading`` says what was. ``y``
        are the labels, where they are not a column. ``scale=False`` leaves real numbers as they are, ``scale_outcome=
        False`` the outcomes of regression. ``threshold`` or ``cost`` decides from which probability on the positive
        label is predicted.
        """
        from littlestone.models.record import Record, asked_of
        from littlestone.models.training import Training

        decision = Decision.of(threshold, cost)
        made = None if learner is None else _learner(learner)
        asked = recipe.task_of(made, task, "train")
        stream = raws.training_stream(source, y, format, reading, asked)
        if made is None:
            made = recipe.usual_learner(stream, asked)
        zeros = stream.zeros
        try:
            model = cls.begun(made, stream, scale=scale, scale_outcome=scale_outcome)
            model.decision = decision
            if model.outcomes is not None:
                model.check_decision()
            if decision.threshold is not None and stream.again:
                model.check_decision(stream.labels)  # before it is trained
            training = Training(model, stream, passes=passes, trials=trials)
            record = Record.of(training, asked=asked_of(format, reading))
            for _ in training.steps():
                pass
        finally:
            stream.zeros = zeros  # it may be the caller's
        record.keep(training)
        if not training.examples:
            raise InvalidData(f"{stream!r}: expected at least one example, got none")
        model.check_decision()
        return model

    # What it knows

    @property
    def task(self) -> str:
        """What it does: "classification", or "regression", where it predicts numbers."""
        return CLASSIFICATION if self.outcomes is None else REGRESSION

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, the negative one first; of many classes all, in the order in which they came."""
        return self.learner.labels or ()

    @property
    def trials(self) -> int:
        """From how many examples it has learned."""
        return self.learner.trials

    @property
    def mistakes(self) -> int:
        """How many of them it predicted wrongly before it learned them; of numbers, see `paid`."""
        return self.learner.mistakes

    @property
    def paid(self) -> Paid:
        """What the predictions of numbers have cost, each made before its outcome was learned: mae, rmse, loss."""
        if self.outcomes is None:
            raise InvalidParameter(f"paid: expected a model of regression, got {self!r}; ask for its mistakes")
        return self.outcomes.paid

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The bound on the learner's mistakes, on the rows as it sees them: scaled, where they are."""
        return self.learner.guarantee

    def copy(self) -> Self:
        """Return an independent copy."""
        made = type(self)(
            self.learner.copy(),
            self.reading,
            scaling=None if self.scaling is None else self.scaling.copy(),
            calibration=None if self.calibration is None else self.calibration.copy(),
            decision=self.decision,
            outcomes=None if self.outcomes is None else self.outcomes.copy(),
            columns=self.columns,
        )
        made.source, made.position, made.following = self.source, self.position, self.following
        return made

    def become(self, other: Model) -> None:
        """Take over all that another model has learned; it is not to be used any more."""
        vars(self).update(vars(other))

    def check_decision(self, labels: Iterable[Any] = ()) -> None:
        """Refuse a threshold where there are not two labels, of those met and to come, or no probabilities."""
        if self.decision.threshold is not None and self.outcomes is not None:
            raise InvalidParameter(
                f"threshold: expected none, for {self.learner!r} predicts numbers; leave threshold= and cost= out"
            )
        known = dict.fromkeys((*self.labels, *labels))
        if self.decision.threshold is not None and (len(known) != 2 or self.calibration is None):
            got = "a model without probabilities" if self.calibration is None else f"{len(known)} labels"
            raise InvalidParameter(f"threshold: expected a model of two labels with probabilities, got {got}")

    @property
    def has_probabilities(self) -> bool:
        """Whether it has any: a model does, unless it was made of a learner alone that has none."""
        return self.calibration is not None or hasattr(self.learner, "predict_proba")

    # Blocks of rows as streams give them

    def learn_block(self, block: Block) -> NDArray[Any]:
        """Predict rows with labels, each before it is learned; return the predictions. A refusal changes nothing."""
        if self.outcomes is not None:
            return learn_numbers(self, block, self.outcomes.copy())

        def learn(learner: Learner, rows: Block) -> NDArray[Any]:
            return learner.learn(rows) if self.calibration is None else self.calibration.learn(learner, rows)

        return self.learned(block, learn)

    def learned(self, block: Block, learn: Callable[[Learner, Block], T]) -> T:
        """Let the learner learn rows, scaled, by ``learn``; return what that says. A refusal changes nothing."""
        if self.decision.threshold is not None:
            check_two(block, self.labels)
        scaling = None if self.scaling is None else self.scaling.copy()
        rows = block if scaling is None else scaling.learned(block)
        learner = self.learner
        if learner.many_classes and not learner.labels and block.labels is not None and len(block.labels) == 2:
            learner = learner.copy().begin(labels=block.labels)  # the negative one first, whichever comes first
        said = learn(learner, rows)
        self.learner, self.scaling = learner, scaling
        return said

    def rows(self, block: Block) -> Block:
        """Return rows of a stream as the learner sees them when it predicts: scaled, and no attribute beyond its n."""
        from littlestone.games.evaluation import known_to

        return known_to(self.learner, block if self.scaling is None else self.scaling.scaled(block))

    def predict_block(self, block: Block) -> NDArray[Any]:
        """Return the label that is decided on for each row of a stream."""
        return self.decided(self.rows(block))

    def probabilities_block(self, block: Block) -> Floats:
        """Return the probability of each label (columns) for each row of a stream."""
        return self.probabilities_of(self.rows(block))

    def decided(self, rows: Block) -> NDArray[Any]:
        """Return the label that is decided on, or the number predicted, for rows as the learner sees them."""
        if self.outcomes is not None:
            return self.outcomes.undone(self.learner.predict(rows))
        if self.decision.threshold is None:
            return self.learner.predict(rows)
        return self.decision.label(self.probabilities_of(rows), self.labels)

    def probabilities_of(self, rows: Block) -> Floats:
        """Return the probability of each label (columns) for rows as the learner sees them."""
        if self.calibration is not None:
            return self.calibration.probabilities(self.learner, rows)
        if self.outcomes is not None:
            raise InvalidParameter(f"probabilities: expected a model of labels, got {self!r}, which predicts numbers")
        if not self.has_probabilities:
            raise InvalidParameter(f"probabilities: {self!r} was made without them; train a model anew")
        found: Floats = self.learner.predict_proba(rows)  # type: ignore[attr-defined]
        return found

    def blocks(self, raw: Any, owner: str, *, labelled: bool = False) -> Iterator[Block]:
        """Yield raw input as blocks, read as the model reads."""
        return self.stream(raw, owner, labelled=labelled).blocks()

    def stream(self, raw: Any, owner: str = "model", *, labelled: bool = False) -> Stream:
        """Return raw input of any kind as a stream of the model's attributes; ``owner`` names the call in messages."""
        reading = self.reading
        if labelled and self.labels and not self.learner.many_classes:
            reading = reading | {"labels": self.labels}
        if labelled and reading and self.outcomes is not None:
            reading = reading | {"task": REGRESSION}
        if self.columns:
            reading = reading | {"order": self.columns}
        numbered = self.learner.vocabulary is None and self.trials > 0
        zeros = self.scaling is not None
        stream = raws.stream_of(raw, reading, labelled=labelled, zeros=zeros, numbered=numbered, owner=owner)
        if labelled and not isinstance(raw, Stream):
            stream.met = self.labels
        return stream

    # Raw input

    def predict(self, raw: Any) -> NDArray[Any]:
        """Return the label of each row of raw input: a file, a list of texts, dicts or rows, a frame, a stream."""
        found = [self.predict_block(block) for block in self.blocks(raw, "predict")]
        return np.concatenate(found) if found else np.array([])

    def probabilities(self, raw: Any) -> Floats:
        """Return the probability of each label for each row of raw input: a column each, in the order of `labels`."""
        if self.outcomes is not None:
            raise InvalidParameter(f"probabilities: expected a model of labels, got {self!r}, which predicts numbers")
        found = [self.probabilities_block(block) for block in self.blocks(raw, "probabilities")]
        return np.concatenate(found) if found else np.zeros((0, len(self.labels)))

    def predict_one(self, row: Any) -> Any:
        """Return the label of one row: a dict of its columns, or a text where that is all there is."""
        return plain(self.predict(_alone(row))[0])

    def probabilities_one(self, row: Any) -> dict[Any, float]:
        """Return the probability of each label for one row."""
        return dict(zip(self.labels, self.probabilities(_alone(row))[0].tolist(), strict=True))

    def learn(self, raw: Any, y: ArrayLike | None = None, *, new_labels: bool = False) -> NDArray[Any]:
        """Learn rows, each after it was predicted; return the predictions. A refusal changes nothing.

        The labels are in the rows, as in training, or given as ``y``. A label that the model has not met is refused,
        unless there may be ``new_labels``, for a learner that takes them.
        """
        stream = self.stream(raw, "learn", labelled=y is None)
        if y is not None:
            stream = with_y(stream, y, self.labels, "learn", task=self.task)
        blocks = stream.blocks()
        known = () if new_labels else self.labels
        first, second = next(blocks, None), next(blocks, None)
        if first is None:
            return np.array([])
        if second is None:
            return self.learn_block(known_labels(first, stream, known))
        after = self.copy()
        found = [after.learn_block(known_labels(block, stream, known)) for block in (first, second, *blocks)]
        self.become(after)
        return np.concatenate(found)

    def learn_one(self, row: Any, y: Any, *, new_labels: bool = False) -> Any:
        """Learn one row with its label; return the prediction that was made before."""
        return plain(self.learn(_alone(row), [y], new_labels=new_labels)[0])

    def explain(self, row: Any = None, *, top: int = 20, **options: Any) -> Explanation | Reasons:
        """Return why the model decides as it does on a row, given as to `predict_one`; without one, what it learned.

        For a linear rule it is weight times value; for any other, by how much the log-odds of the prediction fall when
        an attribute is left out. ``options`` are those of `explanation.explain`, for what it learned. Nothing changes.
        """
        from littlestone.models.explanation.models import explained

        return explained(self, row, top, options)

    def evaluate(self, raw: Any, y: ArrayLike | None = None) -> Any:
        """Return what its predictions are worth on rows with labels: an `Evaluation`; nothing is learned.

        Of a model of labels it has accuracy, probabilities and so on; of one of regression it is a
        `RegressionEvaluation`, with MAE, RMSE, R2 and quantiles of the errors.
        """
        from littlestone.models.evaluating import evaluated

        return evaluated(self, raw, y)

    def unmet(self, found: Evaluation) -> dict[Any, int]:
        """Return the labels of an evaluation that the model has never met, and how many examples have each."""
        came = zip(found.labels, found.confusion.sum(axis=1).tolist(), strict=True)
        return {label: count for label, count in came if count and label not in self.labels}

    # Written down

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model down; `load` goes on from there, bit for bit."""
        from littlestone.models.saving import save

        save(self, path)

    def __repr__(self) -> str:
        return f"Model({self.learner!r}, after {self.trials:,} trials)"


def _alone(row: Any) -> Any:
    """Return one row as rows: a sparse one is a matrix already."""
    return row if hasattr(row, "tocsr") else [row]


def _learner(learner: Learner | str) -> Learner:
    if isinstance(learner, Learner):
        return learner
    from littlestone.learners.named import learner_of

    return learner_of(learner, where="train: ")
