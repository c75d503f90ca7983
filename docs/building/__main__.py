"""Build the site: python -m docs.building, from the root of the repository."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from shutil import rmtree

from sphinx.cmd.build import main as sphinx

from docs.building.places import HERE, SITE
from docs.building.site import pages
from docs.building.staging import write


def main() -> int:
    """Stage all pages, and let Sphinx make HTML of them; warnings are errors."""
    asked = argparse.ArgumentParser(prog="python -m docs.building", description=__doc__)
    asked.add_argument("-j", "--jobs", default="1", help="processes that read and write pages, or auto")
    asked.add_argument("-q", "--quiet", action="store_true", help="print nothing but warnings")
    asked.add_argument("--folder", type=Path, default=SITE, help="where the pages are staged, and the site goes")
    options = asked.parse_args()
    staged, html, kept = (options.folder / name for name in ("source", "html", "doctrees"))
    write(pages(), staged)
    words = ["-b", "html", "-n", "-W", "--keep-going", "-j", options.jobs, "-c", str(HERE), "-d", str(kept)]
    code: int = sphinx([*words, *(["-q"] if options.quiet else []), str(staged), str(html)])
    if code:  # a page that was read with warnings would not be read again, and the next build would have none
        rmtree(kept, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
