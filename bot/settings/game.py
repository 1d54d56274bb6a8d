"""A server's settings, its members off the boards, and the permissions that the bot lacks."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Final

from bot.champions import store as champions_store
from bot.champions.model import ChampionChoice
from bot.clock import LONGEST_DAILY, SHORTEST_DAILY, Clock, date_in, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.rebuild import rebuild, rebuild_some
from bot.moderation import store as moderation_store
from bot.moderation.model import (
    BackAlreadyError,
    Exclusions,
    OffAlreadyError,
    OwnExclusionError,
)
from bot.people import store as people_store
from bot.people.game import ZONE_REST, cancel_zone_changes, length_on
from bot.people.languages import Languages
from bot.people.model import LengthChange, ServerChoices, ZoneChange
from bot.people.zones import find_zone, next_midnight, no_repeat, zone_at
from bot.posts import store as posts_store
from bot.posts.model import RoleGoneError, ServerZoneTooSoonError
from bot.posts.plans import is_first_day, plan_next, read_choice, start_over
from bot.refused import NoSuchDailyLengthError, Refused
from bot.streaks import store as streaks_store

log = logging.getLogger(__name__)

CORRECTABLE: Final = timedelta(hours=48)
"""The time after a change of a server's zone in which it can be corrected, once."""

PAGE_SIZE: Final = 7
"""How many exclusions a page lists."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's settings.

    Attributes:
        next_zone: the coming zone and when it comes; None if none is to come.
        next_length: the coming length and its first date; None if none is to come.
        zone_again_at: when the zone can be changed again; None if it can be now.
        correctable_until: the time until which the last change of zone can be corrected, once;
            None if it cannot be corrected, or if the zone can be changed freely.
    """

    channel_id: int | None
    zone: str
    next_zone: tuple[str, datetime] | None
    length: int
    next_length: tuple[int, date] | None
    takes_equations: bool = True
    language: str | None = None
    zone_again_at: datetime | None = None
    correctable_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class _NextChange:
    """When a server's zone can change again (None: now), and until when it can be corrected."""

    again_at: datetime | None = None
    corrects_until: datetime | None = None


class ChannelUse(Enum):
    """What the bot uses a channel for, by itself."""

    POST = "post"
    """The daily post."""
    CARD = "card"
    """Today's cards, and results that are always shared."""
    THREADS = "threads"
    """Finishers' threads."""


@dataclass(frozen=True, slots=True)
class InUse:
    """A server's settings that need permissions of Discord.

    Attributes:
        channels: the ids of channels, each with what the bot uses it for by itself.
        is_stopped: the daily post ended after Discord's refusals, and waits for a manager.
    """

    channels: Mapping[int, frozenset[ChannelUse]]
    role_id: int | None = None
    post_channel_id: int | None = None
    is_stopped: bool = False
    champion_role_id: int | None = None


class ServerSettings:
    """Use cases of a server's settings; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, languages: Languages) -> None:
        self._database = database
        self._clock = clock
        self._languages = languages

    async def view(self, guild_id: int) -> GuildSettings:
        return await self._database.read(lambda tx: self._view(tx, guild_id))

    async def in_use(self, guild_id: int) -> InUse:
        """Read the settings that need permissions of Discord, for *Check permissions*."""
        return await self._database.read(lambda tx: _in_use(tx, guild_id))

    async def change(
        self,
        guild_id: int,
        *,
        channel_id: int | None = None,
        zone: str | None = None,
        length: int | None = None,
    ) -> GuildSettings:
        """Change some settings, all or nothing; None leaves one as it is.

        Zone and length hold from the next midnight on, so that nobody's running date changes. On a
        server's first day, while nobody has opened today's daily there, they hold at once; posts
        follow a zone chosen on that day in any case. Choosing the present value cancels a coming
        change. Choosing a channel turns the daily post on.

        The zone changes at most once in `ZONE_REST`, counted from when the last change came into
        force. This limit does not hold while no daily has been finished in the server, or while a
        change is still to come, which can be replaced. It does not hold either for one correction
        within `CORRECTABLE` of the first choice or of a change. A correction comes into force when
        it repeats no date. In a server that has recently deleted its data, only corrections are
        exempt.
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
            try:  # the upkeep rebuilds the other rows, and repeats failures
                await self._database.write(lambda tx: rebuild_some(tx, self._clock.now()))
            except Exception:
                log.exception("rows of a changed length or zone were not worked out at once")
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
            people_store.put_guild(tx, guild_id, channel_id=channel_id)
            start_over(tx, guild_id, now, on=True)
        elif zone is not None and is_new:
            start_over(tx, guild_id, now)
        elif zone is not None:
            plan_next(tx, guild_id, now)
        return self._view(tx, guild_id)

    async def set_equations(self, guild_id: int, *, on: bool) -> GuildSettings:
        """Choose whether members may set equations."""

        def body(tx: Transaction) -> GuildSettings:
            people_store.put_guild(tx, guild_id, takes_equations=on)
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def set_language(self, guild_id: int, language: str | None) -> GuildSettings:
        """Choose the language of public messages; None for the server's at Discord."""

        def body(tx: Transaction) -> GuildSettings:
            people_store.put_guild(tx, guild_id, language=language)
            self._languages.announce(tx, keys.server(guild_id))
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def leave_channel(self, guild_id: int) -> GuildSettings:
        def body(tx: Transaction) -> GuildSettings:
            people_store.put_guild(tx, guild_id, channel_id=None)
            start_over(tx, guild_id, self._clock.now())
            return self._view(tx, guild_id)

        return await self._database.write(body)

    def _set_zone(self, tx: Transaction, guild_id: int, zone: str, *, is_new: bool) -> None:
        now = self._clock.now()
        rows = people_store.get_zones(tx, "guild", guild_id)
        current = zone_at(rows, now)
        if zone == current:
            cancel_zone_changes(tx, "guild", guild_id, rows, now)
            return
        change = _next_change(tx, guild_id, rows, now)
        if change.again_at is not None:
            raise ServerZoneTooSoonError(again_at=change.again_at)
        is_correction = change.corrects_until is not None
        effective_at = next_midnight(current, now)
        if is_correction:  # dates that the mistaken zone closed stay closed
            effective_at = no_repeat(current, zone, now)
        elif is_new and not _is_opened(tx, guild_id, date_in(current, now)):
            effective_at = now
            if not rows:  # dates that ended by the default zone are open again
                leaderboards_store.queue_since(tx, guild_id, number_of(date_in(current, now)) - 1)
        cancel_zone_changes(tx, "guild", guild_id, rows, now)
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
        # Members may have played those dates elsewhere already, further east or before they came.
        leaderboards_store.queue_since(tx, guild_id, number_of(since))

    def _view(self, tx: Transaction, guild_id: int) -> GuildSettings:
        now = self._clock.now()
        zones = people_store.get_zones(tx, "guild", guild_id)
        lengths = people_store.get_lengths(tx, guild_id)
        today = date_in(zone_at(zones, now), now)
        coming_zones = ((row.zone, row.effective_at) for row in zones if row.effective_at > now)
        change = _next_change(tx, guild_id, zones, now)
        coming_lengths = ((row.length, row.from_day) for row in lengths if row.from_day > today)
        choices = people_store.server_choices.get(tx, guild_id) or ServerChoices()
        return GuildSettings(
            channel_id=choices.channel_id,
            zone=zone_at(zones, now),
            next_zone=next(coming_zones, None),
            length=length_on(lengths, today),
            next_length=next(coming_lengths, None),
            takes_equations=choices.takes_equations,
            language=choices.language,
            zone_again_at=change.again_at,
            correctable_until=change.corrects_until,
        )

    async def excluded(self, guild_id: int, number: int = 0) -> Exclusions:
        """Return a page of a server's exclusions; a number beyond the end gives the last page."""

        def body(tx: Transaction) -> Exclusions:
            pages = max(-(-moderation_store.count(tx, guild_id) // PAGE_SIZE), 1)
            shown = min(number, pages - 1)
            offset = shown * PAGE_SIZE
            rows = moderation_store.page(tx, guild_id, offset=offset, most=PAGE_SIZE)
            return Exclusions(tuple(rows), shown, pages)

        return await self._database.read(body)

    async def take_off(self, by_id: int, guild_id: int, player_id: int) -> None:
        """Take a member off the server's boards, posts and cards, at once; what was posted stays.

        The caller checks that the manager may do this to the member.

        Raises:
            OwnExclusionError: the member is the manager.
            OffAlreadyError: the member is off.
        """
        if by_id == player_id:
            raise OwnExclusionError

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            if not moderation_store.add(tx, guild_id, player_id, by_id, now):
                raise OffAlreadyError(player_id=player_id)
            posts_store.leave_queues(tx, player_id, guild_id=guild_id)
            posts_store.leave_cards(tx, player_id, now, guild_id=guild_id)
            rebuild(tx, player_id, now, [guild_id])

        await self._database.write(body)  # the first makes the key of all digests
        log.info("server %d: a member is off the boards", guild_id)

    async def let_back(self, by_id: int, guild_id: int, exclusion_id: int) -> None:
        """Undo an exclusion: all that the member has played counts, as if it had never been.

        Raises:
            BackAlreadyError: the server has no such exclusion.
            OwnExclusionError: the exclusion is the manager's own.
        """

        def body(tx: Transaction) -> None:
            found = moderation_store.get(tx, guild_id, exclusion_id)
            if found is None:
                raise BackAlreadyError
            if moderation_store.is_of(tx, found, by_id):
                raise OwnExclusionError
            moderation_store.drop(tx, exclusion_id)
            if found.player_id is not None:
                rebuild(tx, found.player_id, self._clock.now(), [guild_id])

        await self._database.write(body)
        log.info("server %d: a member is back on the boards", guild_id)


def join_boards(tx: Transaction, guild_id: int, player_id: int, now: datetime) -> None:
    """Put a new member on a server's leaderboards, unless they were taken off before."""
    moderation_store.recognise(tx, guild_id, player_id)
    rebuild(tx, player_id, now, [guild_id])


def leave_boards(tx: Transaction, guild_id: int, player_id: int, now: datetime) -> None:
    """Remove a former member from a server's leaderboards, today's cards and members."""
    posts_store.leave_cards(tx, player_id, now, guild_id=guild_id)
    if people_store.remove(tx, guild_id, player_id):
        rebuild(tx, player_id, now, [guild_id])


def _is_opened(tx: Transaction, guild_id: int, day: date) -> bool:
    return focdle_store.has_daily(tx, guild_id, number=number_of(day))


def _next_change(
    tx: Transaction, guild_id: int, rows: Sequence[ZoneChange], now: datetime
) -> _NextChange:
    held = [row for row in rows if row.effective_at <= now]
    if not held:
        return _NextChange()
    if not focdle_store.has_daily(tx, guild_id, is_finished=True):
        return _NextChange()
    last, correctable_until = held[-1], held[-1].effective_at + CORRECTABLE
    if coming := rows[len(held) :]:
        return _NextChange(None, correctable_until if coming[0].is_correction else None)
    again_at = last.effective_at + ZONE_REST
    if now >= again_at:
        return _NextChange()
    if now < correctable_until and not last.is_correction:
        return _NextChange(None, correctable_until)
    return _NextChange(again_at)


@dataclass(frozen=True, slots=True)
class SeenChannel:
    """What the bot may do in a channel; with `is_askers`, the asking member may change this."""

    allowed: frozenset[str]
    is_thread: bool = False
    has_private_threads: bool = True
    is_askers: bool = False


@dataclass(frozen=True, slots=True)
class SeenServer:
    """A server as Discord shows it.

    Attributes:
        channels: the used channels by their ids; None for a deleted one.
        allowed: what the bot's roles permit, in channels without permissions of their own.
        has_role: the role that the daily post is to mention exists.
        champion: why the champion's role is given to nobody; None if it is given, or if no role is
            chosen.
        is_askers: the asking member may change the role that the daily post mentions.
    """

    channels: Mapping[int, SeenChannel | None]
    allowed: frozenset[str]
    is_timed_out: bool = False
    has_role: bool = True
    may_mention: bool = True
    is_askers: bool = False
    champion: Refused | None = None


class Trouble(Enum):
    """What kind of lack it is, the worst first."""

    TIMED_OUT = "timed out"
    GONE = "gone"
    """The channel is deleted."""
    LACKS = "lacks"
    """The bot lacks permissions without which a use of the channel fails."""
    NO_THREADS = "no threads"
    """The channel is of a kind that has no private threads."""
    STOPPED = "stopped"
    """Discord refused the daily post again and again, so it waits for a manager."""
    ROLE_GONE = "role gone"
    ROLE_CLOSED = "role closed"
    """The bot may not mention the role for the daily post."""
    CHAMPION = "champion"
    """The champion's role is given to nobody."""
    LACKS_A_LITTLE = "lacks a little"
    """The bot lacks permissions without which a use of the channel works worse."""
    SERVER_LACKS = "server lacks"
    """The bot's roles lack what it needs in channels without permissions of their own."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A lack: its kind, its channel, the uses that it breaks, the missing permissions, the role.

    `is_askers` says that the asking member can mend it. `why` says why a role cannot be used.
    """

    trouble: Trouble
    channel_id: int | None = None
    uses: tuple[ChannelUse, ...] = ()
    missing: tuple[str, ...] = ()
    role_id: int | None = None
    is_askers: bool = False
    why: Refused | None = None


_LOOKS: Final = "view_channel"
_WRITES, _WRITES_IN_THREADS = "send_messages", "send_messages_in_threads"
_NEEDS: Final[Mapping[ChannelUse, tuple[str, ...]]] = {
    ChannelUse.POST: (_LOOKS, _WRITES),
    ChannelUse.CARD: (_LOOKS, _WRITES),
    ChannelUse.THREADS: (_LOOKS, "create_private_threads", _WRITES_IN_THREADS, "manage_threads"),
}
# The daily post looks for its message after an interruption; the list sends its picture.
_WISHES: Final[Mapping[ChannelUse, tuple[str, ...]]] = {
    ChannelUse.POST: ("read_message_history",),
    ChannelUse.CARD: ("read_message_history", "attach_files"),
    ChannelUse.THREADS: (),
}
# Boards, results and their pictures appear wherever members play.
_EVERYWHERE: Final = (_LOOKS, _WRITES, "attach_files", "read_message_history")

_ORDER: Final = list(Trouble)


def _in_use(tx: Transaction, guild_id: int) -> InUse:
    choice = read_choice(tx, guild_id)
    plan = posts_store.plans_of_posts.get(tx, guild_id)
    posts_to = choice.channel_id
    if plan is not None and plan.is_turned_off:
        posts_to = None
    uses = [(ChannelUse.POST, posts_to)]
    if choice.finishers_threads:
        uses.append((ChannelUse.THREADS, posts_to))
    uses += [(ChannelUse.THREADS, c) for c in posts_store.channels_of_threads(tx, guild_id)]
    if choice.todays_card:
        uses += [(ChannelUse.CARD, c) for c in posts_store.channels_of_cards(tx, guild_id)]
    channels: dict[int, frozenset[ChannelUse]] = {}
    for use, channel_id in uses:
        if channel_id is not None:
            channels[channel_id] = channels.get(channel_id, frozenset()) | {use}
    role_id = None if posts_to is None else choice.post_role_id
    is_stopped = posts_to is not None and plan is not None and plan.off_at is not None
    champion = champions_store.choices.get(tx, guild_id) or ChampionChoice()
    return InUse(
        channels,
        role_id,
        posts_to,
        is_stopped,
        champion.champion_role_id,
    )


def lacks(in_use: InUse, seen: SeenServer) -> list[Lack]:
    """List what the bot lacks for these settings, the worst first; of a time-out nothing else."""
    if seen.is_timed_out:
        return [Lack(Trouble.TIMED_OUT)]
    found = list(_of_role(in_use, seen))
    for channel_id, uses in in_use.channels.items():
        channel = seen.channels.get(channel_id)
        if channel is not None:
            found += _in_channel(channel_id, uses, channel)
        elif ChannelUse.POST in uses:
            found.append(Lack(Trouble.GONE, channel_id, _sorted(uses)))
        # Elsewhere there is nothing to mend, and an archived thread is as unknown as a deleted one.
    if in_use.is_stopped:
        found.append(
            Lack(Trouble.STOPPED, in_use.post_channel_id, (ChannelUse.POST,), is_askers=True)
        )
    if seen.champion is not None:
        found.append(Lack(Trouble.CHAMPION, why=seen.champion))
    if missing := tuple(need for need in _EVERYWHERE if need not in seen.allowed):
        found.append(Lack(Trouble.SERVER_LACKS, missing=missing, is_askers=seen.is_askers))
    return sorted(found, key=lambda lack: _ORDER.index(lack.trouble))


def _in_channel(channel_id: int, uses: frozenset[ChannelUse], seen: SeenChannel) -> Iterator[Lack]:
    if ChannelUse.THREADS in uses and not seen.has_private_threads:
        uses -= {ChannelUse.THREADS}
        yield Lack(Trouble.NO_THREADS, channel_id, (ChannelUse.THREADS,), is_askers=True)
    spoiled = _sorted(use for use in uses if _missing(_NEEDS[use], seen))
    if spoiled:
        missing = _missing((need for use in spoiled for need in _NEEDS[use]), seen)
        yield Lack(Trouble.LACKS, channel_id, spoiled, missing, is_askers=seen.is_askers)
    dimmed = [use for use in _sorted(uses) if use not in spoiled]
    if missing := _missing((wish for use in dimmed for wish in _WISHES[use]), seen):
        trouble = Trouble.LACKS_A_LITTLE
        yield Lack(trouble, channel_id, tuple(dimmed), missing, is_askers=seen.is_askers)


def _missing(needed: Iterable[str], seen: SeenChannel) -> tuple[str, ...]:
    if seen.is_thread:
        needed = (_WRITES_IN_THREADS if need == _WRITES else need for need in needed)
    return tuple(dict.fromkeys(need for need in needed if need not in seen.allowed))


def _of_role(in_use: InUse, seen: SeenServer) -> Iterator[Lack]:
    if in_use.role_id is None:
        return
    if not seen.has_role:
        yield Lack(Trouble.ROLE_GONE, is_askers=True, why=RoleGoneError())
    elif not seen.may_mention:
        yield Lack(Trouble.ROLE_CLOSED, role_id=in_use.role_id, is_askers=seen.is_askers)


def _sorted(uses: Iterable[ChannelUse]) -> tuple[ChannelUse, ...]:
    there = set(uses)
    return tuple(use for use in ChannelUse if use in there)
