"""People who play in several servers, quickly: what tests of standings are told with."""

import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import count, permutations
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import insert

from bot.coach import store as coach_store
from bot.db.database import Database, Transaction
from bot.db.tables.games import duel_moves
from bot.duels.challenges import Challenge
from bot.focdle import store as focdle_store
from bot.focdle.model import Play
from bot.games import store as games_store
from bot.games.model import Hint
from bot.home.upkeep import Upkeep
from bot.leaderboards.boards import Board
from bot.leaderboards.game import NOBODY, LeaderboardPage, Row
from bot.mastermind import store as mastermind_store
from bot.mastermind.game import Setting
from bot.services import Services, open_services
from engine import Code, Focdle, Game, Mastermind
from tests.support.clock import FakeClock
from tests.support.duels import EQUAL, number_for, wrong
from tests.support.masterminds import secret_of, wrong_codes
from tests.support.table import KEY

_SERVERS: Final = count(1)
"""Each duel is in another server: nobody posts too often in one."""


class Town:
    """Services on a database of their own, and shortcuts through whole games."""

    def __init__(
        self, folder: Path, clock: FakeClock, services: Services, database: Database
    ) -> None:
        self.folder = folder
        self.clock = clock
        self.services = services
        self.database = database

    def at(self, local: str, zone: str = "UTC") -> None:
        """Let it be a local time in a zone."""
        self.clock.set(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)))

    async def join(self, player: int, *guilds: int) -> None:
        """Let a player be seen in servers."""
        for guild in guilds:
            await self.services.standings.members.seen(
                player, f"P{player}", guild_id=guild, guild_name=f"P{player} of {guild}"
            )

    async def open(self, player: int, guild: int | None, puzzle: str | None = None) -> Play:
        return await self.services.daily.open(player, guild, puzzle=puzzle)

    async def finish(
        self, play: Play, guesses: int, *, solved: bool = True, shown: int = 0
    ) -> Play:
        """Finish an open play with so many guesses in all, and hints."""
        rules = Focdle(play.rules.length)
        wrong = wrong_guesses(rules, play.game.secret, len(play.game.turns), guesses)
        if not play.game.turns and wrong[1:]:  # the first is more than a row
            first = wrong.pop(0)
            play = await self.services.daily.guess(play.player_id, play.id, first, as_probe=True)

        def body(tx: Transaction) -> None:
            for turn, code in enumerate(wrong[:-1], len(play.game.turns)):
                focdle_store.add_guess(
                    tx, play.id, turn=turn, code=code, guessed_at=self.clock.now()
                )
            for place in range(shown):
                hint = Hint(0, place, play.game.secret[place])
                games_store.add_hint(tx, "play", play.id, hint, given_at=self.clock.now())

        await self.database.write(body)
        last = play.game.secret if solved else wrong[-1]
        return await self.services.daily.guess(play.player_id, play.id, last, as_probe=True)

    async def play(
        self,
        player: int,
        guild: int | None,
        guesses: int = 3,
        *,
        solved: bool = True,
        puzzle: str | None = None,
        minutes: float = 0,
        shown: int = 0,
    ) -> Play:
        """Play a daily to its end, minutes after it was opened; one that is over stays."""
        play = await self.open(player, guild, puzzle)
        self.clock.advance(minutes=minutes)
        if play.game.outcome is not None:
            return play
        made = guesses if solved else 6
        return await self.finish(play, made, solved=solved, shown=shown)

    async def difficulty(self, number: int, length: int, hundredths: int) -> None:
        """Let a daily be so hard, from now on."""

        def body(tx: Transaction) -> None:
            row = focdle_store.find_puzzle(tx, number, length)
            assert row is not None
            coach_store.put_difficulty(tx, row.id, hundredths)

        await self.database.write(body)

    async def mastermind(
        self, player: int, guesses: int, *, solved: bool = True, shown: int = 0
    ) -> None:
        """Play a game of Mastermind, with so many hints; one that is not solved is given up."""
        setting = Setting()
        solo = self.services.mastermind.solo
        game = await solo.open(player, setting)
        secret = secret_of(self.folder, game.id)
        wrong = wrong_codes(Mastermind.decode(setting.rules().encode()), secret)
        before = guesses - 1 if solved else guesses

        def body(tx: Transaction) -> None:
            if before:
                mastermind_store.add_turns(
                    tx, game.id, first=0, codes=wrong[:before], guessed_at=self.clock.now()
                )
            for place in range(shown):
                hint = Hint(0, place, secret[place])
                games_store.add_hint(tx, "mastermind", game.id, hint, given_at=self.clock.now())

        await self.database.write(body)
        if solved:
            await solo.guess(player, game.id, secret)
        else:
            await solo.surrender(player, game.id)

    async def duel(self, winner: int, loser: int, rounds: int = 3) -> None:
        """Let one of two players resign a duel after so many guesses of both."""
        await self.lose(await self.begin_duel(winner, loser), loser, rounds)

    async def lose(self, duel_id: int, loser: int, rounds: int = 3) -> None:
        """Let a player resign a duel after so many guesses of both."""

        def body(tx: Transaction) -> None:
            for number in range(2 * rounds):
                move = {"number": number, "seat": number % 2, "turn": number // 2}
                move |= {"code": wrong(number // 2, "9876"), "moved_at": self.clock.now()}
                tx.execute(insert(duel_moves).values(duel_id=duel_id, **move))

        await self.database.write(body)
        await self.services.duels.playing.resign(loser, duel_id)

    async def weeks_of_duels(self, player: int, *others: int, weeks: int = 4) -> None:
        """Let a player win and lose in turns against each other one, once in each week.

        Each is on another day, from the first of eight days on.
        """
        for week in range(weeks):
            for number, other in enumerate(others):
                pair = (player, other) if (week + number) % 2 else (other, player)
                await self.duel(*pair)
                self.clock.advance(days=1)
            self.clock.advance(days=8 - len(others))

    async def begin_duel(self, challenger: int, opponent: int) -> int:
        """Let two players begin a duel that is rated if it can be; its id."""
        inviting = self.services.duels.inviting
        game = await inviting.challenge(
            Challenge(challenger, opponent, next(_SERVERS), 2), EQUAL, number_for(challenger, EQUAL)
        )
        await inviting.accept(opponent, game.duel.id, 0, number_for(opponent, EQUAL))
        return game.duel.id

    async def circle(self, *players: int) -> None:
        """Let each of these players win a rated duel against each other one."""
        for winner, loser in permutations(players, 2):
            await self.duel(winner, loser)

    def upkeep(self, stopwatch: Callable[[], float]) -> Upkeep:
        """The upkeep, with a stopwatch that tells it when others must have their turn."""
        return Upkeep(self.database, self.clock, self.services.leases, stopwatch)

    async def settle(self) -> None:
        """Do what a timer would."""
        while await self.services.upkeep.settle():
            pass

    async def page(
        self, board: Board, viewer: int = NOBODY, number: int | None = 0
    ) -> LeaderboardPage:
        return await self.services.standings.boards.page(board, viewer, number)

    async def rows(self, board: Board) -> list[Row]:
        """All rows of a board, page by page."""
        first = await self.page(board)
        found = list(first.rows)
        for number in range(1, first.pages):
            found += (await self.page(board, number=number)).rows
        return found


def wrong_guesses(rules: Focdle, secret: str, start: int, end: int) -> list[Code]:
    """As many different guesses as there are turns between two, none of them the secret."""
    rng, found = random.Random(end * 10 + start), list[Code]()
    game = Game(rules, secret)
    assert game.outcome is None
    while len(found) < end - start:
        code = rules.draw(rng)
        if code != secret and code not in found:
            found.append(code)
    return found


@asynccontextmanager
async def open_town(folder: Path, url: str, clock: FakeClock) -> AsyncGenerator[Town]:
    """A town on a migrated database, `test.db` in the folder."""
    async with open_services(url, clock, puzzle_key=KEY) as services:
        database = await Database.open(url)
        try:
            yield Town(folder, clock, services, database)
        finally:
            await database.close()
