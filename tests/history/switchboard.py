"""A Discord for one bot of many processes, each of which has a shard."""

import re
from time import monotonic
from typing import Final

from bot.clock import day_of
from tests.history.record import Post, Recorder
from tests.support.discord_stand_in import StandIn
from tests.support.payloads import Payload, guild_ids, texts
from tests.support.sessions import Line, Session

PATIENCE_SECONDS: Final = 3.0
_PUZZLE: Final = re.compile(r"FoCdle #(\d+)")


class Switchboard(StandIn):
    """Passes what happens in a server on to the process that has its shard.

    Args:
        token: the bot's.
        shards: how many there are.
        servers: how many the bot is in, spread over the shards.
        recorder: is told of what is posted.

    Attributes:
        session: where players act, whatever processes there are.
    """

    def __init__(self, token: str, shards: int, servers: int, recorder: Recorder) -> None:
        super().__init__(token, patience=PATIENCE_SECONDS)
        self.guilds = guild_ids(servers)
        self.shards = self.max_concurrency = shards
        self.session = Session(shards, self._sent)
        self._recorder = recorder

    def hang_up(self, shard: int) -> None:
        """Let the line of a process that is gone not swallow what is said."""
        line = self.session.lines.pop(shard, None)
        if line is not None:
            line.break_off()

    async def let_in(self, line: Line, shard: int, shards: int) -> None:
        await self.greet(line, self.session, shard)
        self.session.lines[shard] = line

    def keep(self, shown: Payload) -> None:
        super().keep(shown)
        text = "\n".join(texts(shown))
        if shown.get("nonce") and (puzzle := _PUZZLE.search(text)):
            date = str(day_of(int(puzzle[1])))
            self._recorder.note(Post(int(shown["channel_id"]), date, monotonic()))
