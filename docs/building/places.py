"""Where things are: the repository, and the folders that are written."""

from pathlib import Path

__all__ = ["DOCS", "HERE", "HTML", "MAN", "ROOT", "STAGED"]

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
STAGED = ROOT / ".cache" / "site" / "source"
HTML = ROOT / ".cache" / "site" / "html"
MAN = ROOT / ".cache" / "man"
