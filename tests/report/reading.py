"""HTML read with care, for tests: tags close in order, ids and references are kept."""

import re
from html.parser import HTMLParser

EMPTY = {"meta", "br", "wbr", "path", "use"}


class Reader(HTMLParser):
    """Checks that tags close in order, and keeps ids, references and texts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.refs, self.tags, self.said = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.tags.append((tag, told))
        self.ids += [told["id"]] if "id" in told else []
        self.refs += re.findall(r"#([\w-]+)\)", " ".join(filter(None, told.values())))
        inside = not told.get("href", "").startswith("data:image/png;base64")  # cells of a table, drawn as points
        self.refs += [told["href"].removeprefix("#")] if "href" in told and inside else []
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


def check_alone(text):
    """Return the page or card as read; it must be sound, and need nothing from elsewhere."""
    read = Reader(text)
    assert len(set(read.ids)) == len(read.ids)
    assert set(read.refs) <= set(read.ids)
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in read.tags}
    assert not re.search(r"https?://(?!www\.w3\.org)|@import", text)
    return read
