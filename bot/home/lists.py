"""Lists of games in words: unfinished ones, finished ones, the archive."""

from typing import Final

from bot.clock import day_of
from bot.duels.model import DuelView, State
from bot.duels.model import Ending as DuelEnding
from bot.duels.round_pages import MODE_NAMES, STRENGTH_NAMES, digits
from bot.duels.round_pages import options as duel_options
from bot.equations.model import Equation
from bot.equations.pages import listed as equation_line
from bot.focdle.ending_pages import level_name
from bot.focdle.game import ArchiveEntry
from bot.games.model import Unfinished
from bot.home.game import Posted
from bot.home.model import (
    FinishedDuel,
    FinishedGame,
    FinishedMastermind,
    FinishedPlay,
    FinishedRace,
    Result,
)
from bot.mastermind.model import Ending, Kind, MastermindGame, Stage
from bot.mastermind.pages import DEFEND_NAME, SEALED_NAME, setting
from bot.races.model import RaceView
from bot.races.pages import listed as race_line
from bot.races.pages import race_name
from bot.races.pages import setting as race_setting
from bot.text import counts
from bot.text.language import N_, medium_date, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import heading, mention, relative_time, small

#: Instead of an empty list of unfinished games.
NO_GAMES: Final = N_("None. Begin one:")
#: Shows the finished games instead; at most 80 characters.
FINISHED_BUTTON: Final = N_("Finished games")
#: Shows the unfinished games instead; at most 80 characters.
UNFINISHED_BUTTON: Final = N_("Unfinished games")
#: Shows which unfinished games can be taken off the list; at most 80 characters.
TIDY_BUTTON: Final = N_("Remove games")
#: Takes a game off the list of unfinished games.
DISMISS_BUTTON: Final = N_("Dismiss")
#: Goes back to the list of unfinished games.
DONE_BUTTON: Final = N_("Done")
#: Ends a game, once asked.
END_BUTTON: Final = N_("Yes, end it")
#: Leaves a game on the list after all.
LEAVE_BUTTON: Final = N_("Keep it")
#: How a game of Mastermind ended that nobody went on with.
_CLOSED: Final = N_("closed after a week")
#: Above the games that can be taken off the list.
TIDY_TITLE: Final = N_("Which games can go?")
#: What becomes of them; below that title.
TIDY_HINT: Final = N_("Games end, puzzles only leave the list.")
#: Instead of an empty list of games that can be taken off.
NOTHING_TO_TIDY: Final = N_("All tidy.")
#: Asked before a game on the list is ended; its name stands above.
DISMISS_QUESTION: Final = N_("**End it for good?**")
#: The same, where it counts as not solved.
SURRENDER_QUESTION: Final = N_("**Give up?** You see the code.")
#: Turns a list of games to the page before.
NEWER_BUTTON: Final = N_("◀ Newer")
#: Turns a list of games to the page after.
OLDER_BUTTON: Final = N_("Older ▶")
#: Instead of an empty list of finished games.
NOTHING_FINISHED: Final = N_("None yet.")


def games_title() -> str:
    return heading(_("Unfinished games"))


def tidy_title(*, is_empty: bool) -> str:
    if is_empty:
        return f"{games_title()}\n{say(NOTHING_TO_TIDY)}"
    return f"{heading(say(TIDY_TITLE))}\n{small(say(TIDY_HINT))}"


def end_question(kind: str) -> str:
    if kind == Kind.PLAY:
        return say(SURRENDER_QUESTION)
    return say(DISMISS_QUESTION)


def page_line(page: int, pages: int) -> str:
    return small(_("Page {page} of {pages}").format(page=page + 1, pages=pages))


def open_line(game: Posted | Unfinished | MastermindGame | DuelView, player_id: int) -> str:
    """Describe an unfinished game from the player's point of view."""
    if isinstance(game, RaceView):
        return race_line(game)
    if isinstance(game, Equation):
        return equation_line(game)
    if isinstance(game, MastermindGame):
        return mastermind_line(game, player_id)
    if isinstance(game, DuelView):
        seat = game.duel.seat_of(player_id) or 0
        name = duel_name(game.seats[1 - seat].player_id)
        details = f"{duel_options(game.duel)} · {duel_progress(game, seat)}"
    else:
        name = focdle_name(game.number, is_set=game.is_set)
        details = f"{counts.symbols(game.length)} · {counts.guesses(game.turns)}"
    return f"**{name}**\n{small(details)}"


def focdle_name(number: int | None, *, is_set: bool) -> str:
    """Name a FoCdle in a list; `number` is None for a practice and for a set equation."""
    if is_set:
        return _("A member's FoCdle")
    if number is None:
        return _("FoCdle practice")
    return _("FoCdle #{number}, {day}").format(number=number, day=medium_date(day_of(number)))


def mastermind_line(game: MastermindGame, player_id: int) -> str:
    name = mastermind_name(game, player_id)
    if game.stage is Stage.INVITED:
        details = f"{setting(game.rules)} · {_('not accepted yet')}"
    else:
        made = f"{len(game.turns)}/{game.rules.max_guesses}"
        details = f"{setting(game.rules, with_guesses=False)} · {made}"
    return f"**{name}**\n{small(details)}"


def mastermind_name(game: MastermindGame | FinishedMastermind, player_id: int) -> str:
    """Name a Mastermind from one player's point of view; for a challenge, name the other player."""
    names = {
        Kind.PLAY: _("Mastermind"),
        Kind.DEFEND: say(DEFEND_NAME),
        Kind.CHALLENGE: _("Mastermind: your challenge to {player}"),
    }
    if game.sealed:
        names[Kind.DEFEND] = say(SEALED_NAME)
    other = game.codebreaker_id
    if game.owner_id != player_id:
        names[Kind.CHALLENGE] = _("Mastermind: {player}'s challenge to you")
        other = game.owner_id
    return names[game.kind].format(player=mention(other or 0))


def duel_name(opponent_id: int | None) -> str:
    """Name a duel from one player's point of view; `opponent_id` is None for the bot."""
    if opponent_id is None:
        return _("Duel with me")
    return _("Duel with {player}").format(player=mention(opponent_id))


def duel_progress(view: DuelView, seat: int) -> str:
    """Say from a seat's point of view what a duel waits for."""
    duel = view.duel
    if duel.state is State.INVITED:
        return _("not accepted yet") if seat == duel.challenger else _("answer the challenge")
    if duel.state is State.SETTING:
        return _("set your number")
    if duel.draw_offered_by == 1 - seat:
        return _("**draw offered**")
    return _("**your turn**") if duel.to_move == seat else _("waiting")


def archive_choice(entry: ArchiveEntry) -> str:
    """Describe a puzzle of the archive for Discord's autocompletion, which takes 100 characters."""
    states = {
        "solved": _("✅ solved"),
        "lost": _("❌ not solved"),
        "open": _("… under way"),
        "new": _("new"),
    }
    line = _("#{number} · {day} · {symbols} · {state}").format(
        number=entry.puzzle.number,
        day=medium_date(entry.day),
        symbols=counts.symbols(entry.puzzle.length),
        state=states[entry.state],
    )
    return line if entry.level is None else f"{line} · {level_name(entry.level)}"


_GOOD: Final = "✅"
_BAD: Final = "❌"
_BOT: Final = "🤖"
_LEFT: Final = "▫️"
_RESULTS: Final = {Result.WON: "🏆", Result.DRAWN: "🤝", Result.LOST: _BAD}


def finished_title() -> str:
    return heading(_("Finished games"))


def finished_line(game: FinishedGame, player_id: int) -> str:
    """Describe a finished game from one player's point of view, without its secret."""
    if isinstance(game, FinishedPlay):
        sign, name = _GOOD if game.is_solved else _BAD, focdle_name(game.number, is_set=game.is_set)
        parts = [_play_result(game), counts.symbols(game.rules.length)]
        if game.number is not None and not game.on_date:
            parts.append(_("archive"))
        if game.rules.hard:
            parts.append(_("hard mode"))
    elif isinstance(game, FinishedDuel):
        sign, name = _RESULTS[game.result], duel_name(game.opponent_id)
        parts = [_duel_result(game), digits(game.rules), say(MODE_NAMES[game.mode])]
        if game.strength is not None:
            parts.append(say(STRENGTH_NAMES[game.strength]))
    elif isinstance(game, FinishedRace):
        sign, name = _race_sign(game), race_name(game.rules)
        parts = [_race_result(game), counts.guesses(game.guesses), race_setting(game.rules)]
    else:
        sign, name = _mastermind_sign(game, player_id), mastermind_name(game, player_id)
        parts = [_mastermind_result(game, player_id), setting(game.rules, with_guesses=False)]
    if isinstance(game, FinishedPlay | FinishedMastermind) and game.hints:
        parts.append(counts.hints(game.hints))
    parts.insert(1, relative_time(game.finished_at))
    return f"{sign} **{name}**\n{small(' · '.join(parts))}"


def _play_result(game: FinishedPlay) -> str:
    if game.is_solved:
        return _solved(game.guesses, game.rules.max_guesses)
    return _("given up") if game.guesses < game.rules.max_guesses else _("not solved")


def _solved(guesses: int, most: int) -> str:
    words = ngettext("solved at once", "solved in {guesses} of {most}", guesses)
    return words.format(guesses=guesses, most=most)


def _race_sign(game: FinishedRace) -> str:
    if game.place == 1:
        return _RESULTS[Result.WON]
    return _BAD if game.place is None else _GOOD


def _race_result(game: FinishedRace) -> str:
    if game.place is None:
        return _("not solved")
    words = _("place {place} of {players}")
    return words.format(place=number(game.place), players=number(game.players))


def _mastermind_sign(game: FinishedMastermind, player_id: int) -> str:
    """Choose the sign of a game's end for a player; a code that the bot broke is no defeat."""
    is_ended = game.kind is Kind.DEFEND and game.ending is Ending.SURRENDERED
    if game.ending in {Ending.CLOSED, Ending.AT_STAKE} or is_ended:
        return _LEFT
    was_broken = game.ending is Ending.SOLVED
    if was_broken and game.kind is Kind.DEFEND:
        return _BOT
    return _GOOD if was_broken == (game.codebreaker_id == player_id) else _BAD


def _mastermind_result(game: FinishedMastermind, player_id: int) -> str:
    if game.codebreaker_id is None:
        return _bots_result(game)
    if game.ending is Ending.SOLVED and game.codebreaker_id == player_id:
        return _solved(game.guesses, game.rules.max_guesses)
    results = {
        Ending.SOLVED: ngettext("broken at once", "broken in {guesses} of {most}", game.guesses),
        Ending.LOST: _("your code held"),
        Ending.RESIGNED: _("they resigned"),
        Ending.LAPSED: _("lapsed"),
    }
    if game.codebreaker_id == player_id:
        results |= {
            Ending.LOST: _("out of guesses"),
            Ending.SURRENDERED: _("given up"),
            Ending.RESIGNED: _("you resigned"),
            Ending.CLOSED: say(_CLOSED),
        }
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


def _bots_result(game: FinishedMastermind) -> str:
    results = {
        Ending.SOLVED: ngettext(
            "I broke it at once",
            "I broke it in {guesses} of {most}",
            game.guesses,
        ),
        Ending.LOST: _("your code held"),
        Ending.SURRENDERED: _("ended by you"),
        Ending.AT_STAKE: _("ended by a rated duel"),
        Ending.CLOSED: say(_CLOSED),
    }
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


def _duel_result(game: FinishedDuel) -> str:
    if game.result is Result.DRAWN:
        draws = {
            DuelEnding.BOTH_SOLVED: _("drawn: both in {guesses}"),
            DuelEnding.OUT_OF_GUESSES: _("drawn: neither found it"),
            DuelEnding.TIMED_OUT: _("drawn on time"),
            DuelEnding.DRAW_ACCEPTED: _("drawn by agreement"),
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
            DuelEnding.SOLVED: ngettext("won at once", "won in {guesses} guesses", game.guesses),
            DuelEnding.RESIGNED: _("won: they resigned"),
            DuelEnding.TIMED_OUT: _("won on time"),
        }
    return results[game.ending].format(guesses=game.guesses)
