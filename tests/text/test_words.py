"""Every error has words, and every text is safe to show."""

import re
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import get_type_hints

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from bot import refused as errors
from bot.champions import model as champions
from bot.clock import FIRST_DAY
from bot.duels import model as duels
from bot.duels.model import Ending, State
from bot.effects import DateEffect
from bot.equations import model as equations
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.focdle import model as focdle
from bot.focdle.ending_words import change_line
from bot.games import model as games
from bot.mastermind import model as mastermind
from bot.mastermind.model import Kind
from bot.people.model import Choices
from bot.posts import model as server
from bot.privacy import model as privacy
from bot.races import model as races
from bot.refusals import SENTENCES, refusal
from bot.refused import written
from bot.streaks.model import StreakChange
from bot.text import counts, labels, language
from bot.text.language import gettext, listing, long_date, npgettext, pgettext, speak
from bot.text.markup import code
from engine import (
    BullsAndCows,
    Clue,
    ContradictionError,
    EngineError,
    FalseEquationError,
    Focdle,
    GameOverError,
    Mastermind,
    NoSuchLengthError,
    NotationError,
    NotYourTurnError,
    Problem,
    RepeatedGuessError,
)
from tests.support.duel_boards import a_duel
from tests.support.mastermind_boards import a_game
from tests.support.plays import NOON, a_play
from tests.support.races import a_race

PLAY = a_play(10, 1)
HARD = replace(PLAY, rules=replace(PLAY.rules, hard=True))
# With as many copies as change a sentence.
CLUES = [(Clue.KEEP, 1), (Clue.MOVE, 1), (Clue.SHOWN, 1)] + [
    (clue, n) for clue, least in ((Clue.USE, 1), (Clue.DROP, 0)) for n in range(least, 3)
]
# Of games that the bot does not have.
ELSEWHERE = {Problem.UNKNOWN_CODE}
COLOURS_ONLY = {Problem.COLOUR_NOT_IN_PLAY, Problem.REPEATED_SYMBOL}
DIGIT_PROBLEMS = {
    Problem.EMPTY,
    Problem.UNKNOWN_SYMBOL,
    Problem.INVISIBLE,
    Problem.TOO_SHORT,
    Problem.TOO_LONG,
    Problem.REPEATED_SYMBOL,
}
PEG_PROBLEMS = COLOURS_ONLY | {
    Problem.EMPTY,
    Problem.UNKNOWN_SYMBOL,
    Problem.INVISIBLE,
    Problem.TOO_SHORT,
    Problem.TOO_LONG,
}
CAUSES: list[EngineError] = [
    *(
        NotationError(problem, 3, symbol="7", found=9, wanted=10)
        for problem in Problem
        if problem not in COLOURS_ONLY | ELSEWHERE
    ),
    RepeatedGuessError("12+34-5=41", 0),
    FalseEquationError("12+34-5=42", 41, 42),
    *(ContradictionError("12+34-5=41", 0, c, symbol="7", position=3, copies=n) for c, n in CLUES),
    GameOverError(),
]
GAME = a_game(Kind.CHALLENGE, Mastermind(), 1)
PEG_CAUSES: list[EngineError] = [
    *(NotationError(p, 3, symbol="R", found=3, wanted=4) for p in PEG_PROBLEMS),
    NotationError(Problem.UNKNOWN_SYMBOL, 3, symbol="rde", meant="red"),
    RepeatedGuessError("RRGB", 0),
]
MASTERMIND_ERRORS: list[Exception] = [
    *(
        mastermind.MastermindRefusedError(game=GAME, text="RRG", cause=cause)
        for cause in PEG_CAUSES
    ),
    *(
        mastermind.CodeRefusedError(rules=GAME.rules, text="RRG", cause=cause)
        for cause in PEG_CAUSES[:-1]
    ),
    *(
        mastermind.WrongSettingError(field=field, found=2, lowest=3, highest=6)
        for field in ("pegs", "colours", "guesses")
    ),
    mastermind.PegsBeyondColoursError(pegs=6, chosen=4),
    errors.RankedGameError(game_id=7, rules=Mastermind(), is_sealable=True),
    errors.RankedGameError(game_id=7, rules=Mastermind(), is_sealable=False),
    mastermind.AlreadyInvitedError(game=GAME),
    mastermind.AlreadyInvitedError(game=replace(GAME, message_id=None)),
    mastermind.NotInvitedError(player_id=7, guild_id=1),
    mastermind.NotInvitedError(player_id=7, is_challenger=True, guild_id=1),
    mastermind.NotAcceptedError(game=GAME),
    mastermind.AlreadyAcceptedError(game=GAME),
    mastermind.ChallengeChangedError(game=GAME),
    mastermind.RowIncompleteError(game=GAME),
    mastermind.RowIncompleteError(game=replace(GAME, pending="R" * (GAME.rules.pegs - 1))),
    mastermind.ColourUsedError(game=GAME, symbol="R"),
    mastermind.ImpossibleAnswerError(guess="RRGB", blacks=5, whites=None),
    mastermind.ImpossibleAnswerError(guess="RRGB", blacks=3, whites=1),
]
EQUATION_ERRORS: list[Exception] = [
    equations.EquationRefusedError(text="1+1", cause=cause)
    for cause in (
        NotationError(Problem.NO_EQUALS, 3),
        FalseEquationError("12+34-5=42", 41, 42),
        NoSuchLengthError(16, 7, 15),
    )
]
RACE_ERRORS: list[Exception] = [
    races.RaceGuessRefusedError(
        board=races.RaceBoard(races.RaceView(race, NOON), race.seats[0], Choices()),
        text=text,
        cause=NotationError(Problem.UNKNOWN_SYMBOL, 3, symbol="?"),
    )
    for text, rules in (("1+1", Focdle()), ("RRO", Mastermind()), ("432", BullsAndCows()))
    for race in [a_race(rules)]
]
DUEL = a_duel()
DUEL_CAUSES: list[EngineError] = [
    *(NotationError(p, 3, symbol="7", found=3, wanted=4) for p in DIGIT_PROBLEMS),
    RepeatedGuessError("1234", 0),
]
DUEL_ERRORS: list[Exception] = [
    *(duels.NotChallengedError(player_id=5, is_own=own, guild_id=1) for own in (True, False)),
    *(duels.DuelRefusedError(view=DUEL, text="123", cause=cause) for cause in DUEL_CAUSES),
    duels.DuelRefusedError(view=DUEL, text="", cause=NotYourTurnError("", 0)),
    duels.DuelRefusedError(
        view=a_duel(state=State.OVER, ending=Ending.SOLVED), text="1", cause=GameOverError()
    ),
    *(
        duels.NumberRefusedError(rules=DUEL.duel.rules, text="123", cause=cause)
        for cause in DUEL_CAUSES[:-1]
    ),
    errors.UnfinishedDailyError(number=12, symbols=9),
    errors.RatedDuelError(rules=Mastermind(), duel_id=1, player_id=7, numbers=DUEL.duel.rules),
    duels.NotYourDuelError(player_ids=(7, 8), guild_id=1),
    duels.NotAcceptedYetError(view=DUEL),
    duels.AlreadyUnderWayError(view=DUEL),
    duels.AlreadyUnderWayError(view=a_duel(state=State.SETTING)),
    duels.TermsChangedError(view=a_duel(state=State.INVITED, terms=1)),
    duels.NewNumberError(rules=BullsAndCows(5)),
    duels.NoDrawOfferedError(view=DUEL),
    duels.NoDrawOfferedError(view=a_duel(draw_offered_by=0)),
]
# Those of which a sentence depends on their facts; in all others they only fill its placeholders.
ERRORS: list[Exception] = [
    *MASTERMIND_ERRORS,
    *EQUATION_ERRORS,
    *RACE_ERRORS,
    *DUEL_ERRORS,
    champions.ChampionRoleStrongError(role_id=7, missing=["manage_messages"]),
    champions.ChampionRoleStrongError(role_id=7, missing=["view_channel"], channel_id=8),
    privacy.NotConfirmedError(text="no"),
    privacy.NotConfirmedError(text=" "),
    privacy.ServerNotNamedError(text="no", name="Dice"),
    privacy.ServerNotNamedError(text=" ", name="Dice"),
    privacy.ExportTooLargeError(most=10_000_000),
    *(focdle.GuessRefusedError(play=PLAY, text="1+1=2", cause=cause) for cause in CAUSES),
    errors.UnknownZoneError(text="Tokio", proposals=["Asia/Tokyo"]),
    errors.UnknownZoneError(text="eastern", proposals=["US/Eastern", "Canada/Eastern"]),
    errors.UnknownZoneError(text="qqq", proposals=[]),
    errors.UnknownZoneError(text=" ", proposals=["UTC"]),
    server.ServerZoneTooSoonError(again_at=NOON),
    server.ChannelUnusableError(channel_id=7, missing=[]),
    server.ChannelUnusableError(channel_id=7, missing=["send_messages"]),
    server.ChannelUnusableError(channel_id=7, missing=["view_channel", "send_messages"]),
    server.RoleUnusableError(role_id=7),
    server.RoleUnusableError(role_id=7, is_everyone=True),
    errors.MayNotSpeakError(channel_id=7, instead=labels.SHARE_IN),
    errors.MayNotSpeakError(channel_id=7, instead=labels.SHARE_DAILY_IN, elsewhere=(8, 9)),
    server.ThreadsUnusableError(channel_id=None, missing=[]),
    server.ThreadsUnusableError(channel_id=7, missing=[]),
    server.ThreadsUnusableError(channel_id=7, missing=["create_private_threads"]),
    server.ThreadsUnusableError(channel_id=7, missing=["create_private_threads", "manage_threads"]),
    NoSuchLengthError(16, 7, 15),
    focdle.GuessRefusedError(play=HARD, text="1+1=3", cause=FalseEquationError("1+1=3", 2, 3)),
    games.NotAPlayerError(player_ids=(7, 8), guild_id=1),
]


A_FACT: dict[object, object] = {int: 7, str: "x", date: FIRST_DAY, datetime: NOON}
DURING_A_GAME = [StorageBusyError, ClosingError, UnusableDatabaseError, LostDatabaseError]


def concrete(kind: type[errors.Refused]) -> set[type[errors.Refused]]:
    further = kind.__subclasses__()
    return {leaf for each in further for leaf in concrete(each)} if further else {kind}


TELL: set[type[errors.Refused]] = {
    kind for kind in concrete(errors.Refused) if kind.told is not errors.Refused.told
}
PLAIN: list[type[Exception]] = [
    *(kind for kind, sentence in SENTENCES.items() if isinstance(sentence, str)),
    *sorted((kind for kind in concrete(errors.Refused) if kind.sentence), key=str),
]


def raised(kind: type[Exception]) -> Exception:
    """A reason as it is raised somewhere: with the facts that it must have, and None if it may."""
    if not issubclass(kind, errors.Refused):
        return kind()
    facts = get_type_hints(kind).items()
    return kind(**{name: A_FACT.get(type_) for name, type_ in facts if not hasattr(kind, name)})


def test_every_reason_of_refusal_has_one_sentence() -> None:
    said = [kind for kind in SENTENCES if issubclass(kind, errors.Refused)]
    told = [kind for kind in concrete(errors.Refused) if kind.sentence]
    assert sorted([*said, *told, *TELL], key=str) == sorted(concrete(errors.Refused), key=str)


@pytest.mark.parametrize("kind", DURING_A_GAME)
def test_a_player_who_meets_an_unreachable_database_reads_what_to_do(
    kind: type[StorageError],
) -> None:
    assert "Try again" in (refusal(raised(kind)) or "")


def test_every_refusal_has_examples_here_and_no_two_examples_have_the_same_sentence() -> None:
    assert {type(error) for error in ERRORS} == (SENTENCES.keys() | TELL) - set(PLAIN)
    words = [refusal(error) for error in (*ERRORS, *map(raised, PLAIN))]
    assert len(set(words)) == len(words)
    assert not any("{" in (sentence or "{") for sentence in words)


def test_the_name_or_the_type_of_a_fact_decides_how_a_sentence_writes_it() -> None:
    future = focdle.FuturePuzzleError(number=1325, day=FIRST_DAY, opens_at=NOON, today=324)
    assert written(future) == {
        "number": "1325",
        "day": "Thursday, January 1, 2026",
        "opens_at": f"<t:{int(NOON.timestamp())}:R>",
        "today": "324",
    }
    assert written(errors.CannotSeeChannelError(player_id=7, channel_id=8)) == {
        "player": "<@7>",
        "channel": "<#8>",
    }
    assert written(server.RoleUnusableError(role_id=7, is_everyone=True)) == {"role": "<@&7>"}
    assert written(duels.TooManyDuelsError(duels=1)) == {"duels": "1 duel"}
    assert written(server.ThreadsUnusableError(channel_id=None, missing=[])) == {}


@pytest.mark.parametrize(
    "error",
    [
        focdle.UnreadablePuzzleError(text="{number} {0}"),
        focdle.GuessRefusedError(
            play=PLAY,
            text="{number} {0}",
            cause=NotationError(Problem.TOO_SHORT, 3, found=1, wanted=10),
        ),
        errors.UnknownZoneError(text="{number} {0}", proposals=["UTC"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_typed_text_is_never_treated_as_a_placeholder(error: Exception) -> None:
    assert "`{number} {0}`" in (refusal(error) or "")


def test_an_internal_error_has_no_sentence_for_players() -> None:
    assert refusal(RuntimeError("a bug")) is None


@given(st.text(max_size=4000))
def test_quoted_text_has_no_effect_as_discord_markup(text: str) -> None:
    quoted = code(text)
    assert re.fullmatch(r"`[^`\n\r]+`", quoted)
    assert len(quoted) <= 42
    assert quoted.isprintable()


def test_quoted_text_is_displayed_as_it_was_typed() -> None:
    assert code("25+4*12=73") == "`25+4*12=73`"
    assert code("  a \n b ") == "`a b`"
    assert code("`<@1>`") == "`ˋ<@1>ˋ`"
    assert code("") == code("\u202e") == "` `"


@pytest.fixture
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("How to play", "Spielregeln")
    catalogue.add("Draw", "Unentschieden", context="an end")
    catalogue.add(("{n} day", "{n} days"), ("{n} Tag", "{n} Tagen"), context="after {n}")
    path = tmp_path / "de" / "LC_MESSAGES" / "bot.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)
    find = language._speech_of.__wrapped__  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(language, "_speech_of", cache(find))


@pytest.mark.usefixtures("_german")
async def test_a_new_language_needs_only_its_catalogue() -> None:
    speak("de")
    assert gettext("How to play") == "Spielregeln"
    assert gettext("Guess") == "Guess"
    assert (pgettext("an end", "Draw"), pgettext("a card", "Draw")) == ("Unentschieden", "Draw")
    days = [npgettext("after {n}", "{n} day", "{n} days", n) for n in (1, 2)]
    assert days == ["{n} Tag", "{n} Tagen"]
    assert listing(["Ann", "Ben", "Cleo"]) == "Ann, Ben und Cleo"
    assert listing(["hier", "dort"], either=True) == "hier oder dort"
    assert counts.ordinal(2) == "2th"  # German has one form, whose words this catalogue lacks
    assert long_date(FIRST_DAY) == "Donnerstag, 1. Januar 2026"
    speak("en-GB")
    assert gettext("How to play") == "How to play"
    assert long_date(FIRST_DAY) == "Thursday, 1 January 2026"


@pytest.mark.parametrize("tag", ["fi", "xx", "", "not a locale"])
async def test_a_player_whose_language_has_no_catalogue_is_answered_in_english(tag: str) -> None:
    speak(tag)
    assert gettext("How to play") == "How to play"
    assert long_date(FIRST_DAY) == "Thursday, January 1, 2026"


def test_every_reason_for_a_change_of_a_streak_has_its_own_words() -> None:
    lines = {change_line(StreakChange(FIRST_DAY, reason, 4, 5, 1)) for reason in DateEffect}
    assert len(lines) == len(DateEffect)
    assert all(line.startswith("Jan 1: ") and "{" not in line for line in lines)
