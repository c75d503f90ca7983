"""Links between pages as they stand in the repository, turned into links between pages of the site.

A page is written for a forge: its links lead to files of the repository. In the site some files have another place,
and those that are no pages (programs) become pages of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from os.path import normpath, relpath
from pathlib import PurePosixPath as Path

from docs.building.places import ROOT

__all__ = ["place_of", "rewritten", "targets"]

OUTSIDE = {  # pages that do not stand in docs/, and where the site has them
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "src/littlestone/README.md": "house.md",
}
PICTURES = {".svg", ".png"}
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([^)\s]+)(\))")
# Two pictures, for a dark and for a light page, as a forge has them
PAIR = re.compile(
    r'<picture>\s*<source[^>]*srcset="([^"]+)">\s*<img\s+alt="([^"]*)"\s+src="([^"]+)">\s*</picture>', re.DOTALL
)
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>$', re.MULTILINE)
CODE = re.compile(r"^(```+|~~~+).*?^\1\s*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)

END = re.compile(r"\n[ \t]*(\n(?:```+|~~~+)\s*)$")  # the empty line that ends a doctest


def place_of(file: str) -> str:
    """Return where the site has a file of the repository: of docs/ in the same place, and a program as a page."""
    path = Path(file)
    if file in OUTSIDE:
        return OUTSIDE[file]
    if path.parts[0] == "benchmarks" and path.suffix == ".md":
        return f"performance/{path.name.lower()}"
    if path.parts[:2] == ("docs", "gallery"):  # sphinx-gallery makes pages of these programs
        return "gallery/index.rst" if file == "docs/gallery" else f"gallery/{path.stem}.rst"
    if path.parts[0] == "docs" and (path.suffix in PICTURES or path.suffix == ".md"):
        return str(path.relative_to("docs"))
    if path.suffix in PICTURES:
        return f"pictures/{path.name}"
    return f"source/{file}/index.md" if (ROOT / file).is_dir() else f"source/{file}.md"


def targets(page: str, text: str) -> Iterator[str]:
    """Yield the files of the repository that a page links to."""
    found: list[str] = []
    rewritten(page, text, found.append)
    yield from found


def rewritten(page: str, text: str, seen: Callable[[str], object] = lambda _: None) -> str:
    """Return the text of a page with the links of the site; ``seen`` is called with each file that is linked to."""
    here = Path(place_of(page)).parent

    def moved(target: str) -> str:
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return target
        file = normpath(Path(page).parent / path)
        seen(file)
        return relpath(place_of(file), here) + mark + anchor

    def link(match: re.Match[str]) -> str:
        return match[1] + moved(match[2]) + match[3]

    def pair(match: re.Match[str]) -> str:
        both = ((moved(match[3]), "only-light"), (moved(match[1]), "only-dark"))
        return "\n\n".join(
            f"```{{image}} {path}\n:alt: {' '.join(match[2].split())}\n:class: {looks}\n```" for path, looks in both
        )

    def prose(part: str) -> str:
        return LINK.sub(link, PAIR.sub(pair, ANCHOR.sub(r"(\1)=", part)))

    parts, at = [], 0
    for code in CODE.finditer(text):  # examples stay as they are
        parts += [prose(text[at : code.start()]), END.sub(r"\1", code[0])]
        at = code.end()
    return "".join([*parts, prose(text[at:])])
