"""The connections by which Discord's events come: a large bot has many, each for some servers."""

from dataclasses import dataclass

_ID_BITS = 22
"""Below a server's time of birth in its id, by which Discord deals servers out."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many connections.

    How many there are, Discord says at each start: a number alone says nothing about servers.

    Attributes:
        number: which it is, from 0.
        count: how many there are.
    """

    number: int = 0
    count: int = 1

    def serves(self, guild_id: int | None) -> bool:
        """Whether a server's events come by it; None for direct messages, which the first has."""
        return ((guild_id or 0) >> _ID_BITS) % self.count == self.number


EVERY: Shard = Shard()
"""What serves everybody: the only shard of a small bot, or all of a large one."""
