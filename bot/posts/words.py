"""The bot's posts in words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.focdle.ending_words import level_name, puzzle_name
from bot.focdle.words import LEGEND
from bot.leaderboards.boards import (
    DuelFigures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
)
from bot.leaderboards.game import LeaderboardPage, Row
from bot.posts.cards import CardContent, CardPlace, CardRow
from bot.posts.game import Asked, DuePost, DueReminder
from bot.posts.news import FEWEST_PLAYERS, Best, CloseDuel, HardPuzzle, PostNews, Recap, StreakNews
from bot.posts.plans import PostSettings
from bot.text import counts
from bot.text.labels import zone_name
from bot.text.language import N_, _, listing, long_date, ngettext, number, say, short_date, weekday
from bot.text.markup import code, exact_time, heading, player_name, relative_time, small
from bot.text.tiles import Palette, Tiles, samples
from bot.text.tiles import row as squares
from engine import Focdle, Game, Marks, replay

#: Leads to the server in which the date is not over; at most 80 characters.
SERVER_BUTTON: Final = N_("Open the server")
#: Asks for reminders, on a finished daily; at most 80 characters.
REMIND_BUTTON: Final = N_("Remind me")
#: Stops reminders; at most 80 characters.
STOP_BUTTON: Final = N_("Stop reminders")
#: Why a reminder was missed, and what ends that.
NOT_ARRIVED: Final = N_(
    "The last reminder didn't arrive: allow direct messages in a server we share."
)
#: After reminders were stopped.
STOPPED: Final = N_("No more reminders. You can turn them on again in `/preferences`.")


def asked(asked: Asked) -> str:
    if asked.next_at is None:
        line = _("⏰ Reminders are on. Your streak is safe for now.")
    else:
        line = _(
            "⏰ I'll write to you {when}, unless you've solved the next puzzle by then."
        ).format(when=exact_time(asked.next_at))
    if asked.was_refused:
        line += " " + say(NOT_ARRIVED)
    how = _("The reminder comes two hours before your streak would end.")
    return f"{line}\n{small(how)}"


def reminder(due: DueReminder) -> str:
    length = _("🔥 Your streak of **{days}** ends {when}.").format(
        days=counts.of_days(due.risk.length), when=relative_time(due.risk.ends_at)
    )
    todo = _("Solve today's puzzle to keep the streak.")
    if not due.risk.is_own_date:
        todo = _("Solve the day's puzzle to keep the streak: type `/focdle` in the server below.")
    return f"{length}\n{todo}"


#: Lets the presser's results go onto the card by themselves from now on.
ALWAYS_BUTTON: Final = N_("Always share here")
#: On a card whose day is over, where nobody has solved the puzzle.
_NOBODY: Final = N_("Nobody solved it.")

_NAME: Final = 14
"""The most columns of text for a name, so that the line about a result fits on a phone."""
_MOST_NAMED: Final = 3
_GAP: Final = " · "


def card_title(content: CardContent) -> str:
    """Write the daily's name and length, and the best results once the card is closed."""
    puzzle = content.puzzle
    line = heading(puzzle_name(puzzle.number))
    lines = [line, small(counts.symbols(puzzle.length))]
    if content.is_closed:
        lines.append(best(content.rows) or say(_NOBODY))
    return "\n".join(lines)


def best(rows: Sequence[CardRow]) -> str:
    """Write who shares the first rank, and the score; empty if nobody has solved the puzzle."""
    first = [row for row in rows if row.is_best]
    if not first:
        return ""
    named = [player_name(row.name, row.player_id, _NAME) for row in first[:_MOST_NAMED]]
    if more := len(first) - len(named):
        named.append(f"+{number(more)}")
    score = _score(replace(first[0], is_hard=all(row.is_hard for row in first)))
    return f"🏆 **{_GAP.join(named)}** · {score}"


def card_rows(content: CardContent) -> str:
    return "\n".join(map(result_line, content.rows))


def rest(content: CardContent) -> str:
    """Write the number of results that the card does not show, such as “+5”; empty for none."""
    more = content.total - len(content.rows)
    return small(f"+{number(more)}") if more > 0 else ""


def result_line(row: CardRow) -> str:
    """Write a player's name, score and number of hints; without marks, so it is no spoiler."""
    return f"{player_name(row.name, row.player_id, _NAME)} · {_score(row)}"


def _score(row: CardRow) -> str:
    made = len(row.turns)
    score = counts.score(made, row.max_guesses, is_solved=row.is_solved, is_hard=row.is_hard)
    return f"{score} 💡 {number(row.hints)}" if row.hints else score


def told(place: CardPlace, link: str) -> str:
    """Say, after a player has shared, that today's card at `link` has the result; tell the rank."""
    if place.message_id is None:
        card = _("Today's card is on its way.")
    else:
        card = _("You're on [today's card]({link}).").format(link=link)
    if place.total == 1 or place.rank is None:
        return card
    rank = _("**{rank} of {n}** so far.").format(
        rank=counts.ordinal(place.rank), n=number(place.total)
    )
    return f"{card} {rank}"


def always(channel_id: int) -> str:
    done = _("Your dailies here go on the card in {channel}. You can stop that in `/preferences`.")
    return done.format(channel=f"<#{channel_id}>")


#: Asked of a manager after the first game in a server.
QUESTION: Final = N_("Post each new puzzle here, every morning?")
#: Has the bot post the day's puzzle in this channel.
YES_BUTTON: Final = N_("Yes")
#: Leaves it.
NO_BUTTON: Final = N_("No")
# What was answered holds.
SETTLED: Final = {
    True: N_("Every morning, here. `/settings` changes it."),
    False: N_("All right. You can turn it on in `/settings`."),
}


def recap_lines(recap: Recap) -> Iterator[str]:
    """Yield the lines of a recap; a post shows them below the players with the most points."""
    yield from map(_winner, recap.winners)
    if recap.improved is not None:
        words = _("📈 Most improved: {players} · +{points}")
        points = number(_figures(recap.improved.rows[0]).points)
        yield words.format(players=_together(recap.improved), points=points)
    if recap.streak is not None:
        figures = recap.streak.rows[0].figures
        if not isinstance(figures, StreakFigures):
            raise TypeError("the streak board has streaks")
        words = _("🔥 Streak: {players} · {days}")
        yield words.format(players=_together(recap.streak), days=counts.days(figures.length))
    if recap.duel is not None:
        yield _duel(recap.duel)
    if recap.puzzle is not None:
        yield _puzzle(recap.puzzle)


def _winner(best: Best) -> str:
    match best.rows[0].figures:
        case MastermindFigures() as mastermind:
            line = _("🧠 Mastermind: {players} · {result} on average")
            result = number(mastermind.mean, 1)
        case DuelFigures(rating=rating):
            line, result = _("⚔️ Duels: {players} · {result}"), number(rating)
        case figures:
            raise TypeError(f"{type(figures).__name__} are told elsewhere")
    return line.format(players=_together(best), result=result)


def _duel(duel: CloseDuel) -> str:
    if duel.is_draw:
        result = _("both in {guesses}").format(guesses=counts.of_guesses(duel.guesses))
    elif duel.apart:
        result = _("{guesses} apart").format(guesses=counts.guesses(duel.apart))
    else:
        result = _("by the last guess of round {round}").format(round=number(duel.guesses))
    names = [player_name(name, player_id, _NAME) for player_id, name in duel.names.items()]
    line = _("🤝 Closest duel: {players}").format(players=listing(names))
    return f"{line}\n{small(result)}"


def _puzzle(puzzle: HardPuzzle) -> str:
    line = _("🧩 Hardest: #{number}").format(number=puzzle.number)
    if puzzle.solved:
        solved = ngettext(
            "{solved} of {finished} solved it", "{solved} of {finished} solved it", puzzle.solved
        ).format(solved=number(puzzle.solved), finished=number(puzzle.finished))
    else:
        solved = _("too hard for all of us")
    return f"{line}\n{small(solved)}"


def _together(best: Best) -> str:
    shown = [player_name(row.name, row.player_id, _NAME) for row in best.rows]
    others = best.total - len(shown)
    if others > 0:
        words = ngettext("{players} and {others} more", "{players} and {others} more", others)
        return words.format(players=", ".join(shown), others=number(others))
    return listing(shown)


_WEEK = tuple(range(1, 8))

#: Opens the page of the daily post; at most 80 characters.
POSTS_BUTTON: Final = N_("Daily post")
#: Opens that page, from the server's settings.
CHANGE_POSTS_BUTTON: Final = N_("Change daily post")
#: Back to the page of the daily post; at most 80 characters.
BACK_TO_POSTS_BUTTON: Final = N_("◀ Daily post")
#: Shows what the daily post would look like now; at most 80 characters.
PREVIEW_BUTTON: Final = N_("Preview")
#: Back to all settings of a server; at most 80 characters.
BACK_BUTTON: Final = N_("◀ All settings")
#: Ends the daily post; at most 80 characters.
TURN_OFF_BUTTON: Final = N_("Turn off")
#: Begins the daily post, where it was turned off; at most 80 characters.
TURN_ON_BUTTON: Final = N_("Turn on")
#: Switches the daily post on again; at most 80 characters.
TRY_AGAIN_BUTTON: Final = N_("Try again")
#: What the list of roles says before one is chosen; at most 150 characters.
ROLE_PLACEHOLDER: Final = N_("Choose a role")
#: Has the daily post mention nobody; at most 80 characters.
NO_ROLE_BUTTON: Final = N_("Mention nobody")


def summary(posts: PostSettings) -> str:
    if posts.channel_id is None:
        channel = _("Choose a channel above, and each day's puzzle is posted there.")
        return f"{_state(posts)}\n{small(channel)}"
    return f"{_state(posts)}\n{small(_next(posts))}"


def _state(posts: PostSettings) -> str:
    if posts.channel_id is None or posts.is_turned_off:
        return _("**Daily post: off**")
    if posts.is_gone or posts.off_at is not None:
        return _("**Daily post: stopped**")
    return _("**Daily post: {hour}, {days}**").format(hour=clock(posts.hour), days=days(posts))


def _next(posts: PostSettings) -> str:
    if posts.channel_id is None:
        return _("Choose a channel in *All settings* first.")
    if posts.is_gone:
        return _("Its channel is gone.")
    if posts.is_turned_off:
        return _("Nothing is posted. Your choices are kept.")
    if posts.off_at is not None:
        return _("Discord refused it three times.")
    if posts.next_at is None:
        return _("The bot is about to post.")
    return _("The next one comes {when}.").format(when=relative_time(posts.next_at))


def preview_note() -> str:
    remark = _("The daily post as it would look now. Nothing is sent.")
    return f"{_('**A preview, only for you**')}\n{small(remark)}"


def panel_title(posts: PostSettings) -> str:
    remark = _("Today's puzzle, yesterday's best, and a leaderboard each week and month.")
    return f"{heading(_('Daily post'))}\n{small(remark)}\n{_state(posts)}\n{small(_next(posts))}"


def troubles(posts: PostSettings) -> list[str]:
    """List the recorded problems of the daily post, with their remedies."""
    found: list[str] = []
    if posts.is_gone or (posts.off_at is not None and posts.problem == "gone"):
        found.append(_("⚠️ Its channel is gone. Choose another one in *All settings*."))
    elif posts.off_at is not None and not posts.is_turned_off:
        forbidden = _("I can't post there. Fix my permissions, then press *Try again*.")
        found.append(f"⚠️ {forbidden}")
    if posts.unsure_day is not None:
        lost = _(
            "The post for {day} may be missing: I was interrupted, and need **Read Message "
            "History** to check."
        )
        found.append(f"⚠️ {lost.format(day=long_date(posts.unsure_day))}")
    return found


def no_history() -> str:
    """Say that the bot may not read its own messages in the channel, and why it should."""
    return small(_("Give me **Read Message History** there, so that I never post twice."))


def hour(zone: str) -> str:
    return _("**Hour**, in {zone}").format(zone=zone_name(zone))


def clock(hour: int) -> str:
    """Format the hour of a post; midnight is 00:30, as players may finish the date until then."""
    return f"{hour:02}:00" if hour else "00:30"


def hour_meaning(hour: int) -> str | None:
    """Explain midnight in the list of hours, in 100 characters at most; None for other hours."""
    return None if hour else _("Yesterday's puzzle can be finished until then")


def weekdays() -> str:
    return _("**Days**")


#: Which days, in the list of weekdays; at most 150 characters.
EVERY_DAY: Final = N_("Every day")


def days(posts: PostSettings) -> str:
    if posts.days == _WEEK:
        return _("every day")
    return ", ".join(weekday(day, short=True) for day in posts.days)


def role(posts: PostSettings) -> str:
    if posts.role_id is None:
        state = _("**Mention: nobody**")
    else:
        state = _("**Mention:** {role}").format(role=f"<@&{posts.role_id}>")
    return state


# Each choice, and the label of the button that changes it.


def recap(posts: PostSettings) -> tuple[str, str]:
    state, change = _("**Recaps: off**"), say(TURN_ON_BUTTON)
    if posts.weekly_recap:
        state, change = _("**Recaps: on**"), say(TURN_OFF_BUTTON)
    meaning = _("Each week's and month's winners, once {players} have played.")
    return f"{state}\n{small(meaning.format(players=counts.players(FEWEST_PLAYERS)))}", change


def threads(posts: PostSettings) -> tuple[str, str]:
    state, change = _("**Finishers' threads: off**"), say(TURN_ON_BUTTON)
    if posts.finishers_threads:
        state, change = _("**Finishers' threads: on**"), say(TURN_OFF_BUTTON)
    meaning = _("Each day's finishers share a private thread.")
    return f"{state}\n{small(meaning)}", change


def results(posts: PostSettings) -> tuple[str, str]:
    state, change = _("**Open sharing: off**"), say(TURN_ON_BUTTON)
    if posts.takes_results:
        state, change = _("**Open sharing: on**"), say(TURN_OFF_BUTTON)
    meaning = _("Members can share results even where they can't write.")
    return f"{state}\n{small(meaning)}", change


def todays_card(posts: PostSettings) -> tuple[str, str]:
    state, change = _("**Today's card: off**"), say(TURN_ON_BUTTON)
    if posts.todays_card:
        state, change = _("**Today's card: on**"), say(TURN_OFF_BUTTON)
    meaning = _("Everybody's shared results, in one message a day.")
    return f"{state}\n{small(meaning)}", change


# The daily post. Everybody reads it, so it tells counts and colours only.

_MOST_ON_A_BOARD: Final = 3
_EXAMPLE: Final = ("25+4*12=73", ("13+12-8=17", "72+31%6=73", "25+4*12=73"))
"""An example: an equation, and guesses that find it."""

#: Adds the presser to the finishers' thread, if they finished elsewhere; at most 80 characters.
FINISHERS_BUTTON: Final = N_("Finishers' thread")
#: The name of a date's thread of finishers; at most 100 characters.
THREAD_NAME: Final = N_("Finishers of #{number}")
#: For those who asked to be added to the finishers' thread, and will be.
THREAD_SOON: Final = N_("You'll be added to the finishers' thread soon.")


def headline(due: DuePost) -> str:
    title = heading(puzzle_name(due.puzzle.number))
    day = long_date(due.day)
    details = f"{day[:1].upper()}{day[1:]} · {counts.symbols(due.puzzle.length)}"
    return f"{title}\n{small(details)}"


def example() -> Game[Marks]:
    """Build an example game, for a server in which nobody has played."""
    secret, guesses = _EXAMPLE
    return replay(Focdle(len(secret)), secret, guesses)


def example_spoken() -> str:
    """Describe the example game, for screen readers."""
    return _("An example: {guesses}").format(guesses=", ".join(_EXAMPLE[1]))


def idea(tiles: Tiles | None) -> str:
    """Explain the game to newcomers, above an example."""
    about = _(
        "Find today's hidden equation in {guesses}. Everybody gets the same equation."
    ).format(guesses=counts.of_guesses(Focdle().max_guesses))
    return "\n".join((about, small(say(LEGEND, **samples(tiles))), _("For example:")))


def post_rows(news: PostNews, *, is_first: bool, tiles: Tiles | None = None) -> str:
    """Write rows of squares for a post without a picture: those of yesterday's best result.

    With `is_first`, for a server's first post, write the rows of the example instead. They are
    emojis if `tiles` is given.
    """
    if is_first:
        return "\n".join(
            f"{squares(turn.feedback)} {code(turn.guess)}"
            if tiles is None
            else tiles.row(turn.guess, turn.feedback, Palette.STANDARD)
            for turn in example().turns
        )
    return "\n".join(map(squares, news.best[0].turns)) if news.best else ""


def yesterday(news: PostNews, *, drawn: bool = False) -> str:
    """Write a heading about yesterday and, unless a picture shows them, the best players.

    The text is empty if nobody played then.
    """
    if not news.yesterday.rows:
        return ""
    level = "" if news.level is None else f" · {level_name(news.level)}"
    if drawn:
        return _("**Yesterday's best**") + level
    head = _("**Yesterday**") + level
    return f"{head}\n{best(news.best) or _('Nobody found it.')}"


def sections(news: PostNews) -> list[str]:
    """Write the post's texts about streaks, last week and last month; empty ones are left out."""
    recap, month_recap = news.recap, news.month_recap
    if recap is not None and month_recap is not None and recap.streak is not None:
        month_recap = replace(month_recap, streak=None)  # it is told once
    has_streak = any(told is not None and told.streak is not None for told in (recap, month_recap))
    parts = [] if has_streak else [_streaks(news.streaks)]
    if news.week is not None:
        parts.append(_closing(_("**Last week**"), news.week, recap))
    if news.month is not None:
        parts.append(_closing(_("**Last month**"), news.month, month_recap))
    return [part for part in parts if part]


def thread_welcome(number: int, days: int) -> str:
    return _(
        "Everybody here has finished FoCdle #{number}: talk freely. Moderators can read "
        "this thread. It closes after {days}."
    ).format(number=number, days=counts.of_days(days))


def thread_joined(thread_id: int) -> str:
    return _("You're in: {thread}").format(thread=f"<#{thread_id}>")


def _closing(title: str, page: LeaderboardPage, recap: Recap | None) -> str:
    """Write about a past week or month: who has most points, and the recap; empty without both."""
    told = [] if recap is None else list(recap_lines(recap))
    shown = [row for row in page.rows[:_MOST_ON_A_BOARD] if _figures(row).solved]
    if not (shown or told) or page.days is None:
        return ""
    first, last = map(short_date, page.days)
    lines = [f"{title} · {first} – {last}"]
    for row in shown:
        figures = _figures(row)
        medals = {1: "🥇", 2: "🥈", 3: "🥉"} if figures.points else dict[int, str]()
        # Not a Markdown list, which would count on by itself, while ranks can be shared.
        place = medals.get(row.rank, f"**{row.rank}**")
        points = counts.points(figures.points)
        solved = counts.solved(figures.solved)
        lines.append(f"{place} {player_name(row.name, row.player_id)} · {points} · {solved}")
    if shown and (others := page.total - len(shown)) > 0:
        more = ngettext("and {others} more", "and {others} more", others).format(others=others)
        lines.append(small(more))
    return "\n".join([*lines, *told])


def _streaks(news: StreakNews) -> str:
    named = [
        f"{player_name(row.name, row.player_id, _NAME)} **{number(row.after)}**"
        for row in news.grown
    ]
    if not named:
        return ""
    more = news.grew - len(named)
    others = [f"+{number(more)}"] if more > 0 else []
    return _("🔥 Streaks: {players}").format(players=" · ".join([*named, *others]))


def _figures(row: Row) -> FocdleFigures:
    if not isinstance(row.figures, FocdleFigures):
        raise TypeError("a FoCdle board has FoCdle figures")
    return row.figures
