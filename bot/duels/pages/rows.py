"""Lines that the boards and pages of duels share."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from bot.duels.model.duel import DuelGame, Pace, Seat
from bot.duels.model.transitions import State
from bot.games.pages.seals import seal_line
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import heading, mention, small
from engine import BullsAndCows, Mode, Score, Strength

_MINUTE: Final = 60

# The modes in a word or two.
MODE_NAMES: Final = {
    Mode.EQUAL_TURNS: N_("equal turns"),
    Mode.CLASSIC: N_("classic"),
    Mode.RACE: N_("race"),
}

# The bot at each strength.
STRENGTH_NAMES: Final = {
    Strength.CASUAL: N_("casual bot"),
    Strength.SHARP: N_("sharp bot"),
    Strength.PERFECT: N_("perfect bot"),
}


def title(game: DuelGame) -> str:
    """A board's heading, its options in words, and what became of its series, if it was of one."""
    lines = [heading(_("Bulls and Cows duel")), small(options(game))]
    if game.of_series:
        lines.append(small(_("Series are gone: this one ends with this duel.")))
    return "\n".join(lines)


def options(game: DuelGame) -> str:
    """What was chosen, in a few words."""
    parts = [digits(game.rules), say(MODE_NAMES[game.mode])]
    is_to_come = game.state is State.INVITED and game.terms is not None
    if not is_to_come and not game.is_against_bot:
        parts.append(pace_name(game.pace))
    if game.strength is None:
        parts.append(_("rated") if game.rated else _("friendly"))
    else:
        parts.append(say(STRENGTH_NAMES[game.strength]))
    return " · ".join(parts)


def digits(rules: BullsAndCows) -> str:
    """What a number is made of."""
    words = _("{digits}, repeats allowed") if rules.repeats else _("{digits}, all different")
    return words.format(digits=counts.digits(rules.digits))


def pace_name(pace: Pace) -> str:
    """How long a turn may take."""
    return _("2 minutes a turn") if pace is Pace.LIVE else _("24 hours a turn")


def name(seat: Seat, *, begins: bool = False) -> str:
    """Who sits there, perhaps as what a sentence begins with."""
    return player(seat.player_id, begins=begins)


def player(player_id: int | None, *, begins: bool = False) -> str:
    """A player, or the bot for None; perhaps as what a sentence begins with."""
    if player_id is not None:
        return mention(player_id)
    return _("The bot") if begins else _("the bot")


def as_invited(game: DuelGame) -> tuple[Seat, Seat]:
    """Both sides, the challenger first: who moves first is not to be seen before play."""
    return game.seats[game.challenger], game.seats[1 - game.challenger]


def score_in_letters(score: Score) -> str:
    """Bulls and cows by their first letters."""
    return _("{bulls}B{cows}C").format(bulls=score.bulls, cows=score.cows)


def block(lines: Iterable[str]) -> str:
    """Lines in a type whose characters are all of one width."""
    return "\n".join(("```", *lines, "```"))


def seals(game: DuelGame) -> str:
    """The seals of the numbers that are set, or of the one of a race, until both have moved."""
    if game.state in {State.INVITED, State.OVER}:
        return ""
    if game.mode is Mode.RACE:
        is_begun = all(seat.started_at is not None for seat in game.seats)
        return "" if is_begun else seal_line(game.seats[0].commitment)
    if all(seat.turns for seat in game.seats):
        return ""
    lines = (seal_line(seat.commitment, name(seat, begins=True)) for seat in as_invited(game))
    return "\n".join(filter(None, lines))


def duration(time: timedelta) -> str:
    """A time in minutes and seconds, or in hours and minutes."""
    seconds = int(time.total_seconds())
    if seconds < _MINUTE * _MINUTE:
        return _("{minutes}:{seconds:02} min").format(
            minutes=seconds // _MINUTE, seconds=seconds % _MINUTE
        )
    minutes = seconds // _MINUTE
    return _("{hours}:{minutes:02} h").format(hours=minutes // _MINUTE, minutes=minutes % _MINUTE)
