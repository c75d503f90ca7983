"""Operations: every address with its methods, who may use it, what goes in and what comes out."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from littlestone.service.http import forms

__all__ = ["ABOUT_ROWS", "AT", "NEW_LABELS", "OPERATIONS", "Operation", "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """A parameter behind the question mark: its name, what it says, and whether it is true or false, or a number."""

    name: str
    says: str
    is_number: bool = True


AT = Parameter("at", "The number of the event as of which the model is meant; without it, as it is now.")
NEW_LABELS = Parameter("new_labels", "Whether labels that it has not met are learned.", is_number=False)


@dataclass(frozen=True)
class Operation:
    """A method of an address. ``role`` is None for those that need no key; ``once`` says that a client's key counts.

    ``reads`` and ``gives`` are media types other than JSON.
    """

    method: str
    path: str
    name: str
    says: str
    role: str | None = "admin"
    form: type[msgspec.Struct] | None = None
    line: type[msgspec.Struct] | None = None
    answers: tuple[type[msgspec.Struct], ...] = ()
    status: int = 200
    once: bool = False
    query: tuple[Parameter, ...] = ()
    reads: str = ""
    gives: str = ""
    optional: bool = False  # the body may be left out
    line_answer: type[msgspec.Struct] = forms.AnsweredLine

    @property
    def has_body(self) -> bool:
        """Whether there is one to read."""
        return self.form is not None or bool(self.reads)

    @property
    def is_audited(self) -> bool:
        """Whether it is an act of an administrator."""
        return self.role == "admin"  # who downloads a model has all that it was taught


MODEL = "/v1/models/{model}"
OCTETS = "application/octet-stream"
ABOUT_ROWS = ("predict", "learn", "ask", "label")  # the names of those that are called often
ONE_OR_MANY = (forms.AnsweredOne, forms.AnsweredMany)

# Those that are called often stand first.
OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST", f"{MODEL}/predict", "predict", "Predict a row or several; nothing changes.", "predict",
        forms.PredictForm, forms.PredictLine, (forms.PredictedOne, forms.PredictedMany),
    ),
    Operation(
        "POST", f"{MODEL}/learn", "learn", "Predict a row or several, then learn them with their labels.", "learn",
        forms.LearnForm, forms.LearnLine, ONE_OR_MANY, once=True,
    ),
    Operation(
        "POST", f"{MODEL}/ask", "ask", "Predict rows that are learned when their labels come, under their ids.",
        "learn", forms.AskForm, forms.AskLine, ONE_OR_MANY, once=True,
    ),
    Operation(
        "POST", f"{MODEL}/label", "label", "Learn rows that were asked before: their labels have come.", "learn",
        forms.LabelForm, forms.LabelLine, ONE_OR_MANY, once=True,
    ),
    Operation(
        "POST", f"{MODEL}/explain", "explain", "Say why the model decides so on rows, or what it has learned.",
        "predict", forms.ExplainForm, forms.ExplainLine, (forms.ExplainedForm, forms.ExplainedMany),
        line_answer=forms.ExplainedLine,
    ),
    Operation(
        "GET", "/v1/models", "list_models", "List the models that the key is for.", "predict",
        answers=(forms.ModelsForm,),
    ),
    Operation("GET", MODEL, "describe", "Say how a model is.", "predict", answers=(forms.ModelForm,)),
    Operation(
        "PUT", MODEL, "create", "Begin a model that has learned nothing.", form=forms.CreateForm,
        answers=(forms.MadeForm,), status=201, optional=True,
    ),
    Operation("DELETE", MODEL, "remove", "Serve a model no more, and erase what it was taught.", status=204),
    Operation(
        "GET", f"{MODEL}/file", "download", "Give the file of a model, as `ls.load` takes it.", query=(AT,),
        gives=OCTETS,
    ),
    Operation(
        "PUT", f"{MODEL}/file", "upload", "Serve a model that was trained elsewhere; its file is checked.",
        answers=(forms.MadeForm,), status=201, query=(NEW_LABELS,), reads=OCTETS,
    ),
    Operation(
        "POST", f"{MODEL}/clone", "clone", "Serve a copy of a model under another name.", form=forms.CloneForm,
        answers=(forms.MadeForm,), status=201,
    ),
    Operation(
        "POST", f"{MODEL}/switch", "switch", "Let two models exchange their names: the challenger takes over.",
        form=forms.SwitchForm, answers=(forms.MadeForm,),
    ),
    Operation(
        "POST", f"{MODEL}/roll-back", "roll_back", "Go on from the model as of an event; that can be undone.",
        form=forms.NumberForm, answers=(forms.MadeForm,),
    ),
    Operation(
        "PATCH", f"{MODEL}/examples/{{number}}", "correct", "Let the label of an example have been another one.",
        form=forms.CorrectForm, answers=(forms.AmendedForm,), status=202,
    ),
    Operation(
        "DELETE", f"{MODEL}/examples/{{number}}", "forget", "Let an example never have been, and erase it.",
        answers=(forms.AmendedForm,), status=202,
    ),
    Operation("GET", "/v1/health/live", "live", "Say that the front lives.", None, answers=(forms.HealthForm,)),
    Operation(
        "GET", "/v1/health/ready", "ready", "Say whether the models can be asked.", None, answers=(forms.HealthForm,)
    ),
    Operation("GET", "/metrics", "metrics", "Metrics for Prometheus.", "predict", gives="text/plain"),
    Operation("GET", "/v1/openapi.json", "openapi", "This document.", None),
    Operation("GET", "/docs", "docs", "A page that says all of this.", None, gives="text/html"),
)  # fmt: skip
