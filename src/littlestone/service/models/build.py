"""What a model was made with: where all of this is the same, the same examples give the same bits."""

from __future__ import annotations

import json
import platform
import sys
from functools import cache
from importlib.metadata import version

import numpy as np

from littlestone import __version__
from littlestone.engine.ahead import ENGINE, digest, native

__all__ = ["build"]


@cache
def build() -> str:
    """Return what this process is made of, as JSON with sorted keys.

    >>> sorted(json.loads(build()))[:4]
    ['compiled', 'engine', 'libc', 'littlestone']
    """
    facts = {
        "littlestone": __version__, "engine": digest(ENGINE), "compiled": native is not None,
        "python": f"{sys.implementation.name} {platform.python_version()}", "numpy": np.__version__,
        "numba": version("numba"), "platform": f"{sys.platform} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()),
    }  # fmt: skip
    return json.dumps(facts, sort_keys=True)
