"""A finished Mastermind or duel as it stood after each guess."""

from typing import Final

from bot.coach.game.replays import Replay
from bot.coach.game.verdict import mark_of
from bot.coach.pages.sentences import sentences
from bot.coach.pages.spelling import GameSpelling, game_name, spelling_for
from bot.coach.pages.worth import marked
from bot.duels.pages.rounds import DuelTiles, Rounds, columns
from bot.duels.pages.rows import player
from bot.text.language import N_, number
from bot.text.language import gettext as _
from bot.text.markup import heading, mention, small
from bot.text.pegs import Pegs
from bot.text.text_board import Mood, TextBoard
from bot.text.tiles import Tiles
from engine.skill import Grade

#: Opens a finished game guess by guess.
REPLAY_BUTTON: Final = N_("Replay")
#: Takes a replay one guess back.
BACK_BUTTON: Final = N_("Back")
#: Takes a replay one guess on.
NEXT_BUTTON: Final = N_("Next")
#: Takes a replay to its last guess.
END_BUTTON: Final = N_("To the end")
#: Takes a replay to before its first guess.
START_BUTTON: Final = N_("From the start")
#: Posts a replay to the channel.
SHOW_BUTTON: Final = N_("Show it here")

_PAIR: Final = 2


def replay_board(replay: Replay, step: int, pegs: Pegs, tiles: Tiles | None = None) -> TextBoard:
    """The board after so many guesses.

    Args:
        replay: the game.
        step: how many were made by then, of both sides in a duel.
        pegs: how pegs are shown.
        tiles: the emojis to draw with; squares without them.
    """
    spelling = spelling_for(replay.game.source, pegs, tiles)
    title = _("Replay · {game}").format(game=game_name(replay.game.source))
    above = f"{heading(title)}\n{small(_whose(replay, step))}"
    rows = _rows(replay, step, pegs, tiles, spelling)
    if step < len(replay.steps):
        return TextBoard.of(Mood.CALM, above, rows, _said(replay, step, spelling))
    is_solved = any(replay.rules.solved(side.turns[-1].feedback) for side in replay.sides)
    mood = Mood.SOLVED if is_solved else Mood.LOST
    said = (_said(replay, step, spelling), _answers(replay, spelling))
    return TextBoard.of(mood, above, rows, "\n".join(filter(None, said)))


def whose_buttons(replay: Replay) -> str:
    """Below a replay for everybody: whose buttons turn it, and what they do for the others."""
    words = _("Only {player} turns these pages; everybody else gets a copy of their own.")
    return small(words.format(player=mention(replay.player_id)))


def _whose(replay: Replay, step: int) -> str:
    """Who plays, and how far the game has come."""
    players = [player(side.breaker_id, begins=True) for side in replay.sides]
    who = players[0]
    if len(players) == _PAIR:
        who = _("{first} and {second}").format(first=who, second=player(replay.sides[1].breaker_id))
    if not step:
        return _("{players} · before the first guess").format(players=who)
    side, turn = replay.steps[step - 1]
    words = _("{players} · guess {guess} of {guesses}")
    if len(players) == _PAIR:
        words = _("{players} · round {guess}")
    total = len(replay.sides[side].turns)
    return words.format(players=who, guess=turn + 1, guesses=total)


def _rows(
    replay: Replay, step: int, pegs: Pegs, tiles: Tiles | None, spelling: GameSpelling
) -> str:
    """The guesses so far; of one player, with room for the others: buttons are to stay in place."""
    after = replay.after(step)
    length = len(replay.sides[0].turns[0].guess)
    if len(after) == _PAIR:
        left, right = replay.sides
        rounds = Rounds(length, (left.breaker_id, right.breaker_id), (after[0], after[1]))
        return columns(rounds, DuelTiles.of(tiles, pegs))
    rows = [spelling.turn(turn.guess, turn.feedback) for turn in after[0]]
    missing = len(replay.sides[0].turns) - len(rows)
    return "\n".join([*rows, *[spelling.nothing(length)] * missing])


def _said(replay: Replay, step: int, spelling: GameSpelling) -> str:
    """What the coach says of the last guess, if it has looked at it."""
    if not step:
        return _("What would your first guess be? Press **Next** to see this one.")
    side, turn = replay.steps[step - 1]
    analysis = replay.sides[side].analysis
    if analysis is None:
        return ""
    seen = analysis.turns[turn]
    figures = _("{before} possible → {after}").format(
        before=number(seen.before), after=number(seen.after)
    )
    breaker_id = replay.sides[side].breaker_id
    marks = [
        Grade.PLAIN if breaker_id is None else mark_of(analysis, each) for each in analysis.turns
    ]
    place = marked(turn + 1, marks[turn])
    whose = player(breaker_id, begins=True) if len(replay.sides) == _PAIR else ""
    sentence = sentences(analysis.turns, marks, spelling, replay.game.id)[turn]
    above = " · ".join(filter(None, (whose, place, figures)))
    return "\n".join(filter(None, (above, sentence)))


def _answers(replay: Replay, spelling: GameSpelling) -> str:
    """What was not found."""
    missed = (side for side in replay.sides if not replay.rules.solved(side.turns[-1].feedback))
    lines: list[str] = []
    for side in missed:
        if side.secret is not None:
            words = _("{player} did not find {code}.")
            who = player(side.breaker_id, begins=True)
            lines.append(words.format(player=who, code=spelling.code(side.secret)))
    return "\n".join(lines)
