"""SQL of posts, finishers, recaps, cards and reminders."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    delete,
    func,
    insert,
    select,
    union,
    update,
)

from bot.clock import PuzzleName
from bot.db.database import Transaction
from bot.db.keyed import Keyed, Schedule, columns_of, is_served
from bot.db.tables.games import duel_moves, duel_seats, duels, guesses, hints, plays, puzzles
from bot.db.tables.people import guilds, standings
from bot.db.tables.posts import (
    always_shares,
    card_rows,
    cards,
    finishers,
    finishers_threads,
    post_plans,
    posts,
    reminder_plans,
    reminders,
)
from bot.games.model import Claim
from bot.leaderboards.results import Deadline, within
from bot.moderation.store import is_shown
from bot.outages import ShardRange
from bot.posts.model import (
    AlwaysShare,
    Card,
    DueThread,
    Finisher,
    FinishersThread,
    PostChoices,
    PostClaim,
    PostPlan,
    ReminderPlan,
)

plans_of_reminders: Final = Keyed[ReminderPlan, int](ReminderPlan, reminder_plans)
"""The schedule of a player's reminders; None if the player has not asked for any."""

reminders_due: Final = Schedule(reminder_plans.c.look_at)
"""The schedule by which players' reminders are looked at."""

claims_of_reminders: Final = Keyed[Claim, int, date](Claim, reminders)
"""The claim of a reminder, by player and date of the streak."""


post_choices: Final = Keyed[PostChoices, int](PostChoices, guilds)
"""A server's choices about posts; None before the server has made any choice, of whatever kind."""

plans_of_posts: Final = Keyed[PostPlan, int](PostPlan, post_plans)
"""The schedule of a server's posts; None without a channel."""

posts_due: Final = Schedule(post_plans.c.post_at)
"""The schedule of servers' posts."""

claims_of_posts: Final = Keyed[PostClaim, int, date, str](PostClaim, posts)
"""The claim of a post, by server, date and kind."""


def last_day(tx: Transaction, guild_id: int, kind: str, *, before: date) -> date | None:
    """Find the last date before `before` for which a post of this kind was sent; else None."""
    query = select(func.max(posts.c.day)).where(
        posts.c.guild_id == guild_id,
        posts.c.kind == kind,
        posts.c.day < before,
        posts.c.outcome == "sent",
    )
    return tx.scalar(query)


def last_unsure(tx: Transaction, guild_id: int, *, since: date) -> date | None:
    """Find the last date from `since` on whose post may or may not have been sent; else None."""
    query = select(func.max(posts.c.day)).where(
        posts.c.guild_id == guild_id, posts.c.day >= since, posts.c.outcome == "unsure"
    )
    return tx.scalar(query)


threads: Final = Keyed[FinishersThread, int, date](FinishersThread, finishers_threads)
"""A date's finishers' thread, by server and date."""


def change_thread(tx: Transaction, guild_id: int, day: date, **values: object) -> None:
    tx.execute(
        update(finishers_threads)
        .where(finishers_threads.c.guild_id == guild_id, finishers_threads.c.day == day)
        .values(values)
    )


def threads_to_close(
    tx: Transaction, now: datetime, shards: ShardRange, *, most: int
) -> list[DueThread]:
    """List threads to close or forget now, in servers of these shards, the longest due first."""
    query = (
        select(*columns_of(DueThread, finishers_threads))
        .where(finishers_threads.c.closes_at <= now)
        .where(is_served(finishers_threads.c.guild_id, shards))
        .order_by(finishers_threads.c.closes_at, *finishers_threads.primary_key)
        .limit(most)
    )
    return [DueThread(*row) for row in tx.execute(query)]


def channels_of_threads(tx: Transaction, guild_id: int) -> list[int]:
    """List the channels of a server's finishers' threads that are open, or are still to be made."""
    query = (
        select(finishers_threads.c.channel_id)
        .where(finishers_threads.c.guild_id == guild_id, finishers_threads.c.closed_at.is_(None))
        .distinct()
        .order_by(finishers_threads.c.channel_id)
    )
    return list(tx.scalars(query).all())


def find_thread(tx: Transaction, thread_id: int, guild_id: int) -> date | None:
    return tx.scalar(
        select(finishers_threads.c.day).where(
            finishers_threads.c.guild_id == guild_id, finishers_threads.c.thread_id == thread_id
        )
    )


thread_finishers: Final = Keyed[Finisher, int, date, int](Finisher, finishers)
"""Who is in a date's finishers' thread, or is to be added to it, by server, date and player."""


def threads_to_fill(
    tx: Transaction, now: datetime, shards: ShardRange, *, most: int
) -> list[tuple[int, date]]:
    """List the server and date of each thread with players to add now, the longest due first."""
    query = (
        select(finishers_threads.c.guild_id, finishers_threads.c.day)
        .where(finishers_threads.c.look_at <= now)
        .where(is_served(finishers_threads.c.guild_id, shards))
        .order_by(finishers_threads.c.look_at, finishers_threads.c.guild_id)
        .limit(most)
    )
    return [(row.guild_id, row.day) for row in tx.execute(query)]


def waiting_finishers(tx: Transaction, guild_id: int, day: date, *, most: int) -> list[int]:
    """List the players to be added to a date's thread, in the order in which they asked."""
    query = (
        select(finishers.c.player_id)
        .where(
            finishers.c.guild_id == guild_id,
            finishers.c.day == day,
            finishers.c.added_at.is_(None),
        )
        .order_by(finishers.c.asked_at, finishers.c.player_id)
        .limit(most)
    )
    return list(tx.scalars(query).all())


def leave_queues(tx: Transaction, player_id: int, *, guild_id: int | None = None) -> None:
    """Remove a player from the queues of all threads, or of a server's.

    Notes that they were added stay.
    """
    mine = [finishers.c.player_id == player_id, finishers.c.added_at.is_(None)]
    if guild_id is not None:
        mine.append(finishers.c.guild_id == guild_id)
    tx.execute(delete(finishers).where(*mine))


def drop_finishers(tx: Transaction, guild_id: int, day: date) -> None:
    """Forget a thread's finishers, added or not; nobody is added to it from now on."""
    tx.execute(delete(finishers).where(finishers.c.guild_id == guild_id, finishers.c.day == day))
    change_thread(tx, guild_id, day, look_at=None)


# The recap. Every query starts from the server's own rows of that week, so that its time does not
# grow with what is played elsewhere or was before.


@dataclass(frozen=True, slots=True)
class DuelResultRow:
    """A finished duel of two members, with the number of guesses that each has made."""

    id: int
    finished_at: datetime
    ending: str
    first_id: int
    second_id: int
    first_guesses: int
    second_guesses: int


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A stored daily; its difficulty is None until it is known."""

    id: int
    number: int
    length: int
    difficulty: int | None


def count_players(tx: Transaction, guild_id: int, slots: Collection[str]) -> int:
    """Count the players with a row on any of these leaderboards, even one without a rank."""
    query = select(func.count(standings.c.player_id.distinct())).where(
        standings.c.guild_id == guild_id, standings.c.slot.in_(slots)
    )
    return tx.scalar(query) or 0


def puzzles_between(tx: Transaction, first: int, last: int) -> list[PuzzleRow]:
    """List the stored dailies from number `first` to number `last`, of every length."""
    query = (
        select(*columns_of(PuzzleRow, puzzles))
        .where(puzzles.c.number.between(first, last))
        .order_by(puzzles.c.number, puzzles.c.length)
    )
    return [PuzzleRow(*row) for row in tx.execute(query)]


def count_finishers(
    tx: Transaction, guild_id: int, slot: str, puzzle_id: int, deadline: Deadline
) -> tuple[int, int]:
    """Count those who finished a daily on date before the deadline, and how many solved it.

    Only players on the leaderboard `slot` count.
    """
    there = plays.c.player_id == standings.c.player_id
    query = (
        select(func.count(), func.count().filter(plays.c.outcome == "solved"))
        .join_from(standings, plays, there & (plays.c.puzzle_id == puzzle_id))
        .where(standings.c.guild_id == guild_id, standings.c.slot == slot)
        .where(plays.c.on_date, *within(deadline))
    )
    finished, solved = tx.execute(query).one()
    return finished, solved


def finishers_of(
    tx: Transaction, guild_id: int, slot: str, puzzle: PuzzleName, *, but: int, most: int
) -> tuple[int, list[int]]:
    """Count those on a leaderboard who finished a daily on date, and list the first of them.

    The player `but` is left out.
    """
    there = plays.c.player_id == standings.c.player_id
    query = (
        select(plays.c.player_id, func.count().over())
        .join_from(standings, plays, there & plays.c.on_date & plays.c.finished_at.is_not(None))
        .join(puzzles, puzzles.c.id == plays.c.puzzle_id)
        .where(
            *(standings.c.guild_id == guild_id, standings.c.slot == slot),
            *(puzzles.c.number == puzzle.number, puzzles.c.length == puzzle.length),
            *(plays.c.player_id != but, is_shown(guild_id, plays.c.player_id)),
        )
        .order_by(plays.c.finished_at, plays.c.player_id)
        .limit(most)
    )
    found = tx.execute(query).all()
    return (found[0][1] if found else 0), [row[0] for row in found]


def duels_between(
    tx: Transaction,
    guild_id: int,
    begin: datetime,
    end: datetime,
    endings: Collection[str],
) -> list[DuelResultRow]:
    """List a server's duels with these endings in a period, of two players on its leaderboards."""
    first, second = duel_seats.alias("first"), duel_seats.alias("second")
    query = (
        select(
            duels.c.id,
            duels.c.finished_at,
            duels.c.ending,
            first.c.player_id,
            second.c.player_id,
            _guesses(0),
            _guesses(1),
        )
        .join_from(duels, first, (first.c.duel_id == duels.c.id) & (first.c.seat == 0))
        .join(second, (second.c.duel_id == duels.c.id) & (second.c.seat == 1))
        .where(
            duels.c.guild_id == guild_id,
            duels.c.finished_at >= begin,
            duels.c.finished_at < end,
            duels.c.ending.in_(endings),
            is_shown(guild_id, first.c.player_id),
            is_shown(guild_id, second.c.player_id),
        )
        .order_by(duels.c.id)
    )
    return [DuelResultRow(*row) for row in tx.execute(query)]


def _guesses(seat: int) -> ColumnElement[int]:
    return (
        select(func.count())
        .where(duel_moves.c.duel_id == duels.c.id, duel_moves.c.seat == seat)
        .scalar_subquery()
    )


cards_by_id: Final = Keyed[Card, int](Card, cards)
"""Cards, by their ids in the database."""

cards_due: Final = Schedule(cards.c.look_at)
"""The schedule of cards."""

always: Final = Keyed[AlwaysShare, int, int](AlwaysShare, always_shares)
"""A player's choice of a channel in which to share always, by player and server."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A finished play, as others may see it."""

    player_id: int
    play_id: int
    solved: bool
    hard: bool
    guesses: int
    hints: int


def find_card(tx: Transaction, guild_id: int, puzzle: PuzzleName) -> int | None:
    """Find the id of a daily's card in a server, the first if there are several."""
    query = select(cards.c.id).where(
        cards.c.guild_id == guild_id,
        cards.c.number == puzzle.number,
        cards.c.length == puzzle.length,
    )
    return tx.scalar(query.order_by(cards.c.id).limit(1))


def add_card(tx: Transaction, card: Card) -> int:
    added = insert(cards).values(asdict(card)).returning(cards.c.id)
    return tx.execute(added).scalar_one()


def last_card_drawn(tx: Transaction, channel_id: int) -> datetime | None:
    """Find when any card of a channel was last sent or edited; None if none was."""
    drawn = select(func.max(cards.c.drawn_at))
    return tx.scalar(drawn.where(cards.c.channel_id == channel_id))


def enter_card(
    tx: Transaction, card_id: int, player_id: int, *, guild_id: int, entered_at: datetime
) -> bool:
    """Enter a player into a card; return false if they were in it already."""
    entry = select(card_rows.c.player_id).where(
        card_rows.c.card_id == card_id, card_rows.c.player_id == player_id
    )
    if tx.scalar(entry) is not None:
        return False
    values = {
        "card_id": card_id,
        "player_id": player_id,
        "guild_id": guild_id,
        "entered_at": entered_at,
    }
    tx.execute(insert(card_rows).values(values))
    return True


def leave_cards(
    tx: Transaction, player_id: int, now: datetime, *, guild_id: int | None = None
) -> None:
    """Take a player off all cards, or off a server's, and have these drawn again."""
    mine = [card_rows.c.player_id == player_id]
    if guild_id is not None:
        mine.append(card_rows.c.guild_id == guild_id)
    left = tx.scalars(select(card_rows.c.card_id).where(*mine)).all()
    if not left:
        return
    tx.execute(delete(card_rows).where(*mine))
    change = update(cards).where(cards.c.id.in_(left))
    tx.execute(change.values(version=cards.c.version + 1, look_at=now))


def empty_card(tx: Transaction, card_id: int) -> None:
    """Delete all entries of a card."""
    tx.execute(delete(card_rows).where(card_rows.c.card_id == card_id))


def drop_card(tx: Transaction, card_id: int) -> None:
    empty_card(tx, card_id)
    cards_by_id.drop(tx, card_id)


def count_entries(tx: Transaction, card_id: int) -> int:
    """The number of entries of a card."""
    rows = select(func.count()).select_from(card_rows)
    return tx.scalar(rows.where(card_rows.c.card_id == card_id)) or 0


def results_on_card(tx: Transaction, card_id: int, puzzle: PuzzleName) -> list[ResultRow]:
    """List the finished plays of players entered in a card, in the order of entering."""
    entered = (
        _results(puzzle)
        .join(card_rows, card_rows.c.player_id == plays.c.player_id)
        .where(card_rows.c.card_id == card_id)
        .order_by(card_rows.c.entered_at, card_rows.c.player_id)
    )
    return [ResultRow(*row) for row in tx.execute(entered)]


def results_of(tx: Transaction, player_ids: Collection[int], puzzle: PuzzleName) -> list[ResultRow]:
    theirs = _results(puzzle).where(plays.c.player_id.in_(player_ids))
    return [ResultRow(*row) for row in tx.execute(theirs.order_by(plays.c.player_id))]


def _results(puzzle: PuzzleName) -> Select[Any]:
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery()
    return (
        select(
            *columns_of(
                ResultRow,
                plays,
                play_id=plays.c.id,
                solved=plays.c.outcome == "solved",
                guesses=made,
                hints=taken,
            )
        )
        .select_from(plays)
        .join(puzzles, puzzles.c.id == plays.c.puzzle_id)
        .where(
            puzzles.c.number == puzzle.number,
            puzzles.c.length == puzzle.length,
            plays.c.finished_at.is_not(None),
        )
    )


def codes(tx: Transaction, play_ids: Collection[int]) -> dict[int, list[str]]:
    """Map the ids of some plays to their guesses, in order."""
    found: dict[int, list[str]] = {play_id: [] for play_id in play_ids}
    query = (
        select(guesses.c.play_id, guesses.c.code)
        .where(guesses.c.play_id.in_(play_ids))
        .order_by(guesses.c.play_id, guesses.c.turn)
    )
    for row in tx.execute(query):
        found[row.play_id].append(row.code)
    return found


def channels_of_cards(tx: Transaction, guild_id: int) -> list[int]:
    """List a server's channels with an open card, or in which a player always shares."""
    of_cards = select(cards.c.channel_id).where(
        cards.c.guild_id == guild_id, cards.c.closed_at.is_(None)
    )
    always = select(always_shares.c.channel_id).where(always_shares.c.guild_id == guild_id)
    return sorted(tx.scalars(union(of_cards, always)).all())


def always_of(tx: Transaction, player_id: int) -> list[tuple[int, int]]:
    """List the servers and channels in which a player always shares, the first chosen first."""
    query = (
        select(always_shares.c.guild_id, always_shares.c.channel_id)
        .where(always_shares.c.player_id == player_id)
        .order_by(always_shares.c.chosen_at, always_shares.c.guild_id)
    )
    return [(row.guild_id, row.channel_id) for row in tx.execute(query)]


def stop_sharing(tx: Transaction, player_id: int, guild_ids: Collection[int]) -> None:
    tx.execute(
        delete(always_shares).where(
            always_shares.c.player_id == player_id, always_shares.c.guild_id.in_(guild_ids)
        )
    )
