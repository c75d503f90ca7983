"""What a model file has besides the learner."""

from __future__ import annotations

from typing import Any, NamedTuple

from littlestone.core.arrays import State

__all__ = ["Rest"]


class Rest(NamedTuple):
    """What a model has besides its learner: words and numbers for the header, and arrays.

    >>> import littlestone as ls, tempfile
    >>> path = f"{tempfile.mkdtemp()}/model.npz"
    >>> ls.model_file.save(ls.Winnow(), path, rest=ls.model_file.Rest({"made": "by hand"}, {}))
    >>> ls.model_file.load_all(path)[1].about
    {'made': 'by hand'}
    """

    about: dict[str, Any]
    arrays: State
