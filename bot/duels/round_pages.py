"""The rounds of a duel, its players, and how it ended."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Self

from bot.duels.game import FEWEST_GUESSES
from bot.duels.model import REMEMBERED_FOR, Duel, DuelView, Ending, Pace, SeatView, State
from bot.games.model import SharedDailies
from bot.games.pages import seal_line
from bot.people.game import RESPITE
from bot.ratings.model import HeadToHead
from bot.text import counts
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import code, heading, is_forgotten, mention, relative_time, small
from bot.text.tiles import Palette, Pegs, Tiles
from bot.text.tiles import State as TileState
from engine import BullsAndCows, Code, Mode, Score, Strength, Turn

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


def title(duel: Duel) -> str:
    """A board's heading, its options in words, and what became of its series, if it was of one."""
    lines = [heading(_("Bulls and Cows duel")), small(options(duel))]
    if duel.of_series:
        lines.append(small(_("Series are gone: this one ends with this duel.")))
    return "\n".join(lines)


def options(duel: Duel) -> str:
    """What was chosen, in a few words."""
    parts = [digits(duel.rules), say(MODE_NAMES[duel.mode])]
    is_to_come = duel.state is State.INVITED and duel.terms is not None
    if not is_to_come and not duel.is_against_bot:
        parts.append(pace_name(duel.pace))
    if duel.strength is None:
        parts.append(_("rated") if duel.rated else _("friendly"))
    else:
        parts.append(say(STRENGTH_NAMES[duel.strength]))
    return " · ".join(parts)


def digits(rules: BullsAndCows) -> str:
    """What a number is made of."""
    words = _("{digits}, repeats allowed") if rules.repeats else _("{digits}, all different")
    return words.format(digits=counts.digits(rules.digits))


def pace_name(pace: Pace) -> str:
    """How long a turn may take."""
    return _("2 minutes a turn") if pace is Pace.LIVE else _("24 hours a turn")


def name(seat: SeatView, *, begins: bool = False) -> str:
    """Who sits there, perhaps as what a sentence begins with."""
    return player(seat.player_id, begins=begins)


def player(player_id: int | None, *, begins: bool = False) -> str:
    """A player, or the bot for None; perhaps as what a sentence begins with."""
    if player_id is not None:
        return mention(player_id)
    return _("The bot") if begins else _("the bot")


def as_invited(view: DuelView) -> tuple[SeatView, SeatView]:
    """Both sides, the challenger first: who moves first is not to be seen before play."""
    return view.seats[view.duel.challenger], view.seats[1 - view.duel.challenger]


def score_in_letters(score: Score) -> str:
    """Bulls and cows by their first letters."""
    return _("{bulls}B{cows}C").format(bulls=score.bulls, cows=score.cows)


def block(lines: Iterable[str]) -> str:
    """Lines in a type whose characters are all of one width."""
    return "\n".join(("```", *lines, "```"))


def seals(view: DuelView) -> str:
    """The seals of the numbers that are set, or of the one of a race, until both have moved."""
    if view.duel.state in {State.INVITED, State.OVER}:
        return ""
    if view.duel.mode is Mode.RACE:
        is_begun = all(seat.started_at is not None for seat in view.seats)
        return "" if is_begun else seal_line(view.seats[0].commitment)
    if all(seat.turns for seat in view.seats):
        return ""
    lines = (seal_line(seat.commitment, name(seat, begins=True)) for seat in as_invited(view))
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


def head_to_head(players: tuple[SeatView, SeatView], record: HeadToHead) -> str:
    """How the duels of two players went, from the first one's point of view."""
    first, second = players
    words = _("Head to head: {first} {won} – {lost} {second}").format(
        first=name(first), won=record.won, second=name(second), lost=record.lost
    )
    if record.drawn:
        drawn = ngettext("{n} draw", "{n} draws", record.drawn).format(n=record.drawn)
        words = f"{words} · {drawn}"
    return small(words)


def so_far(view: DuelView) -> str:
    """What the two of an invitation have had with each other, the challenger first."""
    players, lines = as_invited(view), list[str]()
    if view.head_to_head is not None and view.head_to_head != HeadToHead(0, 0, 0):
        lines.append(head_to_head(players, view.head_to_head))
    if view.shared is not None:
        lines.append(small(_dailies(players, view.shared)))
    return "\n".join(lines)


def _dailies(players: tuple[SeatView, SeatView], shared: SharedDailies) -> str:
    words = _("{dailies} in common: {first} ahead in {fewer}%, {second} {more}%")
    return words.format(
        dailies=counts.puzzles(shared.dailies),
        first=name(players[0]),
        second=name(players[1]),
        fewer=shared.percent_fewer,
        more=shared.percent_more,
    )


# The rounds of a duel: digits as tiles with bulls and cows as pegs, or two columns of letters.
# Tiles that would go beyond Discord's limit of characters stand above the others as letters.

BOARD_LENGTH: Final = 2200
"""How many characters the tiles of a board may take, of the 4,000 that it may have."""
SHORTER_LENGTH: Final = 2000
"""The same where more is said: on a player's own page, and at the end."""

_BULL: Final = Score(1, 0)
_COW: Final = Score(0, 1)
_NOTHING: Final = Score(0, 0)
# A line of more than 23 characters would not fit a phone: longer numbers leave no room for more.
_MOST_NUMBERED_DIGITS: Final = 4
# Within a frame, a line of a phone 360 pixels wide has 235, and a tile 22.
_MOST_DIGITS_SIDE_BY_SIDE: Final = 4
_GAP: Final = "\u2002"

Turns = Sequence[Turn[Score]]


@dataclass(frozen=True, slots=True)
class DuelTiles:
    """The emojis that rounds are drawn with.

    Attributes:
        tiles: for digits.
        pegs: for bulls, which are black, and cows, which are white.
        most: how many characters they may take.
    """

    tiles: Tiles
    pegs: Pegs
    most: int = BOARD_LENGTH

    @classmethod
    def of(cls, tiles: Tiles | None, pegs: Pegs) -> Self | None:
        """What Discord has, if it has all of it."""
        return cls(tiles, pegs) if tiles is not None and pegs.has_letters else None

    def shorter(self) -> Self:
        """The same, for where more is said."""
        return replace(self, most=SHORTER_LENGTH)

    def turn(self, turn: Turn[Score]) -> str:
        """A guess and its score: green where the number is found.

        None is grey, which in a FoCdle means that a symbol is out.
        """
        is_found = turn.feedback.bulls == len(turn.guess)
        digits = self._digits(turn.guess, TileState.CORRECT if is_found else TileState.UNKNOWN)
        return f"{digits}{self.pegs.key(turn.feedback)}"

    def guess(self, guess: Code) -> str:
        """A guess that waits for its score."""
        return self._digits(guess, TileState.UNKNOWN)

    def nothing(self, digits: int) -> str:
        """In place of a guess that was not made."""
        return self.tiles.blank * (digits + 1)

    def _digits(self, guess: Code, state: TileState) -> str:
        return "".join(self.tiles.symbol(digit, state, Palette.STANDARD) for digit in guess)


@dataclass(frozen=True, slots=True)
class Rounds:
    """What both players have guessed.

    Attributes:
        digits: how many a number has.
        ids: the players, who moved first on the left; None for the bot.
        turns: their guesses and scores.
    """

    digits: int
    ids: tuple[int | None, int | None]
    turns: tuple[Turns, Turns]

    @classmethod
    def of(cls, view: DuelView) -> Self:
        """Those of a duel, as far as everybody may see them."""
        left, right = view.seats
        ids, turns = (left.player_id, right.player_id), (left.turns, right.turns)
        return cls(view.duel.rules.digits, ids, turns)

    @property
    def is_side_by_side(self) -> bool:
        """Whether a phone's line has room for the guesses of both."""
        return self.digits <= _MOST_DIGITS_SIDE_BY_SIDE


def columns(rounds: Rounds, look: DuelTiles | None = None) -> str:
    """Both players' guesses beside each other, the first mover's on the left; empty at first.

    Numbers of more than four digits have no room beside each other: their tiles stand below
    each other, the first mover's above.
    """
    if not any(rounds.turns):
        return ""
    left, right = (player(player_id) for player_id in rounds.ids)
    head = f"← {left} · {right} →"
    count = max(map(len, rounds.turns))
    if look is None:
        return "\n".join(filter(None, (head, _letters(rounds, range(count)))))
    drawn = _fitting([_length(rounds, row, look) for row in range(count)], look.most)
    shown = range(count - drawn, count)
    earlier = _letters(rounds, range(count - drawn)) if drawn < count else ""
    if rounds.is_side_by_side:
        parts = [head, earlier, *_side_by_side(rounds, shown, look)]
    else:
        parts = [head if earlier else "", earlier, *_below_each_other(rounds, shown, look)]
    return "\n".join(filter(None, parts))


def column(turns: Turns, look: DuelTiles | None = None, *, asked: Code | None = None) -> str:
    """One player's guesses; empty without any.

    Args:
        turns: the guesses and their scores.
        look: the emojis to draw them with; letters without them.
        asked: a guess below them whose score is not known yet, if there is one.
    """
    if look is None:
        written = [written_turn(turns, row) for row in range(len(turns))]
        if asked is not None:
            written.append(f"{len(turns) + 1:2} {asked} ?")
        return block(written) if written else ""
    lengths = [len(numbered(turns, row, look)) for row in range(len(turns))]
    earlier = len(turns) - _fitting(lengths, look.most)
    parts = [block(written_turn(turns, row) for row in range(earlier))] if earlier else []
    shown = range(earlier, len(turns))
    parts += [numbered(turns, row, look) for row in shown]
    if asked is not None:
        parts.append(f"{_row_number(len(turns))}{look.guess(asked)}")
    return "\n".join(parts)


def legend(look: DuelTiles | None, *turns: Turn[Score]) -> str:
    """What the marks mean, for who has never played.

    Args:
        look: the emojis that scores are drawn with; letters without them.
        turns: what is seen beside it; the mark for nothing is explained once it is there.
    """
    if look is None:
        return small(_("B: in place · C: elsewhere"))
    words = _("{bull} in place · {cow} elsewhere")
    lines = [words.format(bull=look.pegs.key(_BULL), cow=look.pegs.key(_COW))]
    if any(turn.feedback == _NOTHING for turn in turns):
        lines.append(_("{none} none").format(none=look.pegs.key(_NOTHING)))
    return small(" · ".join(lines))


def _fitting(lengths: Sequence[int], left: int) -> int:
    """How many of the last rounds, of so many characters each, fit into what is left."""
    drawn = 0
    for length in reversed(lengths):
        left -= length + 1
        if left < 0:
            break
        drawn += 1
    return drawn


def _length(rounds: Rounds, row: int, look: DuelTiles) -> int:
    if rounds.is_side_by_side:
        return len(next(_side_by_side(rounds, [row], look)))
    # And the line break between the two.
    return sum(len(numbered(turns, row, look)) for turns in rounds.turns) + 1


def _side_by_side(rounds: Rounds, rows: Iterable[int], look: DuelTiles) -> Iterator[str]:
    for row in rows:
        left, right = (_cell(rounds, seat, row, look) for seat in (0, 1))
        yield f"{left or look.nothing(rounds.digits)}{_GAP}{right}" if right else left


def _below_each_other(rounds: Rounds, rows: Sequence[int], look: DuelTiles) -> Iterator[str]:
    for seat, turns in enumerate(rounds.turns):
        yield _("**{player}**").format(player=player(rounds.ids[seat], begins=True))
        for row in rows:
            yield numbered(turns, row, look)


def _cell(rounds: Rounds, seat: int, row: int, look: DuelTiles) -> str:
    turns = rounds.turns[seat]
    if row >= len(turns):
        return ""
    return look.turn(turns[row])


def numbered(turns: Turns, row: int, look: DuelTiles) -> str:
    """A guess in tiles behind its number; empty where it was not made."""
    if row >= len(turns):
        return ""
    return f"{_row_number(row)}{look.turn(turns[row])}"


def written_turn(turns: Turns, row: int) -> str:
    """A guess in letters behind its number."""
    return f"{row + 1:2} {_turn(turns, row)}"


def _row_number(row: int) -> str:
    return f"`{row + 1:2}`{_GAP}"


def _letters(rounds: Rounds, rows: Iterable[int]) -> str:
    """Rounds in two columns of letters."""
    left, right = rounds.turns
    width = rounds.digits + len(score_in_letters(Score(0, 0))) + 1
    gap = "  " if rounds.digits <= _MOST_NUMBERED_DIGITS else " "
    lines = (
        f"{_number(rounds, row)}{_turn(left, row):{width}}{gap}{_turn(right, row)}" for row in rows
    )
    return block(line.rstrip() for line in lines)


def _number(rounds: Rounds, row: int) -> str:
    return f"{row + 1:2} " if rounds.digits <= _MOST_NUMBERED_DIGITS else ""


def _turn(turns: Turns, row: int) -> str:
    if row >= len(turns):
        return ""
    return f"{turns[row].guess} {score_in_letters(turns[row].feedback)}"


def ending(view: DuelView, *, drawn: bool = False) -> list[str]:
    """The result, what was hidden, and what came of it; the result alone is never empty.

    Args:
        view: the duel.
        drawn: whether a picture says what was hidden, and how ratings and the record are now.
    """
    if drawn:
        return [result(view), "\n".join(_notes(view))]
    lines = (*_rating_lines(view), *_notes(view), *_record(view))
    return [result(view), revealed(view), "\n".join(lines)]


def result(view: DuelView) -> str:
    """Who won, and how."""
    duel = view.duel
    if duel.winner is not None:
        return _won(view, view.seats[duel.winner], view.seats[1 - duel.winner])
    sentences = {
        Ending.BOTH_SOLVED: _both_solved(view),
        Ending.OUT_OF_GUESSES: _("🤝 **A draw**: neither found it in {guesses}."),
        Ending.TIMED_OUT: _("🤝 **A draw**: both ran out of time."),
        Ending.DRAW_ACCEPTED: _("🤝 **A draw**, as both agreed."),
        Ending.DECLINED: _(
            "**{opponent} declined {challenger}'s challenge.**\n-# {challenger} can ask again "
            "{again}."
        ),
        Ending.LAPSED: _lapsed(view),
        Ending.WITHDRAWN: _("**{challenger} withdrew the challenge to {opponent}.**"),
    }
    if view.is_rematch:
        sentences[Ending.DECLINED] = _("**{opponent} wants no rematch just now.**")
    if duel.accepted_at is not None:
        sentences[Ending.WITHDRAWN] = _("**The duel was called off** before it began.")
    challenger, opponent = as_invited(view)
    return sentences[duel.ending or Ending.LAPSED].format(
        challenger=name(challenger),
        opponent=name(opponent),
        guesses=counts.guesses(duel.rules.max_guesses),
        again="" if duel.finished_at is None else relative_time(duel.finished_at + RESPITE),
    )


def victory(view: DuelView) -> str:
    """The same for who has won, and may be looking elsewhere."""
    reasons = {
        Ending.RESIGNED: _("🏆 **you win**: {loser} resigned."),
        Ending.TIMED_OUT: _("🏆 **you win**: {loser} ran out of time."),
    }
    words = reasons.get(view.duel.ending or Ending.SOLVED, _("🏆 **you win**!"))
    return words.format(loser=name(view.seats[1 - (view.duel.winner or 0)]))


def _won(view: DuelView, winner: SeatView, loser: SeatView) -> str:
    sentences = {
        Ending.RESIGNED: _("🏆 **{winner} wins**: {loser} resigned."),
        Ending.TIMED_OUT: _("🏆 **{winner} wins**: {loser} ran out of time."),
        Ending.FORFEITED: _("🏆 **{winner} gets this duel**: {loser} set no number."),
        Ending.SOLVED: ngettext(
            "🏆 **{winner} wins** with the very first guess!",
            "🏆 **{winner} wins**, in {guesses} guesses.",
            winner.guesses,
        ),
    }
    is_tie = view.duel.was_decided_by_time
    if is_tie and winner.taken is not None and loser.taken is not None:
        sentences[Ending.SOLVED] = ngettext(
            "🏆 **{winner} wins** by less time, {time} to {longer}: both needed {guesses} guess.",
            "🏆 **{winner} wins** by less time, {time} to {longer}: both needed {guesses} guesses.",
            winner.guesses,
        )
    return sentences[view.duel.ending or Ending.SOLVED].format(
        winner=name(winner, begins=True),
        loser=name(loser),
        guesses=winner.guesses,
        time="" if winner.taken is None else duration(winner.taken),
        longer="" if loser.taken is None else duration(loser.taken),
    )


def _both_solved(view: DuelView) -> str:
    guesses = view.seats[0].guesses
    return ngettext(
        "🤝 **A draw**: both found it with the very first guess!",
        "🤝 **A draw**: both found it in {guesses} guesses.",
        guesses,
    ).replace("{guesses}", str(guesses))


def _lapsed(view: DuelView) -> str:
    if view.duel.accepted_at is None:
        return _("**The challenge is over**: {opponent} did not answer in time.")
    if view.duel.playing_at is not None:
        return _("**The race is over**: nobody started in time.")
    late = [name(seat) for seat in as_invited(view) if not seat.is_ready]
    if not late:
        return _("**The duel is off**: {challenger} did not start in time.")
    if len(late) == 1:
        return _("**The duel is off**: {player} set no number in time.").replace(
            "{player}", late[0]
        )
    return _("**The duel is off**: nobody set a number in time.")


def revealed(view: DuelView) -> str:
    """What was to be found; empty if it was never played."""
    first, second = view.seats
    if first.target is None or second.target is None:
        return ""
    if view.duel.mode is Mode.RACE:
        return _("The number was {number}.").format(number=code(first.target))
    return _("{first}'s number was {own}, {second}'s was {other}.").format(
        first=name(first, begins=True),
        own=code(second.target),
        second=name(second),
        other=code(first.target),
    )


def _rating_lines(view: DuelView) -> list[str]:
    return [
        _("{trend} {player}: {before} → **{after}**").format(
            player=name(seat),
            trend="📉" if seat.change.after.mu < seat.change.before.mu else "📈",
            before=seat.change.before.points,
            after=seat.change.after.points,
        )
        for seat in view.seats
        if seat.change is not None
    ]


def _notes(view: DuelView) -> list[str]:
    """Why ratings moved less or more than usual."""
    lines: list[str] = []
    shares = {seat.change.share for seat in view.seats if seat.change is not None}
    if shares and min(shares) > 1:
        lines.append(
            small(
                _(
                    "Rated duel {n} of these two within {days}: ratings moved 1/{n} as far as "
                    "usual."
                ).format(n=min(shares), days=counts.days(REMEMBERED_FOR.days))
            )
        )
    if len(shares) > 1:
        lines.append(
            small(
                _(
                    "Short duel: the loser made fewer than {guesses}, so the winner gains a third."
                ).format(guesses=counts.guesses(FEWEST_GUESSES))
            )
        )
    if not shares and _has_left(view):
        lines.append(
            small(_("The loser has deleted their data, so the winner's rating stays as it was."))
        )
    return lines


def _has_left(view: DuelView) -> bool:
    """Whether a rated duel was lost by a deletion."""
    duel = view.duel
    if not duel.rated or duel.winner is None:
        return False
    return is_forgotten(view.seats[1 - duel.winner].player_id or 0)


def _record(view: DuelView) -> list[str]:
    if view.head_to_head is None or view.duel.playing_at is None:
        return []
    return [head_to_head(view.seats, view.head_to_head)]
