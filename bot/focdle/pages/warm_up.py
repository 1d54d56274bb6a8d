"""The warm-up: a first practice of the shortest length, with a sentence of guidance a step."""

from bot.focdle.model.play import Play
from bot.text.language import gettext as _
from bot.text.markup import code
from engine import Mark
from engine.focdle import SHORTEST


def is_warm_up(play: Play) -> bool:
    """Whether a play is the warm-up of somebody who has finished no game."""
    return play.is_new and play.puzzle is None and play.rules.length == SHORTEST


def guidance(play: Play, example: str) -> str:
    """What to do next; empty once that was said of every mark.

    Args:
        play: the warm-up.
        example: a true equation of its length.
    """
    turns = play.game.turns
    if not turns:
        return _("Press *Guess*: any true equation, say {example}.").format(example=code(example))
    sentences = {
        Mark.CORRECT: _("Green is in place: put it there again."),
        Mark.PRESENT: _("Yellow is in it: try it elsewhere."),
        Mark.ABSENT: _("Grey is out: leave it."),
    }
    seen = [mark for mark in sentences if mark in turns[-1].feedback]
    if len(turns) > len(sentences):
        return ""
    return sentences[seen[(len(turns) - 1) % len(seen)]]
