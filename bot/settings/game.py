"""What a server chooses, and what the bot lacks there."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Final

from bot.clock import LONGEST_DAILY, SHORTEST_DAILY, Clock, date_in, number_of
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.rebuild import rebuild_some
from bot.people import store as people_store
from bot.people.game import ZONE_REST, length_on, take_back
from bot.people.model import LengthChange, ZoneChange
from bot.people.zones import find_zone, next_midnight, no_repeat, zone_at
from bot.posts import store as posts_store
from bot.posts.model import TURNED_OFF, ServerZoneTooSoonError
from bot.posts.plans import is_first_day, is_remembered, plan_next, read_choice, start_over
from bot.refused import NoSuchDailyLengthError
from bot.streaks import store as streaks_store

log = logging.getLogger(__name__)

CORRECTABLE: Final = timedelta(hours=48)
"""How long after it took hold a server's zone can be corrected, once."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's choices.

    Attributes:
        channel_id: where the bot posts; None for nowhere.
        zone: the zone that says what today is there.
        next_zone: the zone that follows, and from when on; None if none is coming.
        zone_again_at: when the zone can be changed again; None if it can be now.
        correctable_until: until when its last change can be corrected, once; None if it need not
            be, or cannot.
        length: the length of today's puzzle.
        next_length: the length that follows, and from which date on.
        duel_threads: whether each duel gets a thread of its own.
    """

    channel_id: int | None
    zone: str
    next_zone: tuple[str, datetime] | None
    length: int
    next_length: tuple[int, date] | None
    duel_threads: bool
    zone_again_at: datetime | None = None
    correctable_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class _NextChange:
    """What the next change of a server's zone would be.

    Attributes:
        again_at: when it can be; None if it can be now.
        corrects_until: until when it is the correction of the last one; None if it is none.
    """

    again_at: datetime | None = None
    corrects_until: datetime | None = None


class ServerSettings:
    """Use cases around a server's choices; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def view(self, guild_id: int) -> GuildSettings:
        """A server's choices as they are."""
        return await self._database.read(lambda tx: self._view(tx, guild_id))

    async def change(
        self,
        guild_id: int,
        *,
        channel_id: int | None = None,
        zone: str | None = None,
        length: int | None = None,
    ) -> GuildSettings:
        """Choose some of them, all or nothing; what is None stays.

        Zone and length hold from the next midnight on, so that nobody's running
        date changes. On a server's first day, while nobody has opened today's daily
        there, they hold at once; posts go by a zone that is chosen on it in any case.
        Choosing what holds takes back what was to follow.

        A zone follows another at most once in `ZONE_REST`, counted from when the last one took
        hold. Free of that are a change that does not hold yet, any while no daily has been
        finished there, and one correction within `CORRECTABLE` of the first choice or of a change.
        A server that has deleted its data of late counts as one that was played in.

        Raises:
            UnknownZoneError: the text names no zone.
            ServerZoneTooSoonError: the last change is less than a week old.
            NoSuchDailyLengthError: dailies do not have that length.
        """
        found = None if zone is None else find_zone(zone)
        if length is not None and not SHORTEST_DAILY <= length <= LONGEST_DAILY:
            raise NoSuchDailyLengthError(
                length=length, shortest=SHORTEST_DAILY, symbols=LONGEST_DAILY
            )

        view = await self._database.write(
            lambda tx: self._change(tx, guild_id, channel_id, found, length)
        )
        if length is not None or found is not None:
            await self._rebuild_some()
        return view

    def _change(
        self,
        tx: Transaction,
        guild_id: int,
        channel_id: int | None,
        zone: str | None,
        length: int | None,
    ) -> GuildSettings:
        now = self._clock.now()
        is_new = is_first_day(tx, guild_id, now)
        if zone is not None:
            self._set_zone(tx, guild_id, zone, is_new=is_new)
        if length is not None:
            self._set_length(tx, guild_id, length, is_new=is_new)
        if channel_id is not None:
            people_store.put_channel(tx, guild_id, channel_id)
            start_over(tx, guild_id, now, on=True)
        elif zone is not None and is_new:
            start_over(tx, guild_id, now)
        elif zone is not None:
            plan_next(tx, guild_id, now)
        return self._view(tx, guild_id)

    async def _rebuild_some(self) -> None:
        """The first few rows at once; the others, and what fails, wait for the upkeep."""
        try:
            await self._database.write(lambda tx: rebuild_some(tx, self._clock.now()))
        except Exception:
            log.exception("rows of a changed length or zone were not worked out at once")

    async def set_duel_threads(self, guild_id: int, *, on: bool) -> GuildSettings:
        """Give each duel that is accepted from now on a thread of its own, or none."""

        def body(tx: Transaction) -> GuildSettings:
            people_store.put_duel_threads(tx, guild_id, on=on)
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def leave_channel(self, guild_id: int) -> GuildSettings:
        """Post nowhere from now on."""

        def body(tx: Transaction) -> GuildSettings:
            people_store.put_channel(tx, guild_id, None)
            start_over(tx, guild_id, self._clock.now())
            return self._view(tx, guild_id)

        return await self._database.write(body)

    def _set_zone(self, tx: Transaction, guild_id: int, zone: str, *, is_new: bool) -> None:
        now = self._clock.now()
        rows = people_store.get_zones(tx, "guild", guild_id)
        current = zone_at(rows, now)
        if zone == current:
            take_back(tx, "guild", guild_id, rows, now)
            return
        change = _next_change(tx, guild_id, rows, now)
        if change.again_at is not None:
            raise ServerZoneTooSoonError(again_at=change.again_at)
        is_correction = change.corrects_until is not None
        effective_at = next_midnight(current, now)
        if is_correction:  # what it has closed stays closed
            effective_at = no_repeat(current, zone, now)
        elif is_new and not _is_opened(tx, guild_id, date_in(current, now)):
            effective_at = now
            if not rows:  # what has ended by a zone that nobody chose is open again
                leaderboards_store.since(tx, guild_id, number_of(date_in(current, now)) - 1)
        take_back(tx, "guild", guild_id, rows, now)
        row = ZoneChange(zone, effective_at, now, is_correction)
        people_store.put_zone(tx, "guild", guild_id, row)
        streaks_store.hasten(tx, effective_at, guild_id=guild_id)

    def _set_length(self, tx: Transaction, guild_id: int, length: int, *, is_new: bool) -> None:
        now = self._clock.now()
        today = date_in(zone_at(people_store.get_zones(tx, "guild", guild_id), now), now)
        tomorrow = today + timedelta(days=1)
        if length == length_on(people_store.get_lengths(tx, guild_id), today):
            since = tomorrow
            people_store.drop_lengths(tx, guild_id, since=since)
        else:
            at_once = is_new and not _is_opened(tx, guild_id, today)
            since = today if at_once else tomorrow
            people_store.put_length(tx, guild_id, LengthChange(length, since))
        # Members may have played those dates already, where it is later or before they came.
        leaderboards_store.since(tx, guild_id, number_of(since))

    def _view(self, tx: Transaction, guild_id: int) -> GuildSettings:
        now = self._clock.now()
        zones = people_store.get_zones(tx, "guild", guild_id)
        lengths = people_store.get_lengths(tx, guild_id)
        today = date_in(zone_at(zones, now), now)
        coming_zones = [row for row in zones if row.effective_at > now]
        change = _next_change(tx, guild_id, zones, now)
        coming_lengths = [row for row in lengths if row.from_day > today]
        return GuildSettings(
            channel_id=people_store.get_channel(tx, guild_id),
            zone=zone_at(zones, now),
            next_zone=(coming_zones[0].zone, coming_zones[0].effective_at)
            if coming_zones
            else None,
            length=length_on(lengths, today),
            next_length=(coming_lengths[0].length, coming_lengths[0].from_day)
            if coming_lengths
            else None,
            duel_threads=people_store.has_duel_threads(tx, guild_id),
            zone_again_at=change.again_at,
            correctable_until=change.corrects_until,
        )


def _is_opened(tx: Transaction, guild_id: int, day: date) -> bool:
    """Whether anybody has opened a date's daily in a server, at whatever length."""
    return focdle_store.has_daily(tx, guild_id, number=number_of(day))


def _next_change(
    tx: Transaction, guild_id: int, rows: Sequence[ZoneChange], now: datetime
) -> _NextChange:
    held = [row for row in rows if row.effective_at <= now]
    if not held:
        return _NextChange()
    was_played = focdle_store.has_daily(tx, guild_id, is_finished=True)
    is_old = is_remembered(tx, guild_id, now)
    if not was_played and not is_old:
        return _NextChange()
    last, correctable_until = held[-1], held[-1].effective_at + CORRECTABLE
    # What follows by a deletion was chosen by nobody, and gives no right to choose.
    if (coming := rows[len(held) :]) and not is_old:
        return _NextChange(None, correctable_until if coming[0].is_correction else None)
    again_at = last.effective_at + ZONE_REST
    if now >= again_at:
        return _NextChange()
    if now < correctable_until and not last.is_correction:
        return _NextChange(None, correctable_until)
    return _NextChange(again_at)


class Use(Enum):
    """What the bot does in a channel by itself."""

    POST = "post"
    """The daily post."""
    LIST = "list"
    """Today's cards, and results that go there always."""
    THREADS = "threads"
    """Finishers' threads."""


@dataclass(frozen=True, slots=True)
class InUse:
    """What a server has chosen that Discord must let the bot do.

    Attributes:
        channels: what is done in each channel, by its id.
        role_id: whom the daily post mentions; None for nobody.
        post_channel_id: where that is; None for nowhere.
        duel_threads: whether duels get threads, wherever they are.
        is_stopped: whether the daily post waits for a manager, as Discord has refused it.
    """

    channels: Mapping[int, frozenset[Use]]
    role_id: int | None = None
    post_channel_id: int | None = None
    duel_threads: bool = False
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class SeenChannel:
    """A channel as Discord shows it.

    Attributes:
        allowed: what the bot may do there, by Discord's names.
        is_thread: whether it is itself a thread.
        has_private_threads: whether it can have such threads.
        is_askers: whether who asks may change permissions there.
    """

    allowed: frozenset[str]
    is_thread: bool = False
    has_private_threads: bool = True
    is_askers: bool = False


@dataclass(frozen=True, slots=True)
class SeenServer:
    """A server as Discord shows it.

    Attributes:
        channels: those that are in use, by their ids; None for one that is gone.
        allowed: what the bot's roles let it do in channels that say nothing of it.
        owner_id: the server's owner, who may do everything.
        is_timed_out: whether somebody has made the bot wait.
        has_role: whether the role that is mentioned is there.
        may_mention: whether the bot may mention it.
        is_askers: whether who asks may change roles.
    """

    channels: Mapping[int, SeenChannel | None]
    allowed: frozenset[str]
    owner_id: int
    is_timed_out: bool = False
    has_role: bool = True
    may_mention: bool = True
    is_askers: bool = False


class Trouble(Enum):
    """What is wrong, the worst first."""

    TIMED_OUT = "timed out"
    GONE = "gone"
    """The channel is deleted."""
    LACKS = "lacks"
    """Permissions without which it does not do that at all."""
    NO_THREADS = "no threads"
    """The channel is of a kind that has no private threads."""
    STOPPED = "stopped"
    """The daily post: it was refused again and again, and goes on when a manager says so."""
    ROLE_GONE = "role gone"
    ROLE_CLOSED = "role closed"
    """It cannot be mentioned."""
    LACKS_A_LITTLE = "lacks a little"
    """Permissions without which it does that worse."""
    SERVER_LACKS = "server lacks"
    """Permissions in all channels that say nothing of it."""


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that is wrong.

    Attributes:
        trouble: what.
        channel_id: where; None where it is the whole server's.
        uses: what it spoils there.
        missing: Discord's names of the permissions.
        role_id: the role that it is about.
        is_askers: whether who asks can mend it.
    """

    trouble: Trouble
    channel_id: int | None = None
    uses: tuple[Use, ...] = ()
    missing: tuple[str, ...] = ()
    role_id: int | None = None
    is_askers: bool = False


_LOOKS: Final = "view_channel"
_WRITES, _WRITES_IN_THREADS = "send_messages", "send_messages_in_threads"
_NEEDS: Final[Mapping[Use, tuple[str, ...]]] = {
    Use.POST: (_LOOKS, _WRITES),
    Use.LIST: (_LOOKS, _WRITES),
    Use.THREADS: (_LOOKS, "create_private_threads", _WRITES_IN_THREADS, "manage_threads"),
}
# To look after an interruption whether its message is there; to draw the list's picture.
_WISHES: Final[Mapping[Use, tuple[str, ...]]] = {
    Use.POST: ("read_message_history",),
    Use.LIST: ("read_message_history", "attach_files"),
    Use.THREADS: (),
}
# For boards, results and their pictures, wherever members play.
_EVERYWHERE: Final = (_LOOKS, _WRITES, "attach_files", "read_message_history")
_DUELS_NEED: Final = ("create_public_threads", _WRITES_IN_THREADS)

_ORDER: Final = list(Trouble)


class Checking:
    """What a server uses; one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def in_use(self, guild_id: int) -> InUse:
        """What a server has chosen that Discord must let the bot do."""

        def body(tx: Transaction) -> InUse:
            choice = read_choice(tx, guild_id)
            plan = posts_store.plans_of_posts.get(tx, guild_id)
            posts_to = choice.channel_id
            if plan is not None and plan.problem == TURNED_OFF:
                posts_to = None
            uses = [(Use.POST, posts_to)]
            if choice.finishers_threads:
                uses.append((Use.THREADS, posts_to))
            uses += [(Use.THREADS, c) for c in posts_store.open_in(tx, guild_id)]
            if choice.todays_card:
                uses += [(Use.LIST, c) for c in posts_store.channels_of(tx, guild_id)]
            duel_threads = people_store.has_duel_threads(tx, guild_id)
            channels: dict[int, frozenset[Use]] = {}
            for use, channel_id in uses:
                if channel_id is not None:
                    channels[channel_id] = channels.get(channel_id, frozenset()) | {use}
            role_id = None if posts_to is None else choice.post_role_id
            is_stopped = posts_to is not None and plan is not None and plan.off_at is not None
            return InUse(channels, role_id, posts_to, duel_threads, is_stopped)

        return await self._database.read(body)


def lacks(in_use: InUse, seen: SeenServer) -> list[Lack]:
    """What is wrong, the worst first.

    Args:
        in_use: what the server has chosen.
        seen: what Discord lets the bot do.
    """
    if seen.is_timed_out:
        return [Lack(Trouble.TIMED_OUT)]
    found = list(_of_role(in_use, seen))
    for channel_id, uses in in_use.channels.items():
        channel = seen.channels.get(channel_id)
        if channel is not None:
            found += _in_channel(channel_id, uses, channel)
        elif uses != frozenset({Use.THREADS}) or channel_id == in_use.post_channel_id:
            found.append(Lack(Trouble.GONE, channel_id, _sorted(uses)))
        # Else a thread has gone with its channel, and another one comes with the next date.
    if in_use.is_stopped:
        found.append(Lack(Trouble.STOPPED, in_use.post_channel_id, (Use.POST,), is_askers=True))
    found += _in_server(in_use, seen)
    return sorted(found, key=lambda lack: _ORDER.index(lack.trouble))


def _in_channel(channel_id: int, uses: frozenset[Use], seen: SeenChannel) -> Iterator[Lack]:
    if Use.THREADS in uses and not seen.has_private_threads:
        uses -= {Use.THREADS}
        yield Lack(Trouble.NO_THREADS, channel_id, (Use.THREADS,), is_askers=True)
    spoiled = _sorted(use for use in uses if _missing(_NEEDS[use], seen))
    if spoiled:
        missing = _missing((need for use in spoiled for need in _NEEDS[use]), seen)
        yield Lack(Trouble.LACKS, channel_id, spoiled, missing, is_askers=seen.is_askers)
    dimmed = [use for use in _sorted(uses) if use not in spoiled]
    if missing := _missing((wish for use in dimmed for wish in _WISHES[use]), seen):
        trouble = Trouble.LACKS_A_LITTLE
        yield Lack(trouble, channel_id, tuple(dimmed), missing, is_askers=seen.is_askers)


def _missing(needed: Iterable[str], seen: SeenChannel) -> tuple[str, ...]:
    """Which of these permissions the bot has not, each once."""
    if seen.is_thread:
        needed = (_WRITES_IN_THREADS if need == _WRITES else need for need in needed)
    return tuple(dict.fromkeys(need for need in needed if need not in seen.allowed))


def _of_role(in_use: InUse, seen: SeenServer) -> Iterator[Lack]:
    if in_use.role_id is None:
        return
    if not seen.has_role:
        yield Lack(Trouble.ROLE_GONE, role_id=in_use.role_id, is_askers=True)
    elif not seen.may_mention:
        yield Lack(Trouble.ROLE_CLOSED, role_id=in_use.role_id, is_askers=seen.is_askers)


def _in_server(in_use: InUse, seen: SeenServer) -> Iterator[Lack]:
    needed = _EVERYWHERE + (_DUELS_NEED if in_use.duel_threads else ())
    if missing := tuple(need for need in needed if need not in seen.allowed):
        yield Lack(Trouble.SERVER_LACKS, missing=missing, is_askers=seen.is_askers)


def _sorted(uses: Iterable[Use]) -> tuple[Use, ...]:
    there = set(uses)
    return tuple(use for use in Use if use in there)
