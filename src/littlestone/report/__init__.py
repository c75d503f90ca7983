"""What is seen: pages, plots and cards; one skeleton, one style of figures, no network and no scripts."""

from littlestone.report.contest_page import contest_page
from littlestone.report.evaluation_page import evaluation_page
from littlestone.report.explanation_page import explanation_page
from littlestone.report.page import page
from littlestone.report.run_page import run_page, run_text

__all__ = ["contest_page", "evaluation_page", "explanation_page", "page", "run_page", "run_text"]
