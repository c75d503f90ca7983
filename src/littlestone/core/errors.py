"""Everything littlestone raises on purpose.

::

    LittlestoneError
    ├── InvalidParameter   a parameter outside its range, or one that does not exist    (ValueError)
    ├── InvalidData        rows, columns or values that an algorithm cannot take       (ValueError)
    ├── InvalidLabel       outcomes that are not two known labels                      (ValueError)
    ├── InvalidCertificate a ledger that does not add up, or is not of this stream     (ValueError)
    ├── InvalidModel       a model file that is damaged, or not of a learner known here (ValueError)
    ├── InUse              an object that another thread uses, while one learns with it (RuntimeError)
    ├── TooLarge           an exact answer that would take too long or too much room   (ValueError)
    └── UnknownSize        the number of attributes is needed and not known            (ValueError)

    DivergenceWarning      a learning rate with which weights may grow without end     (UserWarning)
    TaskWarning            labels that are taken for numbers, where nobody said        (UserWarning)

Each message gives the place, what was expected, what was found, and what to do. Options are kept as data, so that the
command line can say ``--labels NEG,POS`` where Python says ``labels=(negative, positive)``.
"""

from littlestone.core.messages import Message, Remedy

__all__ = [
    "DivergenceWarning",
    "InUse",
    "InvalidCertificate",
    "InvalidData",
    "InvalidLabel",
    "InvalidModel",
    "InvalidParameter",
    "LittlestoneError",
    "TaskWarning",
    "TooLarge",
    "UnknownSize",
]


class LittlestoneError(Exception):
    """The base of every error that littlestone raises on purpose.

    >>> import littlestone as ls
    >>> try:
    ...     ls.Winnow(alpha=0.5)
    ... except ls.LittlestoneError as error:
    ...     print(type(error).__name__, isinstance(error, ValueError))
    InvalidParameter True
    """

    def __init__(self, message: str = "", *remedies: Remedy | str) -> None:
        self.message = Message(message, *remedies)
        super().__init__(str(self.message))


class InUse(LittlestoneError, RuntimeError):
    """Two threads use a learner at once, and one of them learns; the second is refused, and nothing has changed.

    >>> import time
    >>> import littlestone as ls
    >>> learner = ls.Winnow(theta=2.0)
    >>> def answer(row):
    ...     while True:
    ...         try:
    ...             return learner.predict_one(row)
    ...         except ls.InUse:  # another thread is teaching it
    ...             time.sleep(0.001)
    >>> answer({"rain"})
    0
    """


class InvalidParameter(LittlestoneError, ValueError):
    """A parameter is outside its range, or there is no such parameter.

    >>> import littlestone as ls
    >>> ls.Winnow(alpha=0.5)
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidParameter: Winnow: alpha must be a number > 1, got 0.5
    >>> ls.Winnow(alhpa=1.5)
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidParameter: Winnow: no parameter 'alhpa'; did you mean alpha? it takes alpha,
    demotion, theta, w1, bias, tie, randomized, seed, averaged, margin, negations, dtype
    """


class InvalidData(LittlestoneError, ValueError):
    """A row, a column or a value is not one that the algorithm can take.

    >>> import littlestone as ls
    >>> ls.Winnow().learn([[1, -1]], [1])
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidData: Winnow: row 0, attribute 1: expected a value >= 0, got -1
    """


class InvalidLabel(LittlestoneError, ValueError):
    """The outcomes are not two known labels.

    >>> import littlestone as ls
    >>> ls.Winnow().learn([[1, 0], [0, 1], [1, 1]], ["red", "green", "blue"])
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidLabel: y: expected two labels, got 3: 'blue', 'green', 'red'; for more than two
    labels take Auto(), WinnerTakesAll() or MulticlassPerceptron() (-l auto, winner-takes-all or
    multiclass-perceptron)
    """


class InvalidCertificate(LittlestoneError, ValueError):
    """A certificate's ledger does not add up, or is not that of this stream.

    >>> import littlestone as ls
    >>> from dataclasses import replace
    >>> stream = ls.teachers.Disjunction(n=50, k=2, trials=1000)
    >>> certificate = ls.play(ls.Winnow(), stream).certificate({0, 1})
    >>> try:
    ...     ls.verify(replace(certificate, bound=1.0), stream)
    ... except ls.InvalidCertificate as error:
    ...     print(error)
    bound: the certificate has 1.0, and it is 37
    """


class InvalidModel(LittlestoneError, ValueError):
    """A model file is damaged, or not that of a learner known here.

    >>> import littlestone as ls, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.npz"
    >>> _ = path.write_bytes(b"no model")
    >>> try:
    ...     ls.load(path)
    ... except ls.InvalidModel as error:
    ...     print(str(error).replace(str(path), "model.npz"))
    model.npz: expected an npz archive, got something else (BadZipFile: File is not a zip file); the file is
    damaged, or no model: take a copy of it, or train again
    """


class TooLarge(LittlestoneError, ValueError):
    """An exact answer would take too long or too much room; the message names what to ask instead.

    >>> import littlestone as ls
    >>> ls.reductions.count_models([(i, i + 1) for i in range(0, 200, 2)], n=200)
    Traceback (most recent call last):
        ...
    littlestone.core.errors.TooLarge: kernel_winnow_instance: expected at most 65,536 attributes and weights of
    524,288 bits, got more for n=200 and alpha=2; take fewer variables or a larger alpha
    """


class UnknownSize(LittlestoneError, ValueError):
    """The number of attributes is needed and not known.

    >>> import littlestone as ls
    >>> ls.Winnow().learn_one({"rain"}, 1)
    Traceback (most recent call last):
        ...
    littlestone.core.errors.UnknownSize: Winnow: the number of attributes is needed to resolve its parameters, and
    is not known; call begin(n=...), learn from an array first, or set the parameters that are None
    """


class DivergenceWarning(UserWarning):
    """The learning rate of a regressor is too large for its rows: steps go beyond the outcome, farther and farther.

    >>> import warnings
    >>> import littlestone as ls
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     learner = ls.GradientDescent(eta=2.0).learn([[1, 1, 1]], [1.0])
    >>> said[0].category.__name__
    'DivergenceWarning'
    """


class TaskWarning(UserWarning):
    """Labels look like numbers to be predicted, and nobody said what they are: a regressor learns them.

    >>> import warnings
    >>> import littlestone as ls
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     model = ls.Model.train([{"x": i, "y": 0.5 + i} for i in range(9)], label="y")
    >>> print(said[0].message)
    outcomes are numbers: regression; task='classification' takes them as labels
    """
