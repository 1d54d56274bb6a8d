"""Every error has words, and every text is safe to show."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation import language
from bot.presentation.language import gettext, long_date, speak
from bot.presentation.markup import code
from bot.presentation.refusals import refusal
from bot.services import errors
from bot.services.play import FIRST_DAY
from bot.storage.errors import ClosingError, StorageBusyError
from engine import EngineError, GameOverError, IllegalGuessError, NotationError, Problem
from tests.presentation.test_boards import NOON, a_play

PLAY = a_play(10, 1)
CAUSES: list[EngineError] = [
    *(NotationError(problem, 3, symbol="7", found=9, wanted=10) for problem in Problem),
    IllegalGuessError("12+34-5=41", 0),
    GameOverError(),
]
ERRORS: list[Exception] = [
    *(errors.GuessRefusedError(PLAY, "1+1=2", cause) for cause in CAUSES),
    errors.UnreadablePuzzleError("x"),
    errors.NoSuchPuzzleError(FIRST_DAY, 324),
    errors.FuturePuzzleError(325, FIRST_DAY, NOON, 324),
    errors.NoSuchDailyLengthError(16, 9, 13),
    errors.NoSuchPlayError(),
    errors.NotYourPlayError(7),
    errors.NotFinishedError(),
    errors.AlreadySharedError(),
    StorageBusyError(),
    ClosingError(),
]


def test_every_error_is_worded_and_none_like_another() -> None:
    words = [refusal(error) for error in ERRORS]
    assert None not in words
    assert len(set(words)) == len(words)
    assert not any("{" in (sentence or "") for sentence in words)


def test_the_table_of_errors_is_complete() -> None:
    assert {type(e) for e in ERRORS if isinstance(e, errors.ServiceError)} == set(
        errors.ServiceError.__subclasses__()
    )


def test_errors_of_ours_have_no_words() -> None:
    assert refusal(RuntimeError("a bug")) is None


@given(st.text(max_size=4000))
def test_quoted_text_means_nothing_to_discord(text: str) -> None:
    quoted = code(text)
    assert re.fullmatch(r"`[^`\n\r]+`", quoted)
    assert len(quoted) <= 42
    assert quoted.isprintable()


def test_quoted_text_reads_as_it_was_typed() -> None:
    assert code("25+4*12=73") == "`25+4*12=73`"
    assert code("  a \n b ") == "`a b`"
    assert code("`<@1>`") == "`ˋ<@1>ˋ`"
    assert code("") == code("\u202e") == "` `"


@pytest.fixture
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("How to play", "Spielregeln")
    path = tmp_path / "de" / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)


@pytest.mark.usefixtures("_german")
async def test_a_catalogue_is_all_that_a_language_needs() -> None:
    speak("de")
    assert gettext("How to play") == "Spielregeln"
    assert gettext("Guess") == "Guess"
    assert long_date(FIRST_DAY) == "Donnerstag, 1. Januar 2026"
    speak("en-GB")
    assert gettext("How to play") == "How to play"
    assert long_date(FIRST_DAY) == "Thursday, 1 January 2026"


@pytest.mark.parametrize("tag", ["pt-BR", "xx", "", "not a locale"])
async def test_languages_without_a_catalogue_are_answered_in_english(tag: str) -> None:
    speak(tag)
    assert gettext("How to play") == "How to play"
    assert long_date(FIRST_DAY) == "Thursday, January 1, 2026"
