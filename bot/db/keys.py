"""Keys of writing transactions: two with a common key never run at once.

SQLite lets one transaction write at a time and ignores keys. On PostgreSQL transactions with
different keys run side by side; one without keys locks everything.

Keys are taken in ascending ranks, so that no two transactions deadlock: the game first, then its
players, then the servers where they are shown.
"""

from enum import IntEnum
from hashlib import blake2b
from typing import Final, NamedTuple


class Rank(IntEnum):
    GAME = 0
    PLAYER = 1
    PUZZLE = 2
    SERVER = 3
    QUEUE = 4


class Key(NamedTuple):
    """A lock's name; keys sort in the order in which they are taken."""

    rank: Rank
    name: str

    @property
    def number(self) -> int:
        """The number of the key's advisory lock, a hash; keys with equal numbers share a lock."""
        digest = blake2b(self.name.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=True)

    def __str__(self) -> str:
        return self.name


def game(kind: str, game_id: int) -> Key:
    """The key of a game: of its turns or guesses, its seats and its post."""
    return Key(Rank.GAME, f"{kind}:{game_id}")


def message(message_id: int) -> Key:
    """The key of a message whose button works once."""
    return Key(Rank.GAME, f"message:{message_id}")


def lease(name: str) -> Key:
    return Key(Rank.GAME, f"lease:{name}")


PLAYER: Final = "player:"
"""Begins the names of players' keys; whoever watches the database hears of these."""


def player(player_id: int) -> Key:
    """The key of a player: of their plays, games, choices and leaderboard rows."""
    return Key(Rank.PLAYER, f"{PLAYER}{player_id}")


def puzzle(number: int, length: int) -> Key:
    """The key of a daily, whose secret is fixed when the first player opens it."""
    return Key(Rank.PUZZLE, f"puzzle:{number}/{length}")


def server(guild_id: int) -> Key:
    """The key of a server: of its posts, threads, today's card, champions and excluded members."""
    return Key(Rank.SERVER, f"server:{guild_id}")


def login(bucket: int) -> Key:
    """The key of a bucket of shards; the shards of one bucket log in one after the other."""
    return Key(Rank.QUEUE, f"login:{bucket}")


def trial(name: str) -> Key:
    """The key of the row that a process's health check writes."""
    return Key(Rank.QUEUE, f"trial:{name}")


PULSES: Final = Key(Rank.QUEUE, "pulses")
"""The key of all shards' pulses, and of outages."""

REBUILDS: Final = Key(Rank.QUEUE, "rebuilds")
"""The key of the queue of players whose leaderboard rows are to be rebuilt."""

EVERYTHING: Final = Key(Rank.GAME, "everything")
"""The lock that all transactions with keys share; one without keys holds it exclusively."""
