"""Lines of svmlight and Vowpal Wabbit text read slowly and obviously, never importing littlestone.

Each line gives None (it is skipped), "bad", or a row: (label or None, {attribute: value}) and for Vowpal Wabbit also
its weight and tag. Numbers are Python's.
"""

import math
import re

NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
BLANKS = re.compile(rb"[ \t\r]+")
MOST = 1e100


class Bad(Exception):
    """A line that is refused."""


def words(text):
    return [word for word in BLANKS.split(text) if word]


def number(text):
    if not NUMBER.fullmatch(text) or not abs(float(text)) <= MOST:
        raise Bad
    return float(text)


def lines(text):
    return text.removesuffix(b"\n").split(b"\n") if text else []


def svmlight(text, *, base=1, most=2**28, unlabelled=False):
    """Return what each line gives."""

    def row(line):
        found = words(line.split(b"#")[0])
        if not found:
            return None
        label = None
        if not (unlabelled and b":" in found[0]):
            label = number(found.pop(0))
        while found and re.fullmatch(rb"qid:[0-9]+", found[0]) and label is not None:
            found.pop(0)
        pairs = {}
        for word in found:
            index, _, value = word.partition(b":")
            if not re.fullmatch(rb"[0-9]{1,18}", index) or not base <= int(index) < base + most:
                raise Bad
            if int(index) - base in pairs:
                raise Bad
            pairs[int(index) - base] = number(value)
        return label, {i: pairs[i] for i in sorted(pairs) if pairs[i] != 0.0}

    return _each(text, row)


def vw(text, *, numbers=False, most=2**28, unlabelled=False):
    """Return what each line gives."""

    def row(line):
        if not words(line):
            return None
        head, *spaces = line.split(b"|")
        if not spaces or b"\0" in line:
            raise Bad
        try:
            line.decode()
        except UnicodeDecodeError:
            raise Bad from None
        before, tag = words(head), b""
        if before and (not BLANKS.fullmatch(head[-1:]) or before[-1].startswith(b"'")):
            tag = before.pop().removeprefix(b"'")
        if len(before) > 3:
            raise Bad
        label, weight, first = ([number(word) for word in before] + [None, 1.0, 0.0][len(before) :])[:3]
        if weight < 0 or first != 0 or (label is None and not unlabelled):
            raise Bad
        pairs, total = {}, 0.0
        for space in spaces:
            found, name, scale = words(space), b"", 1.0
            if space and not BLANKS.fullmatch(space[:1]):
                name, colon, text = found.pop(0).partition(b":")
                scale = number(text) if colon else 1.0
                if not name:
                    raise Bad
            for word in found:
                feature, colon, text = word.partition(b":")
                if not feature:
                    raise Bad
                value = (number(text) if colon else 1.0) * scale
                if numbers:
                    if name or not feature.isdigit() or int(feature) >= most:
                        raise Bad
                    attribute = int(feature)
                else:
                    attribute = (name + b"^" + feature if name else feature).decode()
                pairs[attribute] = pairs.get(attribute, 0.0) + value
                total += abs(value)
                if not total <= MOST:
                    raise Bad
        return label, {a: v for a, v in pairs.items() if v != 0.0}, weight, tag.decode()

    return _each(text, row)


def _each(text, row):
    given = []
    for line in lines(text):
        try:
            given.append(row(line))
        except Bad:
            given.append("bad")
    return given


def same(a, b):
    """Tell whether two labels are the same; None and NaN are none."""
    return (a is None and math.isnan(b)) or a == b
