"""The end of a FoCdle in words: praise or comfort, and what comes next."""

from collections.abc import Iterator
from typing import Final

from bot.focdle.model.feats import Beaten, Fate, Feat, Outlook
from bot.focdle.model.play import Play
from bot.focdle.pages.streaks import goal_line, news_line, summary
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext, number, weekday
from bot.text.markup import code, heading, relative_time, small
from bot.text.names import player_name
from engine import Mark, Outcome, is_same_symbols

_WEEK: Final = 7
_MONTH: Final = 30
_HUNDRED: Final = 100
_NEARLY: Final = 2
"""So many places short of all, a guess was close."""
_NAME: Final = 14
_NAMES_THE_STREAK: Final = frozenset({Fate.SAFE, Fate.AT_RISK})
"""What is said of a streak with its length, so that it needs no line of its own."""


def ended(play: Play, *, drawn: bool = False) -> str:
    """How a play went that is over: one headline, one more thing to praise, then what comes next.

    Args:
        play: the play.
        drawn: whether a picture shows the streak.
    """
    lines = _solved(play) if play.game.outcome is Outcome.SOLVED else _lost(play)
    below = filter(None, _aftermath(play, drawn=drawn))
    return "\n".join(filter(None, (*lines, *map(small, below))))


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
    if play.par is not None and not _is_new(play):
        parts.append(_("par {par}").format(par=number(play.par, 1)))
    yield " · ".join(parts)
    if feats:
        yield _sentence(feats[0], play)
    if play.ending.beaten is not None:
        yield _beaten(play.ending.beaten)


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
    milestones = {
        _WEEK: _("A week in a row!"),
        _MONTH: _("A month on fire!"),
        _HUNDRED: _("A hundred days in a row!"),
    }
    in_a_row = _("{days} in a row!").format(days=days)
    headlines = {
        Feat.LUCK: odds(play),
        Feat.FIRST: _("Your first daily win!") if play.puzzle else _("Your first win!"),
        Feat.MILESTONE: milestones.get(play.ending.days, in_a_row),
        Feat.FIRST_HARD: _("Your first in hard mode!"),
        Feat.RECORD: _("{days}: your longest streak!").format(days=days),
        Feat.BEST: _("Your best yet!"),
    }
    return headlines.get(feat, "")


def _sentence(feat: Feat, play: Play) -> str:
    """What is remarkable, below a headline."""
    days = counts.days(play.ending.days)
    below = number(play.ending.below_par or 0, 1)
    sentences = {
        Feat.FIRST: _("And your first daily win.") if play.puzzle else _("And your first win."),
        Feat.MILESTONE: _("And {days} in a row.").format(days=days),
        Feat.FIRST_HARD: _("And your first in hard mode."),
        Feat.RECORD: _("{days}: your longest streak!").format(days=days),
        Feat.BEST: _("Your fewest guesses so far."),
        Feat.FAR_BELOW_PAR: _("{mean} guesses better than the bot!").format(mean=below),
        Feat.BELOW_PAR: _("{mean} guesses better than the bot.").format(mean=below),
        Feat.FIRST_HERE: _("First here to solve it today."),
        Feat.FREEZE: _("❄️ A freeze earned: it saves a missed day."),
    }
    return sentences.get(feat, "")


def _beaten(beaten: Beaten) -> str:
    """Who did worse today, the nearest by name."""
    names = [player_name(name, player_id, _NAME) for player_id, name in beaten.names.items()]
    others = beaten.total - len(names)
    if others > 0:
        words = ngettext(
            "You beat {players} and {others} more today.",
            "You beat {players} and {others} more today.",
            others,
        )
        return words.format(players=", ".join(names), others=number(others))
    if len(names) == 1:
        return _("You beat {player} today.").format(player=names[0])
    first, second = names
    return _("You beat {first} and {second} today.").format(first=first, second=second)


def _lost(play: Play) -> Iterator[str]:
    if play.game.is_given_up:
        yield heading(_("No harm done"))
        yield _equation(play)
        return
    turns, length = play.game.turns, play.rules.length
    most = max(sum(mark is Mark.CORRECT for mark in turn.feedback) for turn in turns)
    had = _("You had {places} of {length} in place.").format(places=most, length=length)
    if any(is_same_symbols(turn.feedback) for turn in turns):
        had = _("Right symbols, another order.")
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


def _aftermath(play: Play, *, drawn: bool) -> Iterator[str]:
    """What came of a daily and comes next, in small print."""
    if play.puzzle is None:
        return
    if not play.on_date:
        yield _("Played late: no points, no streak.")
    news, goal = play.ending.news, play.ending.goal
    names_it = news is not None and news.fate in _NAMES_THE_STREAK
    if play.on_date and play.streak and not (drawn or names_it):
        yield summary(play.streak)
    if news is not None:
        yield news_line(news)
    elif goal is not None and play.ending.outlook is None and Feat.FIRST not in play.ending.feats:
        yield goal_line(goal)
    if play.closed_in:
        yield _closed(play)
    if play.par is not None and _is_new(play):
        yield _("Par {par}: guesses the bot takes on average").format(par=number(play.par, 1))
    yield _next(play)


def _is_new(play: Play) -> bool:
    """Whether its player reads of par for the first time, or nearly so."""
    is_first = Feat.FIRST in play.ending.feats
    return is_first or (play.is_learning and play.game.outcome is not Outcome.SOLVED)


def _next(play: Play) -> str:
    """When the next puzzle comes, and what the server's results say of its weekday."""
    line = _("Next puzzle {when}").format(when=relative_time(play.next_puzzle_at))
    outlook = play.ending.outlook
    return line if outlook is None or _is_new(play) else f"{line} · {_weekday(outlook)}"


def _weekday(outlook: Outlook) -> str:
    words = _("{weekday} is easiest here: {share}% solved")
    if outlook.is_hardest:
        words = _("{weekday} is hardest here: {share}% solved")
    day = weekday(outlook.day.isoweekday())
    return words.format(weekday=day, share=number(100 * outlook.share))


def _closed(play: Play) -> str:
    """Which boards do not count a puzzle that was finished on its date, and why."""
    if play.guild_id in play.closed_in:
        line = _("The day was over in this server: its boards do not count this.")
    else:
        line = ngettext(
            "In a server of yours the day was over, so its boards do not count this.",
            "The day was over in {count} servers of yours: their boards do not count this.",
            len(play.closed_in),
        ).format(count=number(len(play.closed_in)))
    return f"{line} {_('Your points and streak do.')}" if play.points else line
