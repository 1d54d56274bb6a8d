"""The end of a FoCdle in words: praise or comfort, and what came of it."""

from collections.abc import Iterator
from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.commitments import seal_line
from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext, number
from bot.presentation.base.markup import code, heading, relative_time, small
from bot.presentation.focdle.streaks import goal_line, news_line, summary
from bot.services.focdle.feats import Fate, Feat
from bot.services.focdle.model import Play
from engine import Mark, Outcome, is_same_symbols

_WEEK: Final = 7
_NEARLY: Final = 2
"""So many places short of all, a guess was close."""
_BELOW: Final = frozenset({Feat.BELOW_PAR, Feat.FAR_BELOW_PAR})
_NAMES_THE_STREAK: Final = frozenset({Fate.SAFE, Fate.AT_RISK})
"""What is said of a streak with its length, so that it needs no line of its own."""


def ended(play: Play) -> str:
    """How a play went that is over: one headline, one more thing to praise, then what counts."""
    lines = _solved(play) if play.game.outcome is Outcome.SOLVED else _lost(play)
    texts = (*lines, *map(small, filter(None, _aftermath(play))), seal_line(play.commitment))
    return "\n".join(filter(None, texts))


def _solved(play: Play) -> Iterator[str]:
    feats = list(play.ending.feats)
    word = _headline(feats[0], play) if feats else ""
    if word:
        del feats[0]
    else:
        word = _word(play)
        feats = [feat for feat in feats if feat is not Feat.LAST_GUESS]
    yield heading(word)
    made, most = len(play.game.turns), play.rules.max_guesses
    result = ngettext("Solved with the first guess", "Solved in {turns} of {guesses}", made)
    parts = [result.format(turns=made, guesses=most)]
    if play.points:
        parts.append(counts.points(play.points))
    yield " · ".join(parts)
    if feats:
        yield _first_below(play) or _sentence(feats[0], play)


def _first_below(play: Play) -> str:
    """Par, where the first win beats it, for who reads of it for the first time; else nothing."""
    feats, known = play.ending.feats, play.comparison
    if known is None or known.par is None or feats[0] is not Feat.FIRST:
        return ""
    words = _("Better than par: the bot's solver takes {par} on average.")
    return words.format(par=number(known.par, 1)) if _BELOW.intersection(feats[1:2]) else ""


def _word(play: Play) -> str:
    """One word of praise for a number of guesses; a hint counts as one."""
    if len(play.game.turns) == play.rules.max_guesses:
        return _("Phew, with the last guess!")
    words = {2: _("Astonishing!"), 3: _("Brilliant!"), 4: _("Well done!"), 5: _("Got it!")}
    return words.get(len(play.game.turns) + len(play.hints), _("There it is!"))


def odds(play: Play) -> str:
    """How likely it was to find the equation at once."""
    return _("What are the odds? 1 in {secrets}.").format(secrets=number(play.rules.secrets))


def _headline(feat: Feat, play: Play) -> str:
    """What is remarkable enough for a headline; empty where it is not."""
    days = counts.days(play.ending.days)
    in_a_row = _("{days} in a row!").format(days=days)
    headlines = {
        Feat.LUCK: odds(play),
        Feat.FIRST: _("Your first daily win!") if play.puzzle else _("Your first win!"),
        Feat.MILESTONE: _("A week in a row!") if play.ending.days == _WEEK else in_a_row,
        Feat.RECORD: _("{days}: your longest streak!").format(days=days),
        Feat.BEST: _("Your best yet!"),
    }
    return headlines.get(feat, "")


def _sentence(feat: Feat, play: Play) -> str:
    """What is remarkable, below a headline."""
    days = counts.days(play.ending.days)
    below = number(play.ending.below_par or 0, 1)
    far, some = (
        _("{mean} guesses better than the bot!"),
        _("{mean} guesses better than the bot."),
    )
    if play.hints:  # else who takes the guesses from the par finds another figure
        far, some = (
            _("{mean} guesses better than the bot, hints counted!"),
            _("{mean} guesses better than the bot, hints counted."),
        )
    sentences = {
        Feat.FIRST: _("And your first daily win.") if play.puzzle else _("And your first win."),
        Feat.MILESTONE: _("And {days} in a row.").format(days=days),
        Feat.RECORD: _("{days}: your longest streak yet.").format(days=days),
        Feat.BEST: _("Your fewest guesses so far."),
        Feat.FAR_BELOW_PAR: far.format(mean=below),
        Feat.BELOW_PAR: some.format(mean=below),
        Feat.FIRST_HERE: _("The first here to solve it today."),
        Feat.FREEZE: _("❄️ You earned a freeze: it saves a day you miss."),
    }
    return sentences.get(feat, "")


def _lost(play: Play) -> Iterator[str]:
    if play.game.is_given_up:
        yield heading(_("You gave up, no harm done"))
        yield _equation(play)
        return
    turns, length = play.game.turns, play.rules.length
    most = max(sum(mark is Mark.CORRECT for mark in turn.feedback) for turn in turns)
    had = _("You had {places} of {length} in place.").format(places=most, length=length)
    if any(is_same_symbols(turn.feedback) for turn in turns):
        had = _("You had all the symbols, in another order.")
    elif most < length - _NEARLY:
        yield heading(_("Not this time"))
        yield had if most else _("This one hid well.")
        yield _equation(play)
        return
    yield heading(_("So close!"))
    yield had
    yield _equation(play)


def _equation(play: Play) -> str:
    return _("{secret} was the equation.").format(secret=code(play.game.secret))


def _aftermath(play: Play) -> Iterator[str]:
    """What came of a daily, in small print."""
    if play.puzzle is None:
        return
    if not play.on_date:
        yield _("Played after its day: no points, no streak.")
    yield _rank(play)
    news, goal = play.ending.news, play.ending.goal
    if play.on_date and play.streak and (news is None or news.fate not in _NAMES_THE_STREAK):
        yield summary(play.streak)
    is_first = Feat.FIRST in play.ending.feats  # who has just begun reads a few lines only
    if goal is not None and not is_first:
        yield goal_line(goal)
    if news is not None:
        yield news_line(news)
    if play.closed_in:
        yield _closed(play)
    is_new = is_first or (play.is_learning and play.game.outcome is not Outcome.SOLVED)
    if not is_first or not _first_below(play):
        yield _par_explained(play) if is_new else compared(play)
    yield _("Next puzzle {when}").format(when=relative_time(play.next_puzzle_at))


def _rank(play: Play) -> str:
    found = play.ending.rank
    if found is None:
        return ""
    words = _("{rank} of {players} here today")
    if not play.is_today:
        words = _("{rank} of {players} here that day")
    return words.format(rank=counts.ordinal(found.rank), players=number(found.players))


def _closed(play: Play) -> str:
    """Which boards do not count a puzzle that was finished on its date, and why."""
    if play.guild_id in play.closed_in:
        line = _("The day was already over in this server: its boards do not count this.")
    else:
        line = ngettext(
            "In a server of yours the day was already over, so its boards do not count this.",
            "The day was already over in {count} servers of yours: their boards do not count this.",
            len(play.closed_in),
        ).format(count=number(len(play.closed_in)))
    return f"{line} {_('Your points and streak do.')}" if play.points else line


def _par_explained(play: Play) -> str:
    """Par, if it is known, for who reads of it for the first time."""
    known = play.comparison
    if known is None or known.par is None:
        return ""
    words = _("Par {par}: the guesses that the bot's solver takes on average")
    return words.format(par=number(known.par, 1))


def compared(play: Play) -> str:
    """Par, and the mean where it was opened; empty where there is neither to tell."""
    known, parts = play.comparison, list[str]()
    if known is not None and known.par is not None:
        parts.append(_("Par {par} (the bot's average)").format(par=number(known.par, 1)))
    elif play.on_date:
        parts.append(_("Par follows"))
    if known is not None and known.server is not None:
        parts.append(counts.mean_here(known.server, known.players))
    return " · ".join(filter(None, parts))
