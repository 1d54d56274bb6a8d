"""The coach's page: what a game came to, its guesses one by one, and how the solver played it."""

from dataclasses import dataclass, replace
from typing import Final

from bot.model.games import Source
from bot.model.hints import Hint, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext, number
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading, mention, small
from bot.presentation.base.pegs import Pegs
from bot.presentation.base.tiles import Tiles
from bot.presentation.coach.sentences import sentences
from bot.presentation.coach.spelling import GameSpelling, game_name, spelling_of
from bot.presentation.coach.verdict import turning_point_line, verdict_line
from bot.presentation.coach.worth import BAD_GRADES, about, marked, saved
from bot.services.coach.insights import Insight
from bot.services.coach.model import CoachTurn, Review, Role
from bot.services.coach.verdict import FEWEST_FOR_SKILL, gamble_of, is_answer, mark_of
from engine import Code, Focdle
from engine.skill import TOP, Grade

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
#: Shows more figures on the coach's page.
DETAILS_BUTTON: Final = N_("Details")
#: Takes these figures away again.
LESS_BUTTON: Final = N_("Less")
#: After so long a wait for the coach that Discord allows no longer one.
NOT_YET: Final = N_(
    "Many games are before this one. It keeps its place: press **Coach** in a few minutes."
)

TURNS_ON_A_PAGE: Final = 6

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
        verdict: what it came to, and the guess that decided it; empty but on the first page.
        scales: what its figures mean; empty but on the first page, and without details.
        turns: a text for each guess on this page.
        line: how the solver played it; empty but on the last page.
        number: which page, 0 for the first.
        pages: how many there are.
    """

    title: str
    verdict: str
    scales: str
    turns: tuple[str, ...]
    line: str
    number: int
    pages: int


def coach_page(
    review: Review,
    pegs: Pegs,
    number_: int = 0,
    tiles: Tiles | None = None,
    *,
    is_detailed: bool = False,
) -> CoachPage:
    """A page of a review.

    Args:
        review: what was found.
        pegs: how pegs are shown.
        number_: which page; one that there is not means the last.
        tiles: the emojis to draw with; squares without them.
        is_detailed: whether all figures are told.
    """
    turns = review.analysis.turns
    pages = -(-len(turns) // TURNS_ON_A_PAGE)
    page = min(max(number_, 0), pages - 1)
    spelling = spelling_of(review, pegs, tiles)
    marks = [_mark(review, index) for index in range(len(turns))]
    # Details have the reason, too.
    blamed = {i for i, mark in enumerate(marks) if mark in BAD_GRADES and not is_detailed}
    said = sentences(_without_self_praise(review), spelling, review.game.id, blamed)
    first = page * TURNS_ON_A_PAGE
    shown = range(first, min(first + TURNS_ON_A_PAGE, len(turns)))
    return CoachPage(
        title=_title(review),
        verdict=_verdict(review, spelling) if page == 0 else "",
        scales=_scales(review) if page == 0 and is_detailed else "",
        turns=tuple(
            _turn(review, index, spelling, said[index], is_detailed=is_detailed) for index in shown
        ),
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


def _title(review: Review) -> str:
    whose = {
        Role.OWN: _("Your guesses, one by one. Only you see this."),
        Role.OTHER: _("{player}'s guesses, one by one. Only you see this."),
        Role.BOT: _("The bot's guesses, one by one. Only you see this."),
    }[review.role]
    title = _("Coach · {game}").format(game=game_name(review.game.source, review.puzzle))
    below = small(whose.format(player=mention(review.breaker_id or 0)))
    return f"{heading(title)}\n{below}"


def _verdict(review: Review, spelling: GameSpelling) -> str:
    unblamed = {i for i in range(len(review.analysis.turns)) if _is_suggested(review, i)}
    point = turning_point_line(review, spelling, unblamed)
    return "\n".join(filter(None, (verdict_line(review), _totals(review), point)))


def _totals(review: Review) -> str:
    """The figures of the whole game, in one line."""
    analysis = review.analysis
    most = {"most": TOP}
    parts = [_("luck **{luck}** of {most}").format(luck=analysis.luck, **most)]
    parts.append(comparison_line(review))
    if review.role is not Role.BOT and not _is_short_duel(review):
        parts.insert(0, _("skill **{skill}** of {most}").format(skill=analysis.skill, **most))
    line = " · ".join(filter(None, parts))
    return line[:1].upper() + line[1:]


def _is_short_duel(review: Review) -> bool:
    """Whether it is a duel of so few guesses that its picture tells no skill, either."""
    is_short = len(review.analysis.turns) < FEWEST_FOR_SKILL
    return is_short and review.game.source is Source.DUEL


def _scales(review: Review) -> str:
    first, last = review.analysis.turns[0].before, review.analysis.turns[-1].after
    scale = _("Skill 99 is the solver's play, 50 any guess that fits; luck 50 is average.")
    if review.role is Role.BOT:
        scale = _("Luck is from 0 to 99; 50 is neither good nor bad.")
    left = ngettext(
        "From {before} possible to 1.",
        "From {before} possible to {after}.",
        last,
    ).format(before=number(first), after=number(last))
    return "\n".join(small(text) for text in (scale, left))


def comparison_line(review: Review) -> str:
    """Par, this game, and the server's mean; empty where there is nothing to compare."""
    analysis, parts = review.analysis, list[str]()
    taken = len(analysis.turns)
    is_compared = review.par is not None or review.field is not None
    if review.par is not None:
        parts.append(_("par {par} (the bot's average)").format(par=number(review.par, 1)))
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
    return " · ".join(parts) if len(parts) > 1 else ""


def _turn(
    review: Review, index: int, spelling: GameSpelling, sentence: str, *, is_detailed: bool
) -> str:
    turn = review.analysis.turns[index]
    left = _("{before} possible → {after}")
    figures = [left.format(before=number(turn.before), after=number(turn.after))]
    is_suggested = _is_suggested(review, index)
    if is_detailed:
        figures.append(_("luck {luck} of {most}").format(luck=turn.luck, most=TOP))
    if is_suggested:
        figures.append(_("💡 suggested"))
    # Beside anything else, a phone's line has no room for the tiles.
    above = " · ".join((marked(index + 1, _mark(review, index)), *figures))
    lines = [above, spelling.turn(turn.guess, turn.feedback)]
    is_open = turn.before > 1 and not is_answer(review.analysis, turn)
    is_telling = not turn.is_last and (
        is_open or (turn.loss.guesses and review.role is not Role.BOT)
    )
    if is_detailed and is_telling:
        lines.append(small(_usual(review, turn, spelling)))
    is_gamble = turn is gamble_of(review.analysis) and not is_suggested
    if is_gamble and review.role is not Role.BOT and not is_detailed:  # details say so, too
        words = _("It could have cost you: {choice} was better, {saved}.")
        why = words.format(choice=spelling.code(turn.choice), saved=saved(turn))
        sentence = " ".join(filter(None, (sentence, why)))
    return "\n".join(filter(None, [*lines, sentence]))


def _mark(review: Review, index: int) -> Grade:
    """What a guess is marked with; the bot's own and what it has suggested are not."""
    if review.role is Role.BOT or _is_suggested(review, index):
        return Grade.PLAIN
    return mark_of(review.analysis, review.analysis.turns[index])


def _usual(review: Review, turn: CoachTurn, spelling: GameSpelling) -> str:
    """What such a guess usually leaves, and what a better one would have saved."""
    left, best = (about(turn.before, bits) for bits in (turn.promised, turn.choice_promised))
    facts = {"left": left, "best": best, "choice": spelling.brief(turn.choice)}
    if review.role is Role.BOT or not turn.loss.guesses:
        return _("Such a guess usually leaves about {left}.").format(**facts)
    if turn.before == 1:
        return _("The solver's {choice}: {saved}.").format(saved=saved(turn), **facts)
    if is_answer(review.analysis, turn):
        words = _("A gamble that paid: the solver's {choice} is surer, {saved}.")
        return words.format(saved=saved(turn), **facts)
    return _(
        "Such a guess usually leaves about {left}; the solver's {choice}, about {best}: {saved}."
    ).format(saved=saved(turn), **facts)


def _line(review: Review, spelling: GameSpelling) -> str:
    line = review.analysis.line
    if review.role is Role.BOT or not line:
        return ""
    *earlier, last = line
    steps = [
        _("{code} leaves {count}").format(code=spelling.brief(step.guess), count=number(step.after))
        for step in earlier
    ]
    left = earlier[-1].after if earlier else review.analysis.turns[0].before
    words = _("{code} is it") if left == 1 else _("{code} is it: one chance in {count}")
    steps.append(words.format(code=spelling.brief(last.guess), count=number(left)))
    if review.game.source is Source.PLAY and any(not _is_true(step.guess) for step in line):
        steps.append(_("False equations are probes, which you may play, too."))
    below = map(small, [_("What each of its guesses leaves possible:"), *steps])
    return "\n".join([_beside_the_solver(review), *below])


def _beside_the_solver(review: Review) -> str:
    """How many guesses the solver takes for the same answer; whoever was faster is praised."""
    taken, needed = len(review.analysis.turns), len(review.analysis.line)
    title = ngettext(
        "**The solver, with the same answer to find: {count} guess**",
        "**The solver, with the same answer to find: {count} guesses**",
        needed,
    ).format(count=needed)
    if not review.analysis.is_solved or taken > needed:
        return title
    if taken == needed:
        return f"{title}\n{_('As many as here.')}"
    praise = ngettext(
        "Faster than the solver, by {count} guess!",
        "Faster than the solver, by {count} guesses!",
        needed - taken,
    ).format(count=needed - taken)
    if review.analysis.luck > TOP // 2:
        praise = f"{praise} {_('Luck helped.')}"
    return f"{title}\n🎉 {praise}"


def _is_true(guess: str) -> bool:
    return Focdle(len(guess)).equation(Code(guess)).is_true
