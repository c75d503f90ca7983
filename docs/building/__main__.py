"""Build the site: python -m docs.building, from the root of the repository."""

from __future__ import annotations

import argparse
import sys
from shutil import rmtree

from sphinx.cmd.build import main as sphinx

from docs.building.places import HERE, HTML, STAGED
from docs.building.site import pages
from docs.building.staging import write


def main() -> int:
    """Stage all pages, and let Sphinx make HTML of them; warnings are errors."""
    asked = argparse.ArgumentParser(prog="python -m docs.building", description=__doc__)
    asked.add_argument("-j", "--jobs", default="1", help="processes that write pages, or auto")
    asked.add_argument("-q", "--quiet", action="store_true", help="print nothing but warnings")
    options = asked.parse_args()
    write(pages(), STAGED)
    kept = HTML.parent / "doctrees"
    words = ["-b", "html", "-n", "-W", "--keep-going", "-j", options.jobs, "-c", str(HERE), "-d", str(kept)]
    code: int = sphinx([*words, *(["-q"] if options.quiet else []), str(STAGED), str(HTML)])
    if code:  # a page that was read with warnings would not be read again, and the next build would have none
        rmtree(kept, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
