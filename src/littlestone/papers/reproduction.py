"""reproduce: check results and write their page as HTML, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from littlestone.papers.register import selected
from littlestone.papers.runner import Checked, Progress, checked
from littlestone.papers.store import Store
from littlestone.papers.work import check_joblib
from littlestone.papers.writing import prepare, write
from littlestone.report.figure import check_matplotlib

__all__ = ["reproduce"]

FILES = ("results.json", "index.md", "index.html")


def reproduce(
    paper: str | None = None,
    result: str | None = None,
    *,
    out: str | Path,
    full: bool = False,
    seed: int = 0,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    command: str = "",
) -> list[Checked]:
    """Check one result, one paper or all of them, and write index.html, index.md and results.json into ``out``.

    What is finished is kept in ``out``/cache: an interrupted call, made again, goes on where it stopped, as long as
    the code, the parameters and the versions are the same. The three files of a page are replaced together.

    Numbers depend on the seed alone, not on ``workers``, joblib's n_jobs. Any joblib backend can do the work, a dask
    cluster too, where the workers have littlestone installed::

        from dask.distributed import Client

        with Client("tcp://...:8786"), joblib.parallel_config(backend="dask"):
            littlestone.papers.reproduce(full=True, out="here")

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> [str(one.verdict) for one in reproduce("kivinen_warmuth", "winnow-not-additive", out=folder)]
    ['corrected']
    >>> sorted(path.name for path in folder.iterdir())
    ['cache', 'index.html', 'index.md', 'results.json']
    """
    from littlestone.papers.markdown import markdown_page
    from littlestone.papers.pages import web_page

    chosen = selected(paper, result)
    check_joblib()
    check_matplotlib()
    folder = Path(out)
    prepare(folder, FILES)
    store = Store(folder / "cache")
    found = checked(chosen, store, full=full, seed=seed, workers=workers, on_progress=on_progress)
    listed = json.dumps([one.as_dict() for one in found], indent=1, allow_nan=False) + "\n"
    texts = [listed, markdown_page(found, command), web_page(found, command)]
    write({folder / name: text for name, text in zip(FILES, texts, strict=True)})
    return found
