"""Texts about the rounds of a duel, its players and its end."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.duels.model import Duel, DuelView, Ending, FinishedDuel, Result, SeatView, Seek, State
from bot.games import words as games_words
from bot.games.words import BAD, WON
from bot.people.game import AN_HOUR
from bot.ratings.model import HeadToHead
from bot.text import counts
from bot.text.language import N_, _, ngettext, say
from bot.text.markup import code, heading, mention, relative_time, small
from bot.text.tiles import Palette, Pegs, Tiles, TileState
from engine import BullsAndCows, Code, Mode, Score, Strength, Turn

_NEAR_THE_END: Final = 10

# The bot's names by strength.
STRENGTH_NAMES: Final = {
    #: Beside other facts of a duel.
    Strength.CASUAL: N_("casual bot"),
    Strength.SHARP: N_("sharp bot"),
    Strength.PERFECT: N_("perfect bot"),
}


#: What a duel is called.
DUEL_NAME: Final = N_("Bulls and Cows duel")


def title(duel: Duel | Seek) -> str:
    """The heading of a board, and the duel's options."""
    return f"{heading(say(DUEL_NAME))}\n{small(options(duel))}"


def options(duel: Duel | Seek) -> str:
    parts = _kind(duel.rules, duel.mode)
    if isinstance(duel, Seek):
        return " · ".join((*parts, _("friendly") if duel.friendly else _("rated")))
    if duel.strength is not None:
        parts.append(say(STRENGTH_NAMES[duel.strength]))
    elif duel.rated:
        parts.append(_("rated"))
    elif duel.friendly or duel.mode is Mode.CLASSIC or duel.accepted_at is not None:
        parts.append(_("friendly"))
    return " · ".join(parts)


def _kind(rules: BullsAndCows, mode: Mode) -> list[str]:
    classic = [_("classic")] if mode is Mode.CLASSIC else []
    return [digits(rules), *classic]


def digits(rules: BullsAndCows) -> str:
    words = _("{digits}, repeats allowed") if rules.repeats else _("{digits}, all different")
    return words.format(digits=counts.digits(rules.digits))


def is_near_the_end(duel: Duel, made: int) -> bool:
    """True if `made` guesses are so many that texts should mention the limit."""
    return made + 1 >= duel.rules.max_guesses - _NEAR_THE_END


def name(seat: SeatView, *, begins: bool = False) -> str:
    """A mention of the player of a seat, or the bot; with `begins` it can begin a sentence."""
    return player(seat.player_id, begins=begins)


def player(player_id: int | None, *, begins: bool = False) -> str:
    """A mention of a player, or the bot for None; with `begins` it can begin a sentence."""
    if player_id is not None:
        return mention(player_id)
    #: Instead of a player's name, at the beginning of a sentence and within.
    return _("The bot") if begins else _("the bot")


def as_invited(view: DuelView) -> tuple[SeatView, SeatView]:
    """Both sides, the challenger first: before play, nobody may see the order of moves."""
    return view.seats[view.duel.challenger], view.seats[1 - view.duel.challenger]


#: A score, without spaces: bulls, their letter, cows, their letter.
_IN_LETTERS: Final = N_("{bulls}B{cows}C")


def score_in_letters(score: Score) -> str:
    """A score in letters, such as 2B1C."""
    return say(_IN_LETTERS, bulls=score.bulls, cows=score.cows)


def score_letters() -> tuple[str, str]:
    """The letters for bulls and for cows."""
    bull, cow = say(_IN_LETTERS, bulls="", cows=" ").split()
    return bull, cow


def block(lines: Iterable[str]) -> str:
    return "\n".join(("```", *lines, "```"))


def head_to_head(players: tuple[SeatView, SeatView], record: HeadToHead) -> str:
    """The record of two players' duels, the first player's wins first."""
    first, second = players
    words = _("Head to head: {first} {won} – {lost} {second}").format(
        first=name(first), won=record.won, second=name(second), lost=record.lost
    )
    if record.drawn:
        words = f"{words} · {counts.draws(record.drawn)}"
    return small(words)


def so_far(view: DuelView) -> str:
    """The record in duels and in dailies of an invitation's two players, the challenger's first."""
    players, lines = as_invited(view), list[str]()
    if view.head_to_head is not None and view.head_to_head != HeadToHead(0, 0, 0):
        lines.append(head_to_head(players, view.head_to_head))
    if view.shared is not None:
        words = _("{dailies} in common: {first} ahead in {fewer}%, {second} in {more}%").format(
            dailies=counts.puzzles(view.shared.dailies),
            first=name(players[0]),
            second=name(players[1]),
            fewer=view.shared.percent_fewer,
            more=view.shared.percent_more,
        )
        lines.append(small(words))
    return "\n".join(lines)


# Rounds are digits as tiles with pegs for bulls and cows, or two columns of letters. Tiles that
# would exceed Discord's limit of characters are replaced by letters, the earliest first.

BOARD_LENGTH: Final = 2200
"""The most characters of the tiles on a board; a message has 4,000 for all its texts."""
SHORTER_LENGTH: Final = 2000
"""The same limit for a notebook, and for a board at the end, where more text is shown."""

_NOTHING: Final = Score(0, 0)
# A line of more than 23 characters would not fit a phone: longer numbers leave no room for the
# round's number.
_MOST_NUMBERED_DIGITS: Final = 4
# Within a frame, a line of a phone 360 pixels wide has 235. A tile has 22.
_MOST_DIGITS_SIDE_BY_SIDE: Final = 4
_GAP: Final = "\u2002"
_NAME_WIDTH: Final = 6
"""About as many en spaces as a player's name is wide."""

Turns = Sequence[Turn[Score]]


@dataclass(frozen=True, slots=True)
class DuelTiles:
    tiles: Tiles
    pegs: Pegs
    most: int = BOARD_LENGTH

    @classmethod
    def of(cls, tiles: Tiles | None, pegs: Pegs) -> Self | None:
        return cls(tiles, pegs) if tiles is not None and pegs.has_letters else None

    def shorter(self) -> Self:
        return replace(self, most=SHORTER_LENGTH)

    def turn(self, turn: Turn[Score]) -> str:
        """A guess as tiles, and its score as pegs; the tiles are green if the guess is right.

        No digit is grey, since grey means absent in FoCdle.
        """
        is_found = turn.feedback.bulls == len(turn.guess)
        digits = self._digits(turn.guess, TileState.CORRECT if is_found else TileState.UNKNOWN)
        return f"{digits}{self.pegs.key(turn.feedback)}"

    def guess(self, guess: Code) -> str:
        return self._digits(guess, TileState.UNKNOWN)

    def nothing(self, digits: int) -> str:
        """Blank tiles in place of a guess that was not made."""
        return self.tiles.blank * (digits + 1)

    def _digits(self, guess: Code, state: TileState) -> str:
        return "".join(self.tiles.symbol(digit, state, Palette.STANDARD) for digit in guess)


@dataclass(frozen=True, slots=True)
class Rounds:
    """The guesses of both players, the first mover's first; None in `ids` is the bot."""

    digits: int
    ids: tuple[int | None, int | None]
    turns: tuple[Turns, Turns]

    @classmethod
    def of(cls, view: DuelView) -> Self:
        """The rounds of a duel, as far as everybody may see them."""
        left, right = view.seats
        ids, turns = (left.player_id, right.player_id), (left.turns, right.turns)
        return cls(view.duel.rules.digits, ids, turns)

    @property
    def is_side_by_side(self) -> bool:
        """True if tiles of both players' guesses fit on one line of a phone."""
        return self.digits <= _MOST_DIGITS_SIDE_BY_SIDE


def columns(rounds: Rounds, tiles: DuelTiles | None = None) -> str:
    """Both players' guesses side by side, the first mover's on the left; empty without any.

    Tiles of more than four digits are too wide for that: the second player's then stand below the
    first player's.
    """
    if not any(rounds.turns):
        return ""
    # Each name stands above its column, if they are as wide as most: an en space is as wide as a
    # letter of a block, and a tile as 2.75 of them.
    left, right = (player(player_id, begins=True) for player_id in rounds.ids)
    width = 2.75 * (rounds.digits + 1) if rounds.is_side_by_side else rounds.digits + 5
    head = f"{left}{_GAP * max(2, round(width) + 1 - _NAME_WIDTH)}{right}"
    count = max(map(len, rounds.turns))
    if tiles is None:
        return "\n".join(filter(None, (head, _letters(rounds, range(count)))))
    drawn = _fitting([_length(rounds, row, tiles) for row in range(count)], tiles.most)
    shown = range(count - drawn, count)
    earlier = _letters(rounds, range(count - drawn)) if drawn < count else ""
    if rounds.is_side_by_side:
        parts = [head, earlier, *_side_by_side(rounds, shown, tiles)]
    else:
        parts = [head if earlier else "", earlier]
        for player_id, turns in zip(rounds.ids, rounds.turns, strict=True):
            parts.append(_("**{player}**").format(player=player(player_id, begins=True)))
            parts += [numbered(turns, row, tiles) for row in shown]
    return "\n".join(filter(None, parts))


def column(turns: Turns, tiles: DuelTiles | None = None, *, asked: Code | None = None) -> str:
    """One player's guesses, then `asked`, a guess that waits for its score; empty without any."""
    if tiles is None:
        written = [written_turn(turns, row) for row in range(len(turns))]
        if asked is not None:
            written.append(f"{len(turns) + 1:2} {asked} ?")
        return block(written) if written else ""
    lengths = [len(numbered(turns, row, tiles)) for row in range(len(turns))]
    earlier = len(turns) - _fitting(lengths, tiles.most)
    parts = [block(written_turn(turns, row) for row in range(earlier))] if earlier else []
    shown = range(earlier, len(turns))
    parts += [numbered(turns, row, tiles) for row in shown]
    if asked is not None:
        parts.append(f"{_row_number(len(turns))}{tiles.guess(asked)}")
    return "\n".join(parts)


def legend(tiles: DuelTiles | None, *turns: Turn[Score]) -> str:
    """The meaning of the pegs or, if `tiles` is None, of the letters.

    `turns` are those shown. If one of them has no pegs, the picture for that is explained too.
    """
    if tiles is None:
        return small(_("B: in place · C: elsewhere"))
    bull, cow = map(tiles.pegs.key, (Score(1, 0), Score(0, 1)))
    lines = [_("{bull} in place · {cow} elsewhere").format(bull=bull, cow=cow)]
    if any(turn.feedback == _NOTHING for turn in turns):
        lines.append(_("{none} none").format(none=tiles.pegs.key(_NOTHING)))
    return small(" · ".join(lines))


def _fitting(lengths: Sequence[int], left: int) -> int:
    """How many of the last rounds fit into `left` characters; `lengths` are those of each round."""
    drawn = 0
    for length in reversed(lengths):
        left -= length + 1
        if left < 0:
            break
        drawn += 1
    return drawn


def _length(rounds: Rounds, row: int, tiles: DuelTiles) -> int:
    if rounds.is_side_by_side:
        return len(next(_side_by_side(rounds, [row], tiles)))
    # One for the line break between the two.
    return sum(len(numbered(turns, row, tiles)) for turns in rounds.turns) + 1


def _side_by_side(rounds: Rounds, rows: Iterable[int], tiles: DuelTiles) -> Iterator[str]:
    for row in rows:
        left, right = (tiles.turn(turns[row]) if row < len(turns) else "" for turns in rounds.turns)
        if not rounds.turns[1]:  # an empty column would leave it open whose the first guess is
            right = tiles.nothing(rounds.digits)
        yield f"{left or tiles.nothing(rounds.digits)}{_GAP}{right}" if right else left


def numbered(turns: Turns, row: int, tiles: DuelTiles) -> str:
    if row >= len(turns):
        return ""
    return f"{_row_number(row)}{tiles.turn(turns[row])}"


def written_turn(turns: Turns, row: int) -> str:
    return f"{row + 1:2} {_turn(turns, row)}"


def _row_number(row: int) -> str:
    return f"`{row + 1:2}`{_GAP}"


def _letters(rounds: Rounds, rows: Iterable[int]) -> str:
    left, right = rounds.turns
    width = rounds.digits + len(score_in_letters(Score(0, 0))) + 1
    is_numbered = rounds.digits <= _MOST_NUMBERED_DIGITS
    lines: list[str] = []
    for row in rows:
        number, gap = (f"{row + 1:2} ", "  ") if is_numbered else ("", " ")
        lines.append(f"{number}{_turn(left, row):{width}}{gap}{_turn(right, row)}".rstrip())
    return block(lines)


def _turn(turns: Turns, row: int) -> str:
    if row >= len(turns):
        return ""
    return f"{turns[row].guess} {score_in_letters(turns[row].feedback)}"


def ending(view: DuelView, *, drawn: bool = False) -> list[str]:
    """The texts of an end: the result, the secrets, and ratings with the record.

    Only the result is never empty, and stands by itself if the rest is `drawn` as a picture.
    """
    if drawn:
        return [result(view)]
    lines: list[str] = []
    for seat in view.seats:
        if seat.change is None:
            continue
        before, after = seat.change.before, seat.change.after
        line = _("{trend} {player}: {before} → **{after}**").format(
            player=name(seat),
            trend="📉" if after.mu < before.mu else "📈",
            before=before.points,
            after=after.points,
        )
        lines.append(line)
    if view.head_to_head is not None and view.duel.playing_at is not None:
        lines.append(head_to_head(view.seats, view.head_to_head))
    return [result(view), revealed(view), "\n".join(lines)]


def result(view: DuelView) -> str:
    duel, made = view.duel, view.seats[0].guesses
    if duel.winner is not None:
        return _won(view, view.seats[duel.winner], view.seats[1 - duel.winner])
    sentences = {
        Ending.BOTH_SOLVED: ngettext(
            "🤝 **A draw**: both found it on the very first guess!",
            "🤝 **A draw**: both found it in {guesses} guesses.",
            made,
        ).replace("{guesses}", str(made)),
        Ending.OUT_OF_GUESSES: _("🤝 **A draw**: neither found it in {guesses}."),
        Ending.DRAW_ACCEPTED: _("🤝 **A draw** by agreement."),
        Ending.DECLINED: _(
            "**{opponent} declined {challenger}'s challenge.**\n-# {challenger} can ask again "
            "{again}."
        ),
        Ending.LAPSED: _("**The challenge is over**: {opponent} didn't answer in time."),
        Ending.WITHDRAWN: _("**{challenger} withdrew the challenge to {opponent}.**"),
    }
    if view.is_rematch:
        sentences[Ending.DECLINED] = _("**{opponent} doesn't want a rematch just now.**")
    if duel.accepted_at is not None:
        sentences[Ending.WITHDRAWN] = _("**The duel was called off** before it began.")
    challenger, opponent = as_invited(view)
    return sentences[duel.ending or Ending.LAPSED].format(
        challenger=name(challenger),
        opponent=name(opponent),
        guesses=counts.of_guesses(duel.rules.max_guesses),
        again="" if duel.finished_at is None else relative_time(duel.finished_at + AN_HOUR),
    )


def plain(view: DuelView, player_id: int) -> str:
    """A duel with the bot that is over as plain text, to be pasted anywhere: the player's side."""
    duel, seat = view.duel, view.duel.seat_of(player_id) or 0
    own = view.seats[seat]
    signs = {None: "🤝", seat: "🏆"}
    score = counts.score(len(own.turns), duel.rules.max_guesses, is_solved=own.found, is_hard=False)
    head = f"{signs.get(duel.winner, '❌')} {say(DUEL_NAME)} {score} · {options(duel)}"
    return "\n".join((head, *(written_turn(own.turns, row) for row in range(len(own.turns)))))


def victory(view: DuelView, winner: str) -> str:
    """The result as the winner, who is mentioned, reads it in a nudge."""
    reasons = {
        Ending.RESIGNED: _("{player}, 🏆 **you win**: {loser} resigned."),
        Ending.TIMED_OUT: _("{player}, 🏆 **you win**: {loser} ran out of time."),
    }
    words = reasons.get(view.duel.ending or Ending.SOLVED, _("{player}, 🏆 **you win**!"))
    return words.format(player=winner, loser=name(view.seats[1 - (view.duel.winner or 0)]))


def _won(view: DuelView, winner: SeatView, loser: SeatView) -> str:
    sentences = {
        Ending.RESIGNED: _("🏆 **{winner} wins**: {loser} resigned."),
        Ending.TIMED_OUT: _("🏆 **{winner} wins**: {loser} ran out of time."),
        Ending.SOLVED: ngettext(
            "🏆 **{winner} wins** on the very first guess!",
            "🏆 **{winner} wins**, in {guesses} guesses.",
            winner.guesses,
        ),
    }
    return sentences[view.duel.ending or Ending.SOLVED].format(
        winner=name(winner, begins=True),
        loser=name(loser),
        guesses=winner.guesses,
    )


def revealed(view: DuelView) -> str:
    """The sentence that tells the secrets; empty if the duel was never played."""
    first, second = view.seats
    if first.target is None or second.target is None:
        return ""
    #: Either may be the bot: "The bot", or later in the sentence "the bot".
    return _("{first}'s number was {own}, and {second}'s was {other}.").format(
        first=name(first, begins=True),
        own=code(second.target),
        second=name(second),
        other=code(first.target),
    )


# Entries in lists.


def list_name(opponent_id: int | None) -> str:
    """Name a duel from one player's point of view; `opponent_id` is None for the bot."""
    if opponent_id is None:
        return _("Duel with me")
    return _("Duel with {player}").format(player=mention(opponent_id))


def progress(view: DuelView, seat: int) -> str:
    """Say from a seat's point of view what a duel waits for."""
    duel = view.duel
    if duel.state is State.INVITED:
        return _("not accepted yet") if seat == duel.challenger else _("answer the challenge")
    if duel.state is State.SETTING:
        return _("set your number")
    if duel.draw_offered_by == 1 - seat:
        return _("**draw offered**")
    return _("**your turn**") if duel.to_move == seat else _("waiting")


def listed(view: DuelView, player_id: int) -> str:
    """Write an unfinished duel's entry in a list."""
    seat = view.duel.seat_of(player_id) or 0
    details = f"{options(view.duel)} · {progress(view, seat)}"
    return f"**{list_name(view.seats[1 - seat].player_id)}**\n{small(details)}"


_SIGNS: Final = {Result.WON: WON, Result.DRAWN: "🤝", Result.LOST: BAD}


def finished_line(game: FinishedDuel, _player_id: int) -> str:
    """Write a finished duel's entry in a list."""
    sign, name = _SIGNS[game.result], list_name(game.opponent_id)
    details = _kind(game.rules, game.mode)
    if game.strength is not None:
        details.append(say(STRENGTH_NAMES[game.strength]))
    return games_words.finished_line(sign, name, _finished(game), game.finished_at, details)


def _finished(game: FinishedDuel) -> str:
    if game.result is Result.DRAWN:
        draws = {
            Ending.BOTH_SOLVED: _("drawn: both in {guesses}"),
            Ending.OUT_OF_GUESSES: _("drawn: neither found it"),
            Ending.TIMED_OUT: _("drawn on time"),
            Ending.DRAW_ACCEPTED: _("drawn by agreement"),
        }
        return draws[game.ending].format(guesses=game.guesses)
    results = {
        Ending.SOLVED: ngettext("lost to a first guess", "lost to {guesses} guesses", game.guesses),
        Ending.RESIGNED: _("lost: you resigned"),
        Ending.TIMED_OUT: _("lost on time"),
    }
    if game.result is Result.WON:
        results = {
            Ending.SOLVED: ngettext("won at once", "won in {guesses} guesses", game.guesses),
            Ending.RESIGNED: _("won: they resigned"),
            Ending.TIMED_OUT: _("won on time"),
        }
    return results[game.ending].format(guesses=game.guesses)
