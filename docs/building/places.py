"""Where things are: the repository, and the folders that are written."""

from pathlib import Path

__all__ = ["DOCS", "HERE", "MAN", "ROOT", "SITE"]

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
SITE = ROOT / ".cache" / "site"
MAN = ROOT / ".cache" / "man"
