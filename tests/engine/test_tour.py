"""What the papers show of the engine is what it does."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("paper", ["README.md", "docs/ENGINE.md"])
def test_every_line_of_the_tour_of_the_engine_is_true(paper: str):
    text = (ROOT / paper).read_text(encoding="utf-8")
    blocks = "\n".join(EXAMPLES.findall(text))
    tour = doctest.DocTestParser().get_doctest(blocks, {}, paper, paper, 0)
    assert tour.examples
    reported: list[str] = []
    doctest.DocTestRunner(verbose=False).run(tour, out=reported.append)
    assert "".join(reported) == ""
