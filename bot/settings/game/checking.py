"""What the bot lacks in a server to do what is set there, and what that spoils."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.db.database import Database
from bot.people.store import places
from bot.posts.game.post_planning import read_choice
from bot.posts.model.posts import TURNED_OFF
from bot.posts.store import finishers, posts, running


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
        async with self._database.reading() as tx:
            choice = await read_choice(tx, guild_id)
            plan = await posts.plans.get(tx, guild_id)
            posts_to = choice.channel_id
            if plan is not None and plan.problem == TURNED_OFF:
                posts_to = None
            uses = [(Use.POST, posts_to)]
            if choice.finishers_threads:
                uses.append((Use.THREADS, posts_to))
            uses += [(Use.THREADS, c) for c in await finishers.open_in(tx, guild_id)]
            if choice.todays_card:
                uses += [(Use.LIST, c) for c in await running.channels_of(tx, guild_id)]
            duel_threads = await places.has_duel_threads(tx, guild_id)
        channels: dict[int, frozenset[Use]] = {}
        for use, channel_id in uses:
            if channel_id is not None:
                channels[channel_id] = channels.get(channel_id, frozenset()) | {use}
        role_id = None if posts_to is None else choice.post_role_id
        is_stopped = posts_to is not None and plan is not None and plan.off_at is not None
        return InUse(channels, role_id, posts_to, duel_threads, is_stopped)


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
