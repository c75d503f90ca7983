"""The built site: no link is dead, nothing comes from elsewhere, and a browser shows every page."""

import re
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urldefrag

import pytest

from docs.building.names import names, page_of
from tests.docs.chromium import Chromium, found

pytestmark = pytest.mark.slow
LOADED = {"script": "src", "img": "src", "source": "srcset", "link": "href", "iframe": "src", "object": "data"}
NARROW = 400


class Read(HTMLParser):
    """What a page links to, what it loads, and which places it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get(LOADED.get(tag, "")) and given.get("rel") not in ("index", "search", "next", "prev", "author"):
            self.loads.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def read(site):
    return {path: Read(path) for path in site.rglob("*.html") if path.parent.name != "_static"}


def test_every_name_has_its_page(site):
    assert all((site / f"{page_of(one)}.html").is_file() for one in names())


def test_no_link_is_dead(read):
    links = 0
    for path, page in read.items():
        for link in page.links:
            target, place = urldefrag(link)
            if re.match(r"[a-z]+:", target):
                continue
            file = (path.parent / unquote(target).partition("?")[0]).resolve() if target else path
            links += 1
            assert file.is_file(), f"{path}: {link}"
            assert not place or file not in read or unquote(place) in read[file].ids, f"{path}: {link}"
    assert links > 10_000


def test_nothing_is_loaded_from_elsewhere(site, read):
    for path, page in read.items():
        for address in page.loads:
            assert not re.match(r"(?:[a-z]+:)?//", address), f"{path}: {address}"
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        for address in re.findall(r"(?:@import\s+|url\()[\"']?([^\"')\s]+)", text):
            assert not re.match(r"(?:https?:)?//", address), f"{path}: {address}"


def test_a_learners_parameters_are_two_clicks_away(site, read):
    """From the front page over one other page to each learner."""
    first = {(site / urldefrag(link)[0]).resolve() for link in read[site / "index.html"].links if ":" not in link}
    second = {
        (path.parent / urldefrag(link)[0]).resolve()
        for path in first & read.keys() for link in read[path].links if ":" not in link
    }  # fmt: skip
    learners = [one for one in names() if one.group.key == "learners"]
    assert len(learners) > 40
    assert all((site / f"{page_of(one)}.html").resolve() in first | second for one in learners)


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if found() is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with Chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


def test_a_browser_asks_nobody_else_on_any_page(site, read, address, browser):
    """Nor does any page say that something went wrong, or need to be moved sideways on a phone."""
    browser.size(NARROW)
    for path in sorted(read):
        page = path.relative_to(site).as_posix()
        asked = browser.open(address + page)
        elsewhere = [one for one in asked if not one.startswith((address, "data:", "blob:"))]
        assert not elsewhere, f"{page}: {elsewhere}"
        failed = [one["params"] for one in browser.events if one.get("method") == "Network.loadingFailed"]
        wrong = [one["params"] for one in browser.events if one.get("method") == "Runtime.exceptionThrown"]
        assert not failed and not wrong, f"{page}: {failed}{wrong}"
        assert browser.value("document.documentElement.scrollWidth") <= NARROW, page


def test_search_needs_nobody(address, browser):
    asked = browser.open(f"{address}search.html?q=elimination")
    shown = browser.value(
        "new Promise(done => { const look = n => { const all = document.querySelectorAll('#search-results li a');"
        "all.length > 3 || n > 100 ? done([...all].map(a => a.href)) : setTimeout(look, 100, n + 1) }; look(0) })"
    )
    assert f"{address}api/Elimination.html" in {urldefrag(one)[0].partition("?")[0] for one in shown}
    sent = (one["params"] for one in browser.events if one.get("method") == "Network.requestWillBeSent")
    assert all(one.startswith(address) for one in [*asked, *(one["request"]["url"] for one in sent)])
