"""The papers, checked: every figure, table, theorem and example as a `Result`, the claim beside what was measured.

`PAPERS` has their modules by key.

>>> from littlestone.papers import PAPERS
>>> "kivinen_warmuth" in PAPERS, len(PAPERS) >= 5
(True, True)
"""

from littlestone.papers.comparisons import Comparison
from littlestone.papers.outcome import Figure, Line, Outcome, Table, Verdict
from littlestone.papers.register import PAPERS, load, selected
from littlestone.papers.reproduction import reproduce
from littlestone.papers.result import Paper, Result, claim
from littlestone.papers.runner import Checked

__all__ = [
    "PAPERS",
    "Checked",
    "Comparison",
    "Figure",
    "Line",
    "Outcome",
    "Paper",
    "Result",
    "Table",
    "Verdict",
    "claim",
    "load",
    "reproduce",
    "selected",
]
