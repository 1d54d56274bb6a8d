"""Two players, a bot, strangers, restarts and a jumping clock: whatever they do, duels stay whole.

A plain random driver rather than rules of Hypothesis, because everything here is asynchronous,
and who moves first is drawn by the machine. What was done before a failure is told with it.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from bot.services.duels.game import DuelGame, Notebook, Pace
from bot.services.duels.inviting import Challenge
from bot.services.duels.options import Options
from bot.services.duels.states import PLAYED, State
from bot.services.errors import ServiceError
from bot.services.services import Services, open_services
from engine import Mode
from engine.solvers import Strength
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT
from tests.support.sql import sql

STEPS = 40
_JUMPS = (
    timedelta(),
    timedelta(seconds=1),
    timedelta(seconds=20),
    timedelta(seconds=70),
    timedelta(minutes=3),
    timedelta(hours=5),
    timedelta(hours=30),
)
_LIKELY = (60, 60, 30, 4, 1, 1, 1)


class Driver:
    """Does something at random, and looks whether all is still as it must be."""

    def __init__(self, url: str, folder: Path, clock: FakeClock, seed: int) -> None:
        self._url = url
        self._folder = folder
        self._clock = clock
        self._rng = random.Random(seed)
        self._stack = AsyncExitStack()
        self._ended: dict[int, tuple[object, ...]] = {}
        self.refused: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.story: list[str] = []

    async def restart(self) -> None:
        await self._stack.aclose()
        self._services: Services = await self._stack.enter_async_context(
            open_services(self._url, self._clock)
        )

    async def close(self) -> None:
        await self._stack.aclose()

    async def step(self) -> None:
        self._clock.advance(seconds=self._rng.choices(_JUMPS, _LIKELY)[0].total_seconds())
        name, act = self._rng.choice(self._actions())
        self.story.append(f"{self._clock.now():%d %H:%M:%S} {name}")
        try:
            found = await act()
        except ServiceError as error:
            self.refused[type(error).__name__] += 1
            self.story[-1] += f" -> {type(error).__name__}"
            found: object = getattr(error, "game", None)
        else:
            self.done[name] += 1
        if isinstance(found, DuelGame):
            self.story[-1] += f" {found.id} {found.mode.value} {found.ending or found.state}"
        for game in cast("list[object]", found if isinstance(found, list) else [found]):
            self._check_game(game.game if isinstance(game, Notebook) else game)
        self._check_tables()

    def _actions(self) -> list[tuple[str, Callable[[], Awaitable[object]]]]:
        duels = self._services.duels
        who = self._rng.choice((ANN, BEN, ANN, BEN, CAT))
        ids = [i for (i,) in sql(self._folder, "SELECT id FROM duels ORDER BY id")]
        duel = self._rng.choice([*ids[-4:] * 2, *ids[-2:] * 8, 99])
        play, inviting = duels.playing, duels.inviting
        text = self._text(duel)
        found: list[tuple[str, Callable[[], Awaitable[object]]]] = [
            *[("expected", lambda: self._expected(duel, text))] * (60 if ids else 0),
            ("guess", lambda: play.guess(who, duel, text)),
            ("secret", lambda: play.set_secret(who, duel, text)),
            ("start", lambda: play.start(who, duel)),
            ("accept", lambda: inviting.accept(who, duel)),
            *[("challenge", lambda: inviting.challenge(*self._challenge(who)))] * 4,
            ("decline", lambda: inviting.decline(who, duel)),
            ("withdraw", lambda: inviting.withdraw(who, duel)),
            ("rematch", lambda: inviting.rematch(who, duel)),
            ("offer", lambda: play.offer_draw(who, duel)),
            ("agree", lambda: play.accept_draw(who, duel)),
            ("disagree", lambda: play.decline_draw(who, duel)),
            ("resign", lambda: play.resign(who, duel)),
            ("view", lambda: play.view(who, duel)),
            ("notebook", lambda: duels.games.notebook(who, duel)),
            ("list", lambda: duels.games.open_of(who)),
            ("sweep", duels.games.sweep),
            ("beat", self._services.heartbeat.beat),
            ("restart", self.restart),
        ]
        return found

    async def _expected(self, duel: int, text: str) -> object:
        """What a duel waits for."""
        play = self._services.duels.playing
        game = await play.view(CAT, duel)
        awaited = game.seats if game.to_move is None else [game.seats[game.to_move]]
        seat = self._rng.choice([seat for seat in awaited if seat.player_id])
        if game.state is State.INVITED:
            return await self._services.duels.inviting.accept(game.opponent_id or 0, duel)
        if game.state is State.SETTING:
            return await play.set_secret(seat.player_id or 0, duel, text)
        if game.mode is Mode.RACE and seat.started_at is None:
            return await play.start(seat.player_id or 0, duel)
        if game.state is State.PLAYING:
            after = await play.guess(seat.player_id or 0, duel, text)
            self.done["guess"] += 1
            return after
        return await self._services.duels.inviting.rematch(ANN, duel)

    def _challenge(self, who: int) -> tuple[Challenge, Options]:
        options = Options(
            digits=3,
            repeats=self._rng.random() < 0.5,
            mode=self._rng.choice([*Mode]),
            pace=self._rng.choice([*Pace]),
            strength=self._rng.choice((Strength.CASUAL, Strength.SHARP)),
        )
        return Challenge(who, self._rng.choice((ANN, BEN, BEN, None))), options

    def _text(self, duel: int) -> str:
        """A guess that is right, or may be, or is none."""
        rows = sql(self._folder, f"SELECT secret FROM duel_seats WHERE duel_id = {duel}")  # noqa: S608
        right = [secret for (secret,) in rows if secret]
        code = "".join(self._rng.sample("0123456789", 3))
        return self._rng.choice([*right, *[code] * 12, "12x"])

    def _check_game(self, game: object) -> None:
        if not isinstance(game, DuelGame):
            return
        is_over = game.state is State.OVER
        assert is_over == (game.ending is not None) == (game.finished_at is not None)
        assert is_over == (game.deadline_at is None)
        assert is_over or [seat.target for seat in game.seats] == [None, None]
        assert is_over or game.winner is None
        first, second = (seat.guesses for seat in game.seats)
        if game.mode is Mode.RACE:
            assert is_over or [seat.turns for seat in game.seats] == [(), ()]
        else:
            assert first - second in {0, 1}
            assert game.to_move in {None, first - second}
        changed = [seat.change is not None for seat in game.seats]
        assert changed == [is_over and game.rated and game.ending in PLAYED] * 2
        if is_over:
            end = (game.ending, game.winner, game.finished_at, first, second, *changed)
            assert self._ended.setdefault(game.id, end) == end

    def _check_tables(self) -> None:
        played = ", ".join(f"'{ending}'" for ending in PLAYED)
        rated = f"SELECT id FROM duels WHERE rated AND ending IN ({played}) ORDER BY id"  # noqa: S608
        moved = "SELECT duel_id FROM rating_changes GROUP BY duel_id HAVING count(*) = 2"
        assert sql(self._folder, rated) == sql(self._folder, f"{moved} ORDER BY duel_id")
        games = "SELECT player_id, count(*) FROM rating_changes GROUP BY player_id"
        assert sql(self._folder, games) == sql(
            self._folder, "SELECT player_id, games FROM ratings ORDER BY player_id"
        )
        turns = "SELECT seat FROM duel_moves JOIN duels ON id = duel_id AND mode <> 'race'"
        assert sql(self._folder, f"{turns} WHERE seat <> number % 2") == []
        assert sql(self._folder, "SELECT 1 FROM duels WHERE rated AND strength NOT NULL") == []

    async def let_everything_end(self) -> None:
        """Nobody does anything any more; a minute of life now and then, and sweeps."""
        for _ in range(8):
            self._clock.advance(hours=25)
            await self._services.heartbeat.beat()  # a day of absence, which is given back
            self._clock.advance(seconds=80)
            await self._services.duels.games.sweep()
        await self._beats(hours=25)
        for _ in range(3):
            for game in await self._services.duels.games.sweep():
                self._check_game(game)
        self._check_tables()
        assert sql(self._folder, "SELECT id FROM duels WHERE finished_at IS NULL") == []

    async def _beats(self, hours: int) -> None:
        """Life without a gap, noted as if a beat had come every minute."""
        self._clock.advance(hours=hours)
        now = self._clock.now().isoformat()
        sql(self._folder, f"UPDATE facts SET value = '{now}' WHERE name = 'last_beat'")  # noqa: S608


@pytest.mark.parametrize("seed", range(2))
async def test_duels_stay_whole(
    database_url: str, tmp_path: Path, clock: FakeClock, seed: int
) -> None:
    driver = Driver(database_url, tmp_path, clock, seed)
    await driver.restart()
    try:
        for _ in range(STEPS):
            await driver.step()
        await driver.let_everything_end()
    except BaseException as error:
        error.add_note("\n".join(driver.story))
        raise
    finally:
        await driver.close()
    assert driver.done["guess"]
    assert driver.refused
