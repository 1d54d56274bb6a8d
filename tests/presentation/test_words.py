"""Every error has words, and every text is safe to show."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ClosingError, StorageBusyError
from bot.model.dailies import FIRST_DAY, PuzzleName
from bot.model.hints import HintKind
from bot.model.streaks import Change, Reason, Streak
from bot.presentation.base import language
from bot.presentation.base.language import gettext, long_date, speak
from bot.presentation.base.markup import code
from bot.presentation.focdle.streaks import streak_lines
from bot.presentation.refusals import refusal
from bot.services.base import errors
from bot.services.coach import errors as coach
from bot.services.duels import errors as duels
from bot.services.duels.transitions import Ending, State
from bot.services.focdle import errors as focdle
from bot.services.mastermind import errors as mastermind
from bot.services.mastermind.model import Kind
from bot.services.privacy import errors as privacy
from bot.services.server import errors as server
from bot.services.standings.errors import StatsHiddenError, StatsOfStrangerError
from engine import (
    Clue,
    Code,
    ContradictionError,
    EngineError,
    FalseEquationError,
    GameOverError,
    Mastermind,
    Mode,
    NoSuchLengthError,
    NotationError,
    NotYourTurnError,
    Problem,
    RepeatedGuessError,
)
from tests.support.duel_boards import a_duel
from tests.support.mastermind_boards import a_game
from tests.support.plays import NOON, a_play

PLAY = a_play(10, 1)
HARD = replace(PLAY, rules=replace(PLAY.rules, hard=True))
# With as many copies as change a sentence.
CLUES = [(Clue.KEEP, 1), (Clue.MOVE, 1)] + [
    (clue, n) for clue, least in ((Clue.USE, 1), (Clue.DROP, 0)) for n in range(least, 3)
]
COLOURS_ONLY = {Problem.COLOUR_NOT_IN_PLAY, Problem.REPEATED_SYMBOL}
DIGIT_PROBLEMS = {
    Problem.EMPTY,
    Problem.UNKNOWN_SYMBOL,
    Problem.TOO_SHORT,
    Problem.TOO_LONG,
    Problem.REPEATED_SYMBOL,
}
PEG_PROBLEMS = COLOURS_ONLY | {
    Problem.EMPTY,
    Problem.UNKNOWN_SYMBOL,
    Problem.TOO_SHORT,
    Problem.TOO_LONG,
}
CAUSES: list[EngineError] = [
    *(
        NotationError(problem, 3, symbol="7", found=9, wanted=10)
        for problem in Problem
        if problem not in COLOURS_ONLY
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
    *(mastermind.MastermindRefusedError(GAME, "RRG", cause) for cause in PEG_CAUSES),
    *(mastermind.CodeRefusedError(GAME.rules, "RRG", cause) for cause in PEG_CAUSES[:-1]),
    *(mastermind.WrongSettingError(field, 2, 3, 6) for field in ("pegs", "colours", "guesses")),
    mastermind.PegsBeyondColoursError(6, 4),
    mastermind.TooManyGamesError(10),
    mastermind.RankedGameError(7, Mastermind(), is_sealable=True),
    mastermind.RankedGameError(7, Mastermind(), is_sealable=False),
    mastermind.SelfChallengeError(),
    mastermind.BotChallengeError(),
    mastermind.AlreadyInvitedError(GAME),
    mastermind.AlreadyInvitedError(replace(GAME, message_id=None)),
    mastermind.BoardUnpostableError(8, is_gone=True),
    mastermind.BoardUnpostableError(8, is_gone=False),
    mastermind.NoSuchGameError(),
    mastermind.NotYourGameError(7),
    mastermind.NotInvitedError(7),
    mastermind.NotInvitedError(7, is_challenger=True),
    mastermind.NotWithdrawableError(7),
    mastermind.GameFinishedError(GAME),
    mastermind.NotAcceptedError(GAME),
    mastermind.AlreadyAcceptedError(GAME),
    mastermind.RowFullError(GAME),
    mastermind.RowIncompleteError(GAME),
    mastermind.RowIncompleteError(replace(GAME, pending="R" * (GAME.rules.pegs - 1))),
    mastermind.ColourUsedError(GAME, "R"),
    mastermind.ImpossibleAnswerError(Code("RRGB"), 5, None),
    mastermind.ImpossibleAnswerError(Code("RRGB"), 3, 1),
]
DUEL = a_duel()
RACE = a_duel(mode=Mode.RACE)
DUEL_CAUSES: list[EngineError] = [
    *(NotationError(p, 3, symbol="7", found=3, wanted=4) for p in DIGIT_PROBLEMS),
    RepeatedGuessError("1234", 0),
]
DUEL_ERRORS: list[Exception] = [
    *(duels.DuelRefusedError(DUEL, "123", cause) for cause in DUEL_CAUSES),
    duels.DuelRefusedError(DUEL, "", NotYourTurnError("", 0)),
    duels.DuelRefusedError(RACE, "", GameOverError()),
    duels.DuelRefusedError(a_duel(state=State.OVER, ending=Ending.SOLVED), "1", GameOverError()),
    *(duels.SecretRefusedError(DUEL, "123", cause) for cause in DUEL_CAUSES[:-1]),
    duels.WrongDigitsError(7, 3, 6),
    duels.CannotBeRatedError(Mode.CLASSIC, against_bot=False),
    duels.CannotBeRatedError(Mode.RACE, against_bot=True),
    duels.SelfDuelError(),
    duels.OtherBotDuelError(),
    duels.TooManyDuelsError(10),
    duels.TooManyDuelsOfPairError(7, 3),
    duels.NoSuchDuelError(),
    duels.NotYourDuelError((7,)),
    duels.NotYourDuelError((7, 8)),
    duels.NotChallengedError(7),
    duels.NotChallengerError(7),
    duels.DuelOverError(DUEL),
    duels.DuelGoesOnError(DUEL),
    duels.NotAcceptedYetError(DUEL),
    duels.AlreadyUnderWayError(DUEL),
    duels.AlreadyUnderWayError(a_duel(state=State.SETTING)),
    duels.HasBegunError(DUEL),
    duels.NotBegunError(a_duel(state=State.SETTING)),
    duels.SecretsMissingError(a_duel(state=State.SETTING)),
    duels.SecretFixedError(DUEL),
    duels.SecretFixedError(RACE),
    duels.NoRaceError(DUEL),
    duels.NotStartedError(RACE),
    duels.NoDrawOfferedError(DUEL),
    duels.NoDrawOfferedError(a_duel(draw_offered_by=0)),
    duels.NoDrawWithBotError(DUEL),
    duels.NowhereToPostError(DUEL),
    duels.ForgottenOpponentError(DUEL),
]
ERRORS: list[Exception] = [
    *MASTERMIND_ERRORS,
    *DUEL_ERRORS,
    privacy.NotConfirmedError("no"),
    privacy.NotConfirmedError(" "),
    focdle.SpentDailyError(PuzzleName(324, 10), NOON),
    privacy.ExportTooLargeError(10_000_000),
    privacy.ExportTooSoonError(NOON),
    privacy.ExportTooSoonError(None),
    privacy.DeletedMeanwhileError(),
    *(focdle.GuessRefusedError(PLAY, "1+1=2", cause) for cause in CAUSES),
    StatsHiddenError(7),
    StatsOfStrangerError(7),
    errors.NoServerError(),
    server.ServerUnseenError(),
    errors.NotAMemberError(7),
    errors.CannotSeeChannelError(7, 8),
    focdle.UnreadablePuzzleError("x"),
    focdle.NoSuchPuzzleError(FIRST_DAY, 324),
    focdle.FuturePuzzleError(325, FIRST_DAY, NOON, 324),
    errors.NoSuchDailyLengthError(16, 9, 13),
    errors.UnknownZoneError("Tokio", ["Asia/Tokyo"]),
    errors.UnknownZoneError("eastern", ["US/Eastern", "Canada/Eastern"]),
    errors.UnknownZoneError("qqq", []),
    errors.UnknownZoneError(" ", ["UTC"]),
    errors.ZoneTooSoonError(NOON),
    server.ServerZoneTooSoonError(NOON),
    errors.HardModeMidGameError(324),
    errors.NothingChosenError(),
    errors.TooFastError(),
    errors.NotAllowedError(),
    server.ChannelUnusableError(7, []),
    server.ChannelUnusableError(7, ["send_messages"]),
    server.ChannelUnusableError(7, ["view_channel", "send_messages"]),
    server.RoleUnusableError(7),
    server.RoleUnusableError(7, is_everyone=True),
    server.RoleForbiddenError(7),
    errors.NotWantedError(7),
    errors.AskedTooSoonError(7, NOON, has_declined=True),
    errors.AskedTooSoonError(7, NOON, has_declined=False),
    *(errors.MayNotSpeakError(speech, 7) for speech in errors.Speech),
    errors.MayNotSpeakError(errors.Speech.RESULT, 7, (8, 9)),
    server.ThreadsUnusableError(None, []),
    server.ThreadsUnusableError(7, []),
    server.ThreadsUnusableError(7, ["create_private_threads"]),
    server.ThreadsUnusableError(7, ["create_private_threads", "manage_threads"]),
    server.ThreadNotForYouError(7),
    server.ThreadClosedError(7),
    *(
        focdle.NotRestorableError(obstacle, 7, day=FIRST_DAY, again_at=NOON)
        for obstacle in focdle.Obstacle
    ),
    NoSuchLengthError(16, 7, 15),
    focdle.GuessRefusedError(HARD, "1+1=3", FalseEquationError("1+1=3", 2, 3)),
    focdle.NoSuchPlayError(),
    focdle.NotYourPlayError(7),
    focdle.NotFinishedError(),
    errors.StillSealedError(),
    errors.NeverSealedError(),
    focdle.AlreadySharedError(),
    focdle.BeingSharedError(NOON),
    coach.StillPlayingError(),
    *(coach.NothingToReviewError(lack) for lack in coach.Lack),
    coach.NotAPlayerError((7, 8)),
    coach.OneAtATimeError(3),
    coach.CoachBusyError(),
    coach.HintOverError(),
    *(coach.HintsUsedUpError(kind, 3) for kind in HintKind),
    coach.NothingToCountError(),
    StorageBusyError(),
    ClosingError(),
]


def test_every_error_is_worded_and_none_like_another() -> None:
    words = [refusal(error) for error in ERRORS]
    assert None not in words
    assert len(set(words)) == len(words)
    assert not any("{" in (sentence or "") for sentence in words)


def test_the_table_of_errors_is_complete() -> None:
    def concrete(kind: type[Exception]) -> set[type[Exception]]:
        further = kind.__subclasses__()
        return {leaf for each in further for leaf in concrete(each)} if further else {kind}

    worded = {type(e) for e in ERRORS if isinstance(e, errors.ServiceError)}
    assert worded == concrete(errors.ServiceError)


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


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_a_streak_changes_for_has_words(reason: Reason) -> None:
    change = Change(FIRST_DAY, reason, 4, 5, 1)
    play = replace(a_play(10, 6, on_date=True), streak=Streak(5, 9, 1, (change,)))
    summary, sentence, *_rest = streak_lines(play)
    mark = " · ↺ restored" if reason is Reason.RESTORED else ""
    assert summary == f"🔥 Streak: **5 days** · best 9 · ❄️ 1 freeze{mark}"
    assert sentence.startswith("Jan 1: ")
    assert "{" not in sentence


def test_a_streak_tells_what_happened_since_the_last_solve() -> None:
    reasons = (Reason.SOLVED, Reason.SOLVED, Reason.FROZEN_UNPLAYED, Reason.SOLVED)
    changes = tuple(
        Change(date(2026, 1, day), reason, day - 1, day, 0) for day, reason in enumerate(reasons, 1)
    )
    play = replace(a_play(10, 6, on_date=True), streak=Streak(3, 3, 0, changes))
    assert [line.split(":")[0] for line in streak_lines(play)[1:3]] == ["Jan 3", "Jan 4"]


def test_every_reason_is_worded_like_no_other() -> None:
    play = a_play(10, 6, on_date=True)
    lines = {
        streak_lines(replace(play, streak=Streak(5, 5, 0, (Change(FIRST_DAY, r, 4, 5, 1),))))[1]
        for r in Reason
    }
    assert len(lines) == len(Reason)
