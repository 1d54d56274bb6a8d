"""A game's name is one text wherever it is written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.model import GameName, Source

NAMES = st.builds(GameName, st.sampled_from(Source), st.integers(0, 10**18 - 1))


@given(NAMES)
def test_a_written_name_is_read_as_the_same_game(name: GameName) -> None:
    assert GameName.read(str(name)) == name


@given(NAMES, NAMES)
def test_games_that_differ_have_names_that_differ(one: GameName, other: GameName) -> None:
    assert (str(one) == str(other)) == (one == other)


@pytest.mark.parametrize("text", ["race", "17", "play-", "play:17", "play--1", "play-1 ", "play-٣"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        GameName.read(text)
