"""Pages of the coach: reviews, lessons."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.coach.game import Comparison, Lesson, Worth
from bot.coach.model import Review, Weighed
from bot.coach.reviews import (
    Manner,
    is_faster,
    is_too_short,
    is_winning_guess,
    manner_of,
    mistakes,
    shown_grades,
)
from bot.coach.words import (
    GameSpelling,
    game_name,
    number_and_grade,
    probes_line,
    sentences,
    spelling_of,
)
from bot.focdle.words import ignored_clue
from bot.games.model import Role
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import code, heading, mention, small
from bot.text.tiles import PLAIN, Pegs, Tiles
from engine import ContradictionError
from engine.feedback import check_consistent

# Verdicts on the manner of play, at the head of a review.
_MANNERS: Final = {
    Manner.FLAWLESS: N_("**Flawless.** No guess could have been better."),
    Manner.SHARP: N_("**Sharp play.** Hardly anything was given away."),
    Manner.GOOD: N_("**Well played**, with a little room for improvement."),
    Manner.MIXED: N_("**Ups and downs**: some guesses revealed a lot, others little."),
    Manner.BUMPY: N_("**A bumpy ride**: your guesses could have revealed more."),
}


def verdict_line(review: Review) -> str:
    analysis = review.analysis
    if review.role is Role.BOT:
        words = _("**The bot took {guesses}.**")
        return words.format(guesses=counts.guesses(len(analysis.turns)))
    if is_too_short(analysis):
        return _("**A short game.**")
    if is_faster(review):
        return _("🎉 **Faster than the coach!**")
    return say(_MANNERS[manner_of(review)])


#: Opens the board before the worst guess; at most 80 characters.
FIND_BUTTON: Final = N_("Find a better guess")
#: Shows the best guess to those who seek a better one.
SHOW_BETTER_BUTTON: Final = N_("Show the best")
#: Opens the board before the guess that is next in line to be bettered; at most 80 characters.
NEXT_MISTAKE_BUTTON: Final = N_("Next one")

# Comparisons of a tried guess with the one that was made.
_WORTHS: Final = {
    Worth.BETTER: N_("{tried} is **better** than your {made}."),
    Worth.AS_GOOD: N_("{tried} is **about as good** as your {made}."),
    Worth.WORSE: N_("{tried} is **not as good** as your {made}."),
}


def question(lesson: Lesson) -> str:
    words = _(
        "**Can you beat guess {turn}?** Nothing you try here counts. False equations are fine."
    )
    return words.format(turn=lesson.turn + 1)


def answer(found: Comparison) -> str:
    made, tried = found.made, found.tried
    if tried is None or found.worth is None:
        return _shown(made)
    if tried.guess == made.guess:
        return _("You played {made}. Try another.").format(made=code(made.guess))
    if found.is_secret:
        return _("By now you know that {answer} is the answer. Try another.").format(
            answer=code(tried.guess)
        )
    words = say(_WORTHS[found.worth], tried=code(tried.guess), made=code(made.guess))
    parts = [words, *_reason(made, tried, found.worth)]
    if found.is_as_good_as_any:
        parts.insert(0, _("🎉 **Nothing beats it.**"))
    elif found.worth is Worth.WORSE:
        try:
            check_consistent(tried.guess, found.lesson.play.history)
        except ContradictionError as error:
            parts.append(ignored_clue(error))
    return " ".join(parts)


def _shown(made: Weighed) -> str:
    words = _("The best guess here is {choice}. You played {made}.")
    if made.best < made.left and not made.is_last:
        words = _("The best guess here is {choice}: it leaves {best} possible; yours left {left}.")
    facts = {"choice": code(made.choice), "made": code(made.guess)}
    told = words.format(best=number(made.best), left=number(made.left), **facts)
    return "\n".join(filter(None, (told, probes_line([made.choice]))))


def _reason(made: Weighed, tried: Weighed, worth: Worth) -> Iterator[str]:
    """Say why the tried guess is better, worse or as good, if there is something to say.

    The numbers of candidates that the guesses leave are told only if they explain it.
    """
    if made.is_last:
        if worth is not Worth.AS_GOOD:
            yield _("It could have been right.")
    elif worth is not Worth.AS_GOOD and (tried.left < made.left) is (worth is Worth.WORSE):
        yield _("That's on average.")
    elif tried.left == made.left:
        yield _("Both leave {left}.").format(left=number(tried.left))
    else:
        words = _("It leaves {left} possible; yours left {mine}.")
        yield words.format(left=number(tried.left), mine=number(made.left))


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
NOT_YET: Final = N_("Many games are ahead of yours. Press **Coach** in a few minutes.")

TURNS_ON_A_PAGE: Final = 6


def thinking(ahead: int) -> str:
    if not ahead:
        return _("🔎 The coach is looking at this game…")
    return ngettext(
        "🔎 One game is ahead of yours.",
        "🔎 {ahead} games are ahead of yours.",
        ahead,
    ).format(ahead=ahead)


@dataclass(frozen=True, slots=True)
class CoachPage:
    title: str
    verdict: str
    turns: tuple[str, ...]
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class Details:
    title: str
    text: str


def coach_page(
    review: Review, pegs: Pegs, number_: int = 0, tiles: Tiles | None = None
) -> CoachPage:
    """A page of a review; `number_` is 0-based, and beyond the end means the last page."""
    turns = review.analysis.turns
    pages = -(-len(turns) // TURNS_ON_A_PAGE)
    page = min(max(number_, 0), pages - 1)
    spelling = spelling_of(review, pegs, tiles)
    said = _said(review, spelling)
    first = page * TURNS_ON_A_PAGE
    shown = range(first, min(first + TURNS_ON_A_PAGE, len(turns)))
    return CoachPage(
        title=_title(review),
        verdict=verdict_line(review) if page == 0 else "",
        turns=tuple(_turn(review, index, spelling, said[index]) for index in shown),
        number=page,
        pages=pages,
    )


def remarks(review: Review) -> list[str]:
    """For each guess its number, its grade and the coach's sentence."""
    said = _said(review, spelling_of(review, PLAIN))
    return [
        " · ".join(filter(None, (_number_and_grade(review, index), sentence)))
        for index, sentence in enumerate(said)
    ]


def _said(review: Review, spelling: GameSpelling) -> list[str]:
    """A sentence for each guess; where the coach has none, how many codes were left."""
    turns = review.analysis.turns
    sought = mistakes(review.analysis) if review.has_lessons else ()
    said = sentences(turns, shown_grades(review), spelling, review.game.id, sought)
    return [
        _("Still possible: {left}.").format(left=number(turn.after))
        if not sentence and turn.after > 1
        else sentence
        for turn, sentence in zip(turns, said, strict=True)
    ]


def details(review: Review) -> Details:
    """A table: how many codes were possible at first, and after each guess and hint.

    Beside them it has how many the coach's choice would have left, unless the bot had guessed, or
    nobody knows the secret.
    """
    turns, hinted = review.analysis.turns, iter(review.analysis.hinted)
    has_best = review.role is not Role.BOT and turns[0].best is not None
    made_by = _("you") if review.role is Role.OWN else ""
    rows = [["", made_by, _("best")], ["0", number(turns[0].before), ""]]
    for made, turn in enumerate([*turns, None]):
        rows += [[_("hint"), number(next(hinted)), ""] for h in review.hints if h.turn == made]
        if turn is not None:
            rows.append([str(made + 1), number(turn.after), number(turn.best or 1)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][: 2 + has_best]
    table = "\n".join("  ".join(map(str.rjust, row, widths)).rstrip() for row in rows)
    title = _("**How many {things} were still possible**").format(
        things=spelling_of(review, PLAIN).things()
    )
    text = f"{title}\n```\n{table}\n```"
    if has_best:
        text += "\n" + small(_("*Best* means best on average. Luck can beat it."))
    return Details(_title(review), text)


def _title(review: Review) -> str:
    name = game_name(review.game.source, review.puzzle, setter=review.setter)
    title = heading(_("Coach · {game}").format(game=name))
    whose = {
        Role.OWN: "",
        Role.OTHER: _("{player}'s guesses"),
        Role.BOT: _("The bot's guesses"),
    }[review.role]
    below = small(whose.format(player=mention(review.breaker_id or 0))) if whose else ""
    return "\n".join(filter(None, (title, below)))


def _number_and_grade(review: Review, index: int) -> str:
    turn, grade = review.analysis.turns[index], shown_grades(review)[index]
    is_right = is_winning_guess(review.analysis, turn)
    return number_and_grade(index + 1, grade, is_possible=turn.is_possible, is_right=is_right)


def _turn(review: Review, index: int, spelling: GameSpelling, sentence: str) -> str:
    turn = review.analysis.turns[index]
    # Beside anything else, the tiles would not fit a phone's line.
    above = _number_and_grade(review, index)
    if review.role is Role.BOT:
        above = f"**{index + 1}**"
    return "\n".join(filter(None, [above, spelling.turn(turn.guess, turn.feedback), sentence]))
