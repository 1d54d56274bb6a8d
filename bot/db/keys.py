"""What a transaction is about: keys, of which two transactions never have the same at once.

SQLite lets one transaction write at a time, and asks for no keys. Where many processes share a
database, those that are about different things need not wait for each other; one that names no key
is about everything, and alone.

Whoever takes keys in several steps takes those of higher ranks later, so that no two ever wait for
each other: the game first, then its players, then the servers where they are shown.
"""

from enum import IntEnum
from hashlib import blake2b
from typing import Final, NamedTuple


class Rank(IntEnum):
    """The order in which keys are taken."""

    GAME = 0
    PLAYER = 1
    PUZZLE = 2
    SERVER = 3
    QUEUE = 4


class Key(NamedTuple):
    """One thing that a transaction is about. Keys sort in the order in which they are taken."""

    rank: Rank
    name: str

    @property
    def number(self) -> int:
        """What a database knows it by: 64 bits, signed; nearly always another for another key."""
        digest = blake2b(self.name.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)


def duel(duel_id: int) -> Key:
    """A duel: its state, moves and messages."""
    return Key(Rank.GAME, f"duel:{duel_id}")


def mastermind(game_id: int) -> Key:
    """A game of Mastermind between two players."""
    return Key(Rank.GAME, f"mastermind:{game_id}")


def message(message_id: int) -> Key:
    """A message: whether its button was pressed that works once."""
    return Key(Rank.GAME, f"message:{message_id}")


def lease(name: str) -> Key:
    """What one process at a time does: which one that is."""
    return Key(Rank.GAME, f"lease:{name}")


def player(player_id: int) -> Key:
    """A player: their plays and games, what they have chosen, their rows on leaderboards."""
    return Key(Rank.PLAYER, f"player:{player_id}")


def puzzle(number: int, length: int) -> Key:
    """A daily, whose secret is fixed by who opens it first."""
    return Key(Rank.PUZZLE, f"puzzle:{number}/{length}")


def server(guild_id: int) -> Key:
    """A server: who has finished its daily, how many are at which level of its leaderboards."""
    return Key(Rank.SERVER, f"server:{guild_id}")


def login(bucket: int) -> Key:
    """When the next shard of a bucket may log in."""
    return Key(Rank.QUEUE, f"login:{bucket}")


def trial(name: str) -> Key:
    """What a process writes to see whether that is possible."""
    return Key(Rank.QUEUE, f"trial:{name}")


PULSES: Final = Key(Rank.QUEUE, "pulses")
"""By which shards the bot is heard, and outages."""

REBUILDS: Final = Key(Rank.QUEUE, "rebuilds")
"""Whose rows on leaderboards are to be worked out anew."""

EVERYTHING: Final = Key(Rank.GAME, "everything")
"""Held by whoever has a key, together with others; by who has none, alone."""
