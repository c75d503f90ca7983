"""Lines of JSON, of SNoW's format and of CSV without quotes judged slowly, never importing littlestone.

A line gives None (it is no row), "bad" or "row"; "either" where the rules leave it to what stands around it.
"""

import json
import math
import re

MOST_ID = 2**32 - 2
MOST = 1e100
LONGEST_CELL = 131072
MISSING = {"", "?", "NA", "N/A", "NaN", "nan", "null"}
LABELS = (0, 1)


def jsonl(line):
    try:
        text = line.decode()
        if not text or text.isspace():
            return None
        found = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return "bad"
    if not _clean(found) or not isinstance(found, dict):
        return "bad"
    key = next((key for key in ("label", "class", "target", "y") if key in found), None)
    if key is None or not _is_label(found[key]) or _label(found[key]) not in LABELS:
        return "bad"
    features = found.get("features")
    if isinstance(features, list | dict):
        weight = found.get("weight", 1.0)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MOST:
            return "bad"
    else:
        features = {name: value for name, value in found.items() if name != key}
    return "row" if _attributes(features) else "bad"


def _attributes(features):
    names = []
    if isinstance(features, list):
        if any(isinstance(name, bool) or not isinstance(name, str | int) for name in features):
            return False
        names = [str(name) for name in features]
    else:
        for name, value in features.items():
            if isinstance(value, str):
                names.append(f"{name}={value.strip()}")
            elif isinstance(value, int | float):
                if not abs(value) <= MOST:
                    return False
                names.append(name)
            elif value is not None:
                return False
    return len(set(names)) == len(names)


def _pairs(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def _refuse(text):
    raise ValueError(text)


def _clean(found):
    """Tell whether no text in it has a zero or half of a surrogate pair."""
    if isinstance(found, dict):
        return all(_clean(part) for pair in found.items() for part in pair)
    if isinstance(found, list):
        return all(map(_clean, found))
    return not isinstance(found, str) or not re.search("[\0\ud800-\udfff]", found)


def _is_label(label):
    if isinstance(label, str):
        return bool(label.strip())
    return isinstance(label, int) or (isinstance(label, float) and math.isfinite(label))


def _label(label):
    if not isinstance(label, str):
        return label
    text = label.strip()
    if text in {"True", "true", "TRUE", "False", "false", "FALSE"}:
        return text.lower() == "true"
    try:
        return text if "_" in label else float(label)  # which knows fewer kinds of space than strip
    except ValueError:
        return text


def snow(line):
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "bad"
    if not text or text.isspace():
        return None
    text = text.strip()
    if not text.endswith(":"):
        return "bad"
    ids = []
    for part in text[:-1].split(",") if text != ":" else []:
        found = re.fullmatch(r"\s*(\d{1,10})\s*(?:\(\s*([^()]*?)\s*\))?\s*", part, re.ASCII)
        if not found or int(found[1]) > MOST_ID:
            return "bad"
        if found[2] is not None:
            decimal = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", found[2], re.ASCII)
            if not decimal or not abs(float(found[2])) <= MOST:
                return "bad"
        ids.append(int(found[1]))
    return "row" if len(set(ids)) == len(ids) and len(set(ids) & set(LABELS)) == 1 else "bad"


def table(line, delimiter):
    """A line of the columns a (any words), b (numbers), t (text), y (0 or 1)."""
    line = line.removesuffix(b"\r")
    if not line:
        return None
    if b"\r" in line:
        return "either"
    try:
        cells = line.decode().split(delimiter)
    except UnicodeDecodeError:
        return "bad"
    if b"\0" in line or len(cells) != 4 or max(map(len, cells)) > LONGEST_CELL:
        return "bad"
    number = cells[1].strip()
    if number not in MISSING:
        try:
            if "_" in cells[1] or not abs(float(cells[1])) <= MOST:
                return "bad"
        except ValueError:
            return "bad"
    return "row" if cells[3].strip() not in MISSING and _label(cells[3]) in LABELS else "bad"
