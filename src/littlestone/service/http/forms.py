"""Forms: what the bodies of requests and answers have in them. The OpenAPI document is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

__all__ = [
    "AmendedForm", "AnsweredLine", "AnsweredMany", "AnsweredOne", "AskForm", "AskLine", "CloneForm", "CorrectForm",
    "CreateForm", "ExplainForm", "ExplainLine", "ExplainedForm", "ExplainedLine", "ExplainedMany", "HealthForm",
    "LabelForm", "LabelLine", "LearnForm", "LearnLine", "MadeForm", "ModelForm", "ModelsForm", "NumberForm",
    "PredictForm", "PredictLine", "PredictedMany", "PredictedOne", "RefusedRow", "SwitchForm",
]  # fmt: skip

MOST_WHOLE = 2**63 - 1
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"

Whole = Annotated[int, Meta(ge=-MOST_WHOLE, le=MOST_WHOLE)]
Number = Annotated[int, Meta(ge=0, le=MOST_WHOLE, description="The number of an event.")]
Short = Annotated[str, Meta(max_length=256)]
Cell: TypeAlias = str | Whole | float | bool | None
Row: TypeAlias = str | dict[Annotated[str, Meta(max_length=1000)], Cell] | list[Cell]
Label: TypeAlias = Short | Whole | float | bool
Id: TypeAlias = Short | Whole
Weight: TypeAlias = Annotated[float, Meta(ge=0)]
ModelName = Annotated[str, Meta(pattern=NAME, description="The name of a model.")]
Rows = Annotated[list[Row], Meta(min_length=1, description="Several rows: texts, dicts by column, or lists of cells.")]


class _Form(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body: what it does not know is refused."""


class PredictForm(_Form):
    """One row, or several; the model as of event ``at``, or as it is now; ``shadow`` is a model that predicts too."""

    row: Row | UnsetType = UNSET
    rows: Rows | UnsetType = UNSET
    at: Number | None = None
    shadow: ModelName | None = None


class LearnForm(_Form):
    """One row and its label, or several of both; with weights, and ids of one's own."""

    row: Row | UnsetType = UNSET
    rows: Rows | UnsetType = UNSET
    label: Label | UnsetType = UNSET
    labels: list[Label] | UnsetType = UNSET
    weight: Weight | UnsetType = UNSET
    weights: list[Weight] | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    ids: list[Id] | UnsetType = UNSET


class AskForm(_Form):
    """One row and the id under which its label will come, or several of both."""

    row: Row | UnsetType = UNSET
    rows: Rows | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    ids: list[Id] | UnsetType = UNSET
    weight: Weight | UnsetType = UNSET
    weights: list[Weight] | UnsetType = UNSET


class LabelForm(_Form):
    """The label of an id that was asked before, or several of both."""

    id: Id | UnsetType = UNSET
    ids: Annotated[list[Id], Meta(min_length=1)] | UnsetType = UNSET
    label: Label | UnsetType = UNSET
    labels: list[Label] | UnsetType = UNSET


class PredictLine(_Form):
    """A line of several rows to predict."""

    row: Row


class LearnLine(_Form):
    """A line of several rows to learn."""

    row: Row
    label: Label
    weight: Weight | UnsetType = UNSET
    id: Id | UnsetType = UNSET


class AskLine(_Form):
    """A line of several rows whose labels will come."""

    row: Row
    id: Id
    weight: Weight | UnsetType = UNSET


class LabelLine(_Form):
    """A line of several labels that have come."""

    id: Id
    label: Label


class ExplainForm(_Form):
    """A row, or several; without any, what the model has learned is explained. ``top`` are the attributes named."""

    row: Row | UnsetType = UNSET
    rows: Rows | UnsetType = UNSET
    top: Annotated[int, Meta(ge=1, le=1000)] = 20


class ExplainLine(_Form):
    """A line of several rows to explain."""

    row: Row


class CreateForm(_Form):
    """A model that has learned nothing, as the command line names learners; for rows that name their attributes."""

    learner: Annotated[str, Meta(max_length=1000)] = "auto"
    labels: Annotated[list[Label], Meta(min_length=2, max_length=10_000)] | None = None
    attributes: Annotated[int, Meta(ge=1, le=10_000_000)] | None = None
    new_labels: bool = False
    limit: Annotated[int, Meta(ge=1, le=1 << 20)] = 100_000
    window: Annotated[int, Meta(ge=1, le=1_000_000)] = 1000
    on_change: Literal["warn", "restart", "forget"] = "warn"


class CloneForm(_Form):
    """The name of the copy, and the event as of which it is made."""

    name: ModelName
    at: Number | None = None


class SwitchForm(_Form):
    """The model that takes the name of this one, which takes its name."""

    other: ModelName


class NumberForm(_Form):
    """The event as of which the model is to be."""

    number: Number


class CorrectForm(_Form):
    """The label that an example should have had."""

    label: Label


# Answers


class RefusedRow(msgspec.Struct):
    """A row that was refused: where it stands, counted from 0, what was wrong (row, label or id), and why."""

    at: int
    because: str
    detail: str


class PredictedOne(msgspec.Struct, omit_defaults=True):
    """A prediction and its probability, of the model after so many events."""

    model: str
    after: int
    prediction: Any
    probability: float | None
    shadow: Any = None


class PredictedMany(msgspec.Struct, omit_defaults=True):
    """Predictions in the order of the rows, null for those that were refused."""

    model: str
    after: int
    predictions: list[Any]
    probabilities: list[float | None]
    refused: list[RefusedRow]
    shadow: Any = None


class AnsweredOne(msgspec.Struct):
    """The event that this example or label is, and the prediction that had been made before."""

    model: str
    number: int | None
    prediction: Any
    probability: float | None


class AnsweredMany(msgspec.Struct):
    """The events that they are, and the predictions, in the order of the rows; null for those that were refused."""

    model: str
    first: int
    count: int
    numbers: list[int | None]
    predictions: list[Any]
    probabilities: list[float | None]
    refused: list[RefusedRow]


class AnsweredLine(msgspec.Struct, omit_defaults=True):
    """A line of the answer to lines: a prediction, or why the row was refused."""

    prediction: Any
    probability: float | None
    number: int | None = None
    refused: RefusedRow | None = None


class ExplainedForm(msgspec.Struct):
    """Why the model decides as it does on a row, or what it has learned."""

    model: str
    after: int
    explanation: Any


class ExplainedMany(msgspec.Struct):
    """Why the model decides as it does on each row, null for those that were refused."""

    model: str
    after: int
    explanations: list[Any]
    refused: list[RefusedRow]


class ExplainedLine(msgspec.Struct, omit_defaults=True):
    """A line of the answer to lines: an explanation, or why the row was refused."""

    explanation: Any
    refused: RefusedRow | None = None


class ModelForm(msgspec.Struct):
    """What is known of a model: its learner, labels, counts, bound, and more."""

    model: dict[str, Any]


class ModelsForm(msgspec.Struct):
    """The models that the key is for."""

    models: list[dict[str, Any]]


class MadeForm(msgspec.Struct, omit_defaults=True):
    """A model is served under this name, after so many events."""

    model: str
    number: int
    notes: list[str] = []


class AmendedForm(msgspec.Struct):
    """An event is another one, or none; ``pending``: the old model serves until the new one is made."""

    model: str
    number: int
    pending: bool


class HealthForm(msgspec.Struct, omit_defaults=True):
    """Whether the service lives, and can learn."""

    status: str
    detail: str = ""
