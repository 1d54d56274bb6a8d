"""Finished games in a list: what each was, how it went, and when."""

from typing import Final

from bot.presentation import counts
from bot.presentation.duel_rows import digits, mode_name, strength_name
from bot.presentation.games import duel_name, focdle_name, mastermind_name
from bot.presentation.language import gettext as _
from bot.presentation.language import ngettext
from bot.presentation.markup import heading, relative_time, small
from bot.presentation.mastermind_rows import setting
from bot.services.duels.states import Ending as DuelEnding
from bot.services.finished import (
    FinishedDuel,
    FinishedGame,
    FinishedMastermind,
    FinishedPlay,
    Result,
)
from bot.services.mastermind.game import Ending, Kind

_GOOD: Final = "✅"
_BAD: Final = "❌"
_BOT: Final = "🤖"
_LEFT: Final = "▫️"
_RESULTS: Final = {Result.WON: "🏆", Result.DRAWN: "🤝", Result.LOST: _BAD}


def finished_title() -> str:
    """Above the list of finished games."""
    return heading(_("Your finished games"))


def nothing_finished() -> str:
    """Instead of an empty list."""
    return _("None yet. Each game is listed here once it is over.")


def finished_hint() -> str:
    """Under an empty list of unfinished games."""
    return small(_("*Finished* has the games that are over, to look at again."))


def finished_line(game: FinishedGame, player_id: int) -> str:
    """One finished game, as its player calls it; it tells no secret."""
    if isinstance(game, FinishedPlay):
        sign, name = _GOOD if game.is_solved else _BAD, focdle_name(game.number)
        parts = [_play_result(game), *_play_details(game)]
    elif isinstance(game, FinishedDuel):
        sign, name = _RESULTS[game.result], duel_name(game.opponent_id)
        parts = [_duel_result(game), *_duel_details(game)]
    else:
        sign, name = _mastermind_sign(game, player_id), mastermind_name(game, player_id)
        parts = [_mastermind_result(game, player_id), setting(game.rules, with_guesses=False)]
        parts += _hints(game.hints)
    parts.insert(1, relative_time(game.finished_at))
    return f"{sign} **{name}**\n{small(' · '.join(parts))}"


def _play_result(game: FinishedPlay) -> str:
    if not game.is_solved:
        return _("not solved")
    return _solved(game.guesses, game.rules.max_guesses)


def _play_details(game: FinishedPlay) -> list[str]:
    parts = [counts.symbols(game.rules.length)]
    if game.number is not None and not game.on_date:
        parts.append(_("from the archive"))
    if game.rules.hard:
        parts.append(_("hard mode"))
    return [*parts, *_hints(game.hints)]


def _solved(guesses: int, most: int) -> str:
    words = ngettext("solved with the first guess", "solved in {guesses} of {most}", guesses)
    return words.format(guesses=guesses, most=most)


def _hints(count: int) -> list[str]:
    if not count:
        return []
    return [counts.hints(count)]


def _mastermind_sign(game: FinishedMastermind, player_id: int) -> str:
    """What the end was for this player: the bot may well find a code that it breaks."""
    is_ended = game.kind is Kind.DEFEND and game.ending is Ending.SURRENDERED
    if game.ending is Ending.CLOSED or is_ended:
        return _LEFT
    was_broken = game.ending is Ending.SOLVED
    if game.kind is Kind.WATCH or (was_broken and game.kind is Kind.DEFEND):
        return _BOT
    return _GOOD if was_broken == (game.codebreaker_id == player_id) else _BAD


def _mastermind_result(game: FinishedMastermind, player_id: int) -> str:
    if game.codebreaker_id is None:
        return _bots_result(game)
    if game.ending is Ending.SOLVED and game.codebreaker_id == player_id:
        return _solved(game.guesses, game.rules.max_guesses)
    results = {
        Ending.SOLVED: ngettext(
            "broken with the first guess", "broken in {guesses} of {most}", game.guesses
        ),
        Ending.LOST: _("your code has held"),
        Ending.RESIGNED: _("your opponent resigned"),
        Ending.LAPSED: _("lapsed: no move for a day"),
    }
    if game.codebreaker_id == player_id:
        results |= {
            Ending.LOST: _("out of guesses"),
            Ending.SURRENDERED: _("given up"),
            Ending.RESIGNED: _("you resigned"),
            Ending.CLOSED: _("closed after a week"),
        }
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


def _bots_result(game: FinishedMastermind) -> str:
    """How the bot fared where it was the Codebreaker."""
    results = {
        Ending.SOLVED: ngettext(
            "the bot broke it with its first guess",
            "the bot broke it in {guesses} of {most}",
            game.guesses,
        ),
        Ending.LOST: _("your code has held"),
        Ending.SURRENDERED: _("ended by you"),
        Ending.CLOSED: _("closed after a week"),
    }
    if game.kind is Kind.WATCH:
        results[Ending.LOST] = _("the bot was out of guesses")
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


def _duel_result(game: FinishedDuel) -> str:
    if game.result is Result.DRAWN:
        draws = {
            DuelEnding.BOTH_SOLVED: _("drawn: both found it in {guesses}"),
            DuelEnding.OUT_OF_GUESSES: _("drawn: neither found it"),
            DuelEnding.TIMED_OUT: _("drawn: both ran out of time"),
            DuelEnding.DRAW_AGREED: _("drawn, as you both agreed"),
        }
        return draws[game.ending].format(guesses=game.guesses)
    results = {
        DuelEnding.SOLVED: ngettext(
            "lost to a first guess", "lost to {guesses} guesses", game.guesses
        ),
        DuelEnding.RESIGNED: _("lost: you resigned"),
        DuelEnding.TIMED_OUT: _("lost on time"),
    }
    if game.result is Result.WON:
        results = {
            DuelEnding.SOLVED: ngettext(
                "won with the first guess", "won in {guesses} guesses", game.guesses
            ),
            DuelEnding.RESIGNED: _("won: your opponent resigned"),
            DuelEnding.TIMED_OUT: _("won on time"),
        }
    return results[game.ending].format(guesses=game.guesses)


def _duel_details(game: FinishedDuel) -> list[str]:
    parts = [digits(game.rules), mode_name(game.mode)]
    if game.strength is not None:
        parts.append(strength_name(game.strength))
    return parts
