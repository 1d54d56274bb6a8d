"""The coach's page: what a game came to and its guesses one by one; its figures are details."""

from dataclasses import dataclass
from typing import Final

from bot.coach.game.verdict import FEWEST_FOR_SKILL, dearest, is_suggested, marks_of
from bot.coach.model.insight import Review, Role
from bot.coach.pages.sentences import sentences
from bot.coach.pages.spelling import GameSpelling, game_name, spelling_of
from bot.coach.pages.verdict import verdict_line
from bot.coach.pages.worth import marked, probes_line
from bot.games.model.games import Source
from bot.text import counts
from bot.text.language import N_, ngettext, number
from bot.text.language import gettext as _
from bot.text.markup import heading, mention, small
from bot.text.pegs import Pegs
from bot.text.tiles import Tiles
from engine.skill import TOP

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
#: Shows the figures behind the coach's page.
DETAILS_BUTTON: Final = N_("Details")
#: After so long a wait for the coach that Discord allows no longer one.
NOT_YET: Final = N_(
    "Many games are before this one. It keeps its place: press **Coach** in a few minutes."
)

TURNS_ON_A_PAGE: Final = 6


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
        verdict: what it came to; empty but on the first page.
        turns: a text for each guess on this page.
        number: which page, 0 for the first.
        pages: how many there are.
    """

    title: str
    verdict: str
    turns: tuple[str, ...]
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class Details:
    """The figures of a game, top to bottom, the chart aside.

    Attributes:
        title: which game, and whose guesses.
        figures: those of the whole game, and what they mean.
        turns: those of its guesses.
        line: how the solver played it; may be empty.
    """

    title: str
    figures: str
    turns: str
    line: str


def coach_page(
    review: Review, pegs: Pegs, number_: int = 0, tiles: Tiles | None = None
) -> CoachPage:
    """A page of a review.

    Args:
        review: what was found.
        pegs: how pegs are shown.
        number_: which page; one that there is not means the last.
        tiles: the emojis to draw with; squares without them.
    """
    turns, marks = review.analysis.turns, marks_of(review)
    pages = -(-len(turns) // TURNS_ON_A_PAGE)
    page = min(max(number_, 0), pages - 1)
    spelling = spelling_of(review, pegs, tiles)
    sought = dearest(review) if review.game.source is Source.PLAY else None
    said = sentences(turns, marks, spelling, review.game.id, sought)
    first = page * TURNS_ON_A_PAGE
    shown = range(first, min(first + TURNS_ON_A_PAGE, len(turns)))
    return CoachPage(
        title=_title(review),
        verdict=verdict_line(review) if page == 0 else "",
        turns=tuple(_turn(review, index, spelling, said[index]) for index in shown),
        number=page,
        pages=pages,
    )


def details(review: Review, pegs: Pegs) -> Details:
    """The figures of a review."""
    scale = _("Skill 99 is the coach's play, 50 any guess that fits; luck 50 is average.")
    if review.role is Role.BOT:
        scale = _("Luck is from 0 to 99; 50 is average.")
    figures = f"{_totals(review)}\n{small(scale)}"
    line = _line(review, spelling_of(review, pegs))
    return Details(_title(review), figures, _counts(review), line)


def _title(review: Review) -> str:
    title = heading(_("Coach · {game}").format(game=game_name(review.game.source, review.puzzle)))
    whose = {
        Role.OWN: "",
        Role.OTHER: _("{player}'s guesses"),
        Role.BOT: _("The bot's guesses"),
    }[review.role]
    below = small(whose.format(player=mention(review.breaker_id or 0))) if whose else ""
    return "\n".join(filter(None, (title, below)))


def _turn(review: Review, index: int, spelling: GameSpelling, sentence: str) -> str:
    turn = review.analysis.turns[index]
    # Beside anything else, a phone's line has no room for the tiles.
    above = marked(index + 1, marks_of(review)[index])
    if is_suggested(review, index):
        above = " · ".join((above, _("💡 suggested")))
    return "\n".join(filter(None, [above, spelling.turn(turn.guess, turn.feedback), sentence]))


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
    return " · ".join(parts) if len(parts) > 1 else ""


def _counts(review: Review) -> str:
    """What each guess left, and how lucky its answer was."""
    lines = [
        _("**{guess}** · {before} → {after} · luck {luck}").format(
            guess=index, before=number(turn.before), after=number(turn.after), luck=turn.luck
        )
        for index, turn in enumerate(review.analysis.turns, 1)
    ]
    return "\n".join([_("**Still possible, guess by guess**"), *lines])


def _line(review: Review, spelling: GameSpelling) -> str:
    """The solver's own guesses, and what each leaves possible."""
    line = review.analysis.line
    if review.role is Role.BOT or not line:
        return ""
    steps = [f"{spelling.brief(step.guess)} → {number(step.after)}" for step in line]
    title = _("**The coach, in {guesses}**").format(guesses=counts.guesses(len(line)))
    if review.game.source is Source.PLAY:
        steps.append(probes_line(step.guess for step in line))
    return "\n".join(filter(None, [title, *steps]))
