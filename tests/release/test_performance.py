"""The figures that docs/performance.md quotes are those of the pages that programs write: measured anew, quote anew."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = " ".join((ROOT / "docs" / "performance.md").read_text("utf-8").split())

SERVICE = "benchmarks/RESULTS-service.md"
QUOTED = [  # what is said, the page that has it, what it has there
    ("makes 11.3% on average", "README.md", r"\*\*11\.3%\*\* `Auto`"),
    ("the best of each peer 12.8% to 15.1%", "README.md", r"12\.8% `hinge` \| 14\.5% `PA` \| 15\.1% `PA`"),
    ("the fewest of these on 25 sets", "README.md", r"fewest of these four \| \*\*25\*\*"),
    ("log loss 0.259 on average", "README.md", r"\*\*0\.259\*\* \| 0\.315"),
    ("88 mistakes at n = 100,000", "docs/peers.md", r"\| Auto \| [^|]* \| [^|]* \| 88 "),
    ("additive learners make 840 to 980", "docs/peers.md", r"river LogisticRegression \|[^|]*\|[^|]*\| 838 "),
    ("2 to 4 times as fast as scikit-learn", "docs/peers.md", r"Perceptron, unshuffled \|.* 3\.09 .* 2\.00 .* 3\.74 "),
    ("12 to 51 times Vowpal Wabbit", "docs/peers.md", r"VW, parsed examples \|[^|]*\| 30\.37 .*\| 11\.59 .*\| 50\.95 "),
    ("130 to 360 times river", "docs/peers.md", r"river Perceptron \|[^|]*\| 363\.86 .*\| 129\.44 "),
    ("0.08 s where we take 0.26 s", "docs/peers.md", r"littlestone, tiny \| 0\.26 .*\n\| Vowpal Wabbit, tiny \| 0\.08"),
    ("0.08 s against 0.14 s", "docs/peers.md", r"\| littlestone \| 0\.14 [\s\S]*?\| Vowpal Wabbit \| 0\.08 "),
    ("306 MB in half of", "docs/peers.md", r"Vowpal Wabbit, one \| 1\.21 \| 26 \| 2\.05"),
    ("Vowpal Wabbit 26 MB, we 55 to 63 MB", "docs/peers.md", r"littlestone, one \| 0\.62 \| 63 "),
    ("`Auto` takes 18 to 31 times", "docs/peers.md", r"\| Auto \|[^|]*\| 22\.12 .*\| 17\.99 .*\| 31\.33 "),
    ("Winnow makes 100 mistakes", "docs/peers.md", r"at n=1,000,000 \(Winnow 100\) not: Perceptron 36"),
    ("learns 1.9 times as many rows a second as river", SERVICE, r"a second, 1\.90 times"),
    ("(2.1 times by wrk)", SERVICE, r"by wrk, 32 .* a second, 2\.06 times"),
    ("learns 4.2 times as many", SERVICE, r"\| 17,969 \|[\s\S]*?Vowpal Wabbit's daemon \| 74,594 "),
    ("learns 3.4 times as many", SERVICE, r"\| 1,830 \|[\s\S]*?river \+ FastAPI \| 6,164 "),
    ("an answer in 1 to 2 ms", "benchmarks/RESULTS-live.md", r"svm \| follow \| 1\.27 "),
    ("fewer errors on 5 of 8", "benchmarks/RESULTS-tables.md", r"ImageSegments \| 2,310 \| 0\.0536 .* 0\.0801"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "page", "there"), QUOTED, ids=[said for said, *_ in QUOTED])
def test_a_figure_is_that_of_its_page(said, page, there):
    assert said in PAGE, "the page says something else: change this list, too"
    assert re.search(there, (ROOT / page).read_text("utf-8")), f"{page} was measured anew: change docs/performance.md"
