"""The random battery: games against every learner, its options, copies, files, refusals and other sizes of blocks.

``python -m tests.battery winnow 17`` plays one game, ``python -m tests.battery 50000`` so many, some of every kind.
"""

from tests.battery.game import Find
from tests.battery.options import KINDS, NAMES, OPTIONS
from tests.battery.playing import Hang, check, limited, main

__all__ = ["KINDS", "NAMES", "OPTIONS", "Find", "Hang", "check", "limited", "main"]
