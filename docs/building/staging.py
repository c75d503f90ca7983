"""The pages of the site, gathered: those of docs/, those that stand elsewhere, and whatever they link to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.building.links import OUTSIDE, place_of, rewritten, targets
from docs.building.places import DOCS, ROOT

__all__ = ["Pages", "gathered", "write"]

Pages = dict[str, str | bytes]  # by their place in the site
LANGUAGES = {".py": "python", ".json": "json", ".toml": "toml", ".sh": "bash", ".h": "c", ".c": "c"}
NOT_PAGES = {"building", "gallery"}  # folders of docs/ that hold programs; sphinx-gallery reads the gallery itself


def written() -> Iterator[str]:
    """Yield the pages that somebody wrote, as files of the repository."""
    yield from OUTSIDE
    for folder in (DOCS, ROOT / "benchmarks"):
        for path in sorted(folder.rglob("*.md")):
            if path.relative_to(folder).parts[0] not in NOT_PAGES:
                yield path.relative_to(ROOT).as_posix()


def gathered() -> Pages:
    """Return the pages that somebody wrote, with the links of the site, and the files that they link to."""
    found: Pages = {}
    linked: dict[str, str] = {}
    for page in written():
        text = (ROOT / page).read_text(encoding="utf-8")
        found[place_of(page)] = rewritten(page, text)
        linked.update(dict.fromkeys(targets(page, text), page))
    for file, page in linked.items():
        if place_of(file) not in found:
            if not (ROOT / file).exists():
                raise FileNotFoundError(f"{page} links to {file}, which does not exist")
            if not place_of(file).startswith("gallery/"):
                found.update(file_pages(file))
    return found


def file_pages(file: str) -> Pages:
    """Return what the site has for a file that is no page: a picture as it is, a program or a folder as pages."""
    path, place = ROOT / file, place_of(file)
    if path.is_dir():
        inner = [f"{file}/{one.name}" for one in sorted(path.iterdir()) if one.suffix in LANGUAGES]
        lines = "".join(f"- [{Path(one).name}]({Path(one).name}.md)\n" for one in inner)
        pages: Pages = {place: f"---\norphan: true\n---\n# {file}\n\n{lines}"}
        return pages | {key: page for one in inner for key, page in file_pages(one).items()}
    return {place: program_page(path, file) if place.startswith("source/") else path.read_bytes()}


def program_page(path: Path, file: str) -> str:
    """Return a page that shows a program or another file of text."""
    fence = "`" * 6
    return (
        f"---\norphan: true\n---\n# {file}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n"
        f"{path.read_text(encoding='utf-8').rstrip()}\n{fence}\n"
    )


def write(pages: Pages, folder: Path) -> None:
    """Make a folder hold these pages and no others; what has not changed is left alone, so that Sphinx skips it."""
    for place, page in pages.items():
        path, content = folder / place, page if isinstance(page, bytes) else page.encode()
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        if path.is_file() and inner.as_posix() not in pages and inner.parts[0] != "gallery":  # sphinx-gallery's
            path.unlink()
