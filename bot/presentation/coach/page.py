"""The coach's page: a game guess by guess, what it came to, and how the solver played it."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from bot.model.dailies import PuzzleName
from bot.model.games import Source
from bot.model.hints import Hint, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext, number
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, heading, mention, small
from bot.presentation.base.pegs import Pegs, colour_name
from bot.presentation.base.tiles import Tiles, row
from bot.presentation.coach.sentences import Spelling, sentences
from bot.services.coach.insights import Insight
from bot.services.coach.model import CoachTurn, Review, Role
from engine import Code, Focdle, Mark, Score

#: Opens the coach's page about a finished game.
COACH_BUTTON: Final = N_("Coach")
#: Opens the page about the other player's guesses.
OTHER_SIDE_BUTTON: Final = N_("The other side")
#: Opens the page about the own guesses, from that about the other player's.
OWN_SIDE_BUTTON: Final = N_("Your guesses")
#: Turns the coach's page back.
EARLIER_BUTTON: Final = N_("Earlier guesses")
#: Turns the coach's page on.
LATER_BUTTON: Final = N_("Later guesses")
#: Explains the figures on the coach's page.
MEANING_BUTTON: Final = N_("What it means")
#: After so long a wait for the coach that Discord allows no longer one.
NOT_YET: Final = N_(
    "The coach has not come to this game yet: many are before it, and Discord ends the wait "
    "here. The game keeps its place. Press **Coach** in a few minutes."
)

TURNS_ON_A_PAGE: Final = 6

_HUNDREDTH: Final = Fraction(1, 100)
"""Of guesses, no smaller part is told."""
_WHOLE: Final = 10
"""From here on, what is usually left is told without tenths."""
_WIDEST: Final = 10
"""How many squares fit on a line of a phone."""
_PRAISE: Final = frozenset({Insight.PERFECT, Insight.AS_GOOD, Insight.OPENING})
"""What compares a guess with the solver's."""


def thinking(ahead: int) -> str:
    """What is said while the coach has not answered."""
    if not ahead:
        return _("🔎 The coach is looking at this game…")
    return ngettext(
        "🔎 The coach looks at one other game first, then at this one.",
        "🔎 The coach looks at {ahead} other games first, then at this one.",
        ahead,
    ).format(ahead=ahead)


@dataclass(frozen=True, slots=True)
class CoachPage:
    """The texts of a page, top to bottom.

    Attributes:
        title: which game, and whose guesses.
        summary: what it came to; empty but on the first page.
        turns: a text for each guess on this page.
        line: how the solver played it; empty but on the last page.
        number: which page, 0 for the first.
        pages: how many there are.
    """

    title: str
    summary: str
    turns: tuple[str, ...]
    line: str
    number: int
    pages: int


def coach_page(
    review: Review, pegs: Pegs, number_: int = 0, tiles: Tiles | None = None
) -> CoachPage:
    """A page of a review; one that there is not means the last."""
    turns = review.analysis.turns
    pages = -(-len(turns) // TURNS_ON_A_PAGE)
    page = min(max(number_, 0), pages - 1)
    spelling = spelling_of(review, pegs, tiles)
    said = sentences(_without_self_praise(review), spelling, seed=review.game.id)
    first = page * TURNS_ON_A_PAGE
    shown = range(first, min(first + TURNS_ON_A_PAGE, len(turns)))
    return CoachPage(
        title=_title(review),
        summary=_summary(review) if page == 0 else "",
        turns=tuple(_turn(review, index, spelling, said[index]) for index in shown),
        line=_line(review, spelling) if page == pages - 1 else "",
        number=page,
        pages=pages,
    )


def _without_self_praise(review: Review) -> tuple[CoachTurn, ...]:
    """The guesses, without praise for those that are the solver's own or that it suggested."""
    is_the_solver = review.role is Role.BOT and review.game.source is Source.MASTERMIND
    return tuple(
        replace(turn, observations=tuple(o for o in turn.observations if o.kind not in _PRAISE))
        if is_the_solver or _is_suggested(review, index)
        else turn
        for index, turn in enumerate(review.analysis.turns)
    )


def _is_suggested(review: Review, index: int) -> bool:
    guess = review.analysis.turns[index].guess
    return Hint(index, HintKind.SUGGESTION, guess) in review.hints


def spelling_of(review: Review, pegs: Pegs, tiles: Tiles | None = None) -> "GameSpelling":
    """How the game of a review is written."""
    if review.game.source is Source.PLAY:
        return GameSpelling(tiles)
    return _PegSpelling(pegs) if review.game.source is Source.MASTERMIND else _DigitSpelling()


class GameSpelling(Spelling):
    """Equations."""

    def __init__(self, tiles: Tiles | None = None) -> None:
        self._tiles = tiles

    def symbol(self, symbol: str) -> str:
        """In code style, where it means nothing to Discord."""
        return code(symbol)

    def code(self, code: str) -> str:
        """Likewise."""
        return self.symbol(code)

    def turn(self, turn: CoachTurn) -> str:
        """A guess and what it was answered."""
        marks = tuple(Mark(mark) for mark in turn.feedback)
        squares = row(marks)
        if len(turn.guess) > _WIDEST:
            squares = small(squares)
        elif self._tiles is not None:
            squares = self._tiles.marks(marks)
        return f"{self.code(turn.guess)}\n{squares}"


class _DigitSpelling(GameSpelling):
    def turn(self, turn: CoachTurn) -> str:
        bulls, cows = turn.feedback
        score = ", ".join(
            (
                ngettext("{count} bull", "{count} bulls", bulls).format(count=bulls),
                ngettext("{count} cow", "{count} cows", cows).format(count=cows),
            )
        )
        return f"{self.code(turn.guess)} · {score}"


class _PegSpelling(GameSpelling):
    def __init__(self, pegs: Pegs) -> None:
        super().__init__()
        self._pegs = pegs

    def symbol(self, symbol: str) -> str:
        return f"{self._pegs.peg(symbol)} {colour_name(symbol)}"

    def code(self, code: str) -> str:
        # A page has room for so many emojis only; their letters are short.
        return super().symbol(code) if self._pegs.has_letters else self._pegs.lettered_row(code)

    def turn(self, turn: CoachTurn) -> str:
        key = self._pegs.key(Score(*turn.feedback))
        return f"{self._pegs.lettered_row(turn.guess)} {key}"


def _title(review: Review) -> str:
    names = {
        Source.PLAY: _focdle(review.puzzle),
        Source.MASTERMIND: _("Mastermind"),
        Source.DUEL: _("Bulls and Cows duel"),
    }
    whose = {
        Role.OWN: _("Your guesses, one by one. Only you see this."),
        Role.OTHER: _("{player}'s guesses, one by one. Only you see this."),
        Role.BOT: _("The bot's guesses, one by one. Only you see this."),
    }[review.role]
    title = heading(_("Coach · {game}").format(game=names[review.game.source]))
    return f"{title}\n{small(whose.format(player=mention(review.breaker_id or 0)))}"


def _focdle(puzzle: PuzzleName | None) -> str:
    if puzzle is None:
        return _("FoCdle practice")
    return _("FoCdle #{number}").format(number=puzzle.number)


def _summary(review: Review) -> str:
    analysis = review.analysis
    first, last = analysis.turns[0].before, analysis.turns[-1].after
    luck = _("luck **{luck}**").format(luck=analysis.luck)
    totals = luck.capitalize()
    if review.role is not Role.BOT:
        totals = _("Skill **{skill}** · {luck}").format(skill=analysis.skill, luck=luck)
    scale = _(
        "Skill 99 is the solver's play, 50 that of any guesses that fit all clues; luck 50 is "
        "neither good nor bad."
    )
    if review.role is Role.BOT:
        scale = _("From 0 to 99, the bot's; 50 is neither good nor bad.")
    left = ngettext(
        "From {before} possible to 1.",
        "From {before} possible to {after}.",
        last,
    ).format(before=number(first), after=number(last))
    par = "" if review.par is None else small(_("Par is what the solver takes on average."))
    lines = [totals, small(scale), comparison_line(review), par, small(left)]
    return "\n".join(filter(None, lines))


def comparison_line(review: Review) -> str:
    """Par, this game, and the server's mean; empty where there is nothing to compare."""
    analysis, parts = review.analysis, list[str]()
    taken = len(analysis.turns)
    is_compared = review.par is not None or review.field is not None
    if review.par is not None:
        parts.append(_("par {par}").format(par=number(review.par, 1)))
    if not analysis.is_solved:
        parts.append(_("you did not find it"))
    elif is_compared:
        parts.append(_("you {guesses}").format(guesses=taken))
    else:
        parts.append(counts.guesses(taken))
    if review.field is not None:
        parts.append(counts.mean_here(review.field.guesses, review.field.players))
    if review.hints:
        parts.append(counts.hints(len(review.hints)))
    parts = list(filter(None, parts))
    line = " · ".join(parts)
    return line[:1].upper() + line[1:] if len(parts) > 1 else ""


def _turn(review: Review, index: int, spelling: "GameSpelling", sentence: str) -> str:
    turn = review.analysis.turns[index]
    figures = [f"{number(turn.before)} → {number(turn.after)}"]
    figures.append(_("luck {luck}").format(luck=turn.luck))
    is_suggested = _is_suggested(review, index)
    if is_suggested:
        figures.append(_("💡 suggested"))
    is_graded = turn.grade and not is_suggested and review.role is not Role.BOT
    place = f"{index + 1} {turn.grade}" if is_graded else f"{index + 1}"
    lines = [f"**{place}** {spelling.turn(turn)}", small(" · ".join(figures))]
    if turn.before > 1 or (turn.loss.guesses and review.role is not Role.BOT):
        lines.append(small(_usual(review, turn, spelling)))
    return "\n".join(filter(None, [*lines, sentence]))


def _usual(review: Review, turn: CoachTurn, spelling: "GameSpelling") -> str:
    """What such a guess usually leaves, and what a better one would have saved."""
    left, best = (_about(turn.before, bits) for bits in (turn.promised, turn.choice_promised))
    facts = {"left": left, "best": best, "choice": spelling.code(turn.choice)}
    if review.role is Role.BOT or not turn.loss.guesses:
        return _("Such a guess usually leaves about {left}.").format(**facts)
    saved = _saved(turn)
    if turn.before == 1:
        return _("The solver's {choice} would have saved {saved}.").format(saved=saved, **facts)
    return _(
        "Such a guess usually leaves about {left}; the solver's {choice}, about {best}, and saves "
        "{saved}."
    ).format(saved=saved, **facts)


def _saved(turn: CoachTurn) -> str:
    """How many guesses the solver's guess saves on average."""
    lost = turn.loss.guesses
    if lost < _HUNDREDTH:
        return _("next to nothing")
    if lost == 1:
        return _("a guess")
    mean = number(float(lost), 2)
    return _("{mean} guesses").format(mean=mean if turn.loss.is_exact else f"≈{mean}")


def _about(before: int, bits: float) -> str:
    """The geometric mean of what answers leave, to two digits.

    The arithmetic mean is another thing: a rare answer that leaves very many makes it larger than
    what mostly happens, and it would now and then rank guesses otherwise than their skill.
    """
    left = before / 2**bits
    if left < _WHOLE:
        return number(round(left, 1), 0 if round(left, 1).is_integer() else 1)
    return number(round(left, 1 - math.floor(math.log10(left))))


def _line(review: Review, spelling: "GameSpelling") -> str:
    line = review.analysis.line
    if review.role is Role.BOT or not line:
        return ""
    title = ngettext(
        "**The solver, with the same answer to find: {count} guess**",
        "**The solver, with the same answer to find: {count} guesses**",
        len(line),
    ).format(count=len(line))
    steps = [
        _("{code} leaves {count}").format(code=spelling.code(step.guess), count=number(step.after))
        for step in line[:-1]
    ]
    steps.append(_("{code} is it").format(code=spelling.code(line[-1].guess)))
    if review.game.source is Source.PLAY and any(not _is_true(step.guess) for step in line):
        steps.append(_("False equations are probes, which you may play, too."))
    return "\n".join([title, *(small(step) for step in steps)])


def _is_true(guess: str) -> bool:
    return Focdle(len(guess)).equation(Code(guess)).is_true
