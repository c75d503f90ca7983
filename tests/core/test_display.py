"""How things are shown is registered from above: what is not registered says so, subclasses look like their class."""

import subprocess
import sys

import pytest

from littlestone.core.display import Plotted, Shown, look_of, register
from littlestone.core.errors import InvalidParameter


class Point(Plotted):
    pass


class Dot(Point):
    pass


def test_a_subclass_looks_like_its_class_until_it_has_a_look_of_its_own():
    register(Point, html=lambda point: "<b>point</b>", plot=lambda point, ax, size=1: (ax, size))
    assert Dot()._repr_html_() == "<b>point</b>"
    assert Dot().plot("axes", size=3) == ("axes", 3)
    register(Dot, html=lambda dot: "<b>dot</b>")
    assert (Dot()._repr_html_(), Point()._repr_html_()) == ("<b>dot</b>", "<b>point</b>")
    with pytest.raises(InvalidParameter, match="expected something that can be drawn, got Dot"):
        Dot().plot()


def test_what_nobody_has_registered_has_no_html():
    assert Shown()._repr_html_() is None
    assert look_of(object()) == (None, None)


def test_what_draws_is_imported_by_the_first_thing_that_is_shown():
    script = (
        "import sys, littlestone as ls\n"
        "bound = ls.bounds.elimination(n=9, k=1)\n"
        "assert not any(name.startswith(('littlestone.report', 'matplotlib')) for name in sys.modules)\n"
        "assert 'mistakes ≤ 8' in bound._repr_html_()\n"
        "assert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-X", "utf8", "-c", script], check=True)
