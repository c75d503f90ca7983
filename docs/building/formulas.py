r"""Formulas of LaTeX as MathML: latex2mathml reads them; what browsers and TeX see otherwise is set right here.

Spaces around functions, limits below "min", numbers such as 10{,}000, digits in another alphabet, norms, `aligned`.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from latex2mathml.converter import convert

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["mathml"]

SPACE = "http://www.w3.org/1998/Math/MathML"
BELOW = {"min", "max", "sup", "inf", "lim", "lim sup", "lim inf", "limsup", "liminf", "arg min", "arg max", "Pr"}
SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
SIGNS = {"-", "\u2212", "+", "±"}
OPENING, CLOSING = "([{⌈⌊⟨", ")]}⌉⌋⟩"
DIGITS = {"double-struck": 0x1D7D8, "bold": 0x1D7CE}


def mathml(formula: str, *, display: str = "inline") -> str:
    r"""Return a formula as MathML; refuse what is not understood, which would be shown as it is.

    >>> mathml(r"k \log n").partition("<mrow>")[2].removesuffix("</mrow></math>")
    '<mi>k</mi><mspace width="0.167em" /><mi>log</mi><mspace width="0.167em" /><mi>n</mi>'
    >>> mathml(r"\nosuch x")
    Traceback (most recent call last):
        ...
    ValueError: no such command: \nosuch
    """
    plain = formula.replace("{aligned}", "{align*}")
    text = re.sub(r"&(?!#?\w+;)", "&amp;", convert(plain, display=display))
    made = ET.fromstring(text)  # noqa: S314 - of our own pages
    shown = unescape(" ".join(made.itertext()))
    unknown = re.findall(r"\\[a-zA-Z]+|&", shown)
    if unknown:
        raise ValueError(f"no such command: {', '.join(unknown)}")
    for parent in list(made.iter()):
        _corrected(parent, block=display == "block")
        _spaced(parent)
    ET.register_namespace("", SPACE)
    return ET.tostring(made, encoding="unicode")


def _tag(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2]


def _corrected(node: ET.Element, *, block: bool) -> None:
    """Set right one element."""
    children, text = list(node), node.text or ""
    base = children[0] if children else node
    if _tag(node) == "msub" and block and _tag(base) == "mo" and " ".join((base.text or "").split()) in BELOW:
        node.tag = node.tag.replace("msub", "munder")
        base.attrib.pop("movablelimits", None)
    elif _tag(node) == "mrow" and len(children) == 1 and _tag(base) == "mo" and base.text == ",":
        base.tag = base.tag.replace("mo", "mtext")  # {,} within a number
    elif _tag(node) == "mo" and text in {"‖", "|"} and "stretchy" not in node.attrib:
        node.attrib |= {"stretchy": "false", "lspace": "0", "rspace": "0"}
    elif _tag(node) == "mo" and _is_function(node):
        node.attrib |= {"lspace": "0", "rspace": "0"}
    elif _tag(node) == "mn" and node.get("mathvariant") in DIGITS and text.isdigit():
        first = DIGITS[node.attrib.pop("mathvariant")]
        node.text = "".join(chr(first + int(digit)) for digit in text)


def _is_function(node: ET.Element) -> bool:
    """Tell whether an element is a function such as log or max, alone or with scripts."""
    inner = node[0] if _tag(node) in SCRIPTS and len(node) else node
    return _tag(inner) in {"mi", "mo"} and re.fullmatch(r"[a-zA-Z\s]{2,}", inner.text or "") is not None


def _spaced(parent: ET.Element) -> None:
    """Set functions apart from what stands beside them, but for brackets."""
    if _tag(parent) not in {"math", "mrow", "mtd", "mstyle"}:
        return
    children = list(parent)
    for before, sign in pairwise(children):
        if _tag(sign) == "mo" and (sign.text or "") in SIGNS and _tag(before) == "mo" and _is_sign(before):
            sign.set("form", "prefix")  # the minus of a number, not between two
    found = list(_with_spaces(children))
    if len(found) > len(children):
        parent[:] = found


def _with_spaces(children: list[ET.Element]) -> Iterator[ET.Element]:
    for at, child in enumerate(children):
        yield child
        if at + 1 < len(children):
            other = children[at + 1]
            left, right = _is_function(child), _is_function(other)
            if (left and not _is_sign(other) and not _closes(other)) or (right and not _is_sign(child)):
                yield ET.Element(f"{{{SPACE}}}mspace", width="0.167em")


def _is_sign(node: ET.Element) -> bool:
    """Tell whether an element has a space of its own, or wants none: a sign that is not the end of a bracket."""
    text = node.text or ""
    if _tag(node) not in {"mo", "mi"} or _is_function(node):
        return _tag(node) == "mspace"
    return text in OPENING or (_tag(node) == "mo" and text not in CLOSING)


def _closes(node: ET.Element) -> bool:
    return (node.text or " ") in CLOSING
