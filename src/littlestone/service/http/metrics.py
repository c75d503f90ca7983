"""Metrics in the text format of Prometheus, written by hand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TypeAlias

__all__ = ["CONTENT_TYPE", "Metrics", "Sample", "written"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds

Sample: TypeAlias = tuple[Mapping[str, str], float]


class Metrics:
    """What is counted of requests: how many by route, method and status, how long they took, how many rows they had.

    >>> metrics = Metrics()
    >>> metrics.done("/v1/models/{model}/learn", "POST", 200, 0.004)
    >>> metrics.rows("mail", "learn", 3)
    >>> print(metrics.text())  # doctest: +ELLIPSIS
    # HELP littlestone_requests_total Requests that were answered.
    # TYPE littlestone_requests_total counter
    littlestone_requests_total{route="/v1/models/{model}/learn",method="POST",status="200"} 1
    ...
    """

    def __init__(self) -> None:
        self.requests: dict[tuple[str, str, int], int] = {}
        self.under_way = 0
        self.refused_keys = 0
        self._rows: dict[tuple[str, str], int] = {}
        self._times: dict[str, list[float]] = {}  # of a route: a count for each bucket, all, and their sum

    def done(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        key = (route, method, status)
        self.requests[key] = self.requests.get(key, 0) + 1
        times = self._times.get(route)
        if times is None:
            times = self._times[route] = [0.0] * (len(BUCKETS) + 2)
        times[bisect_left(BUCKETS, seconds)] += 1
        times[-1] += seconds

    def rows(self, model: str, what: str, count: int) -> None:
        """Count rows that were served by a model that is there."""
        key = (model, what)
        self._rows[key] = self._rows.get(key, 0) + count

    def forget(self, model: str) -> None:
        """Count no more for a model that was removed."""
        self._rows = {key: count for key, count in self._rows.items() if key[0] != model}

    def text(self, more: Iterable[tuple[str, str, str, Iterable[Sample]]] = ()) -> str:
        """Return all of it, and more metrics: name, kind, help and samples of each."""
        requests = (
            ({"route": route, "method": method, "status": f"{status}"}, count)
            for (route, method, status), count in sorted(self.requests.items())
        )
        rows = (({"model": model, "what": what}, count) for (model, what), count in sorted(self._rows.items()))
        parts = [
            written("littlestone_requests_total", "counter", "Requests that were answered.", requests),
            written("littlestone_requests_under_way", "gauge", "Requests under way.", [({}, self.under_way)]),
            written("littlestone_wrong_keys_total", "counter", "Requests with a wrong key.", [({}, self.refused_keys)]),
            written("littlestone_rows_total", "counter", "Rows that were served.", rows),
            self._histogram(),
            *(written(*one) for one in more),
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def _histogram(self) -> str:
        name = "littlestone_request_seconds"
        lines = [
            f"# HELP {name} From the first byte of a request to the last of its answer.",
            f"# TYPE {name} histogram",
        ]
        for route, times in sorted(self._times.items()):
            total = 0.0
            for bound, count in zip((*map(repr, BUCKETS), "+Inf"), times[:-1], strict=True):
                total += count
                lines.append(f"{name}_bucket{_labels({'route': route, 'le': bound})} {_number(total)}")
            lines.append(f"{name}_sum{_labels({'route': route})} {_number(times[-1])}")
            lines.append(f"{name}_count{_labels({'route': route})} {_number(total)}")
        return "\n".join(lines) if self._times else ""


def written(name: str, kind: str, says: str, samples: Iterable[Sample]) -> str:
    r"""Return a metric as text; empty, where it has no samples.

    >>> print(written("a_total", "counter", "All.", [({"of": 'a "name"'}, 2)]))
    # HELP a_total All.
    # TYPE a_total counter
    a_total{of="a \"name\""} 2
    """
    lines = [f"{name}{_labels(labels)} {_number(value)}" for labels, value in samples]
    return "\n".join([f"# HELP {name} {says}", f"# TYPE {name} {kind}", *lines]) if lines else ""


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
