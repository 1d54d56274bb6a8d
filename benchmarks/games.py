"""Made-up games of Mastermind and duels."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Table

from bot.storage import schema
from engine import BullsAndCows, Mastermind

Add = Callable[[Table, Mapping[str, Any]], Awaitable[None]]

MASTERMINDS_EACH: Final = 8
DUELS_EACH: Final = 5
"""How many each player begins; they have twice as many."""

_RULES: Final = Mastermind()
_DUEL_RULES: Final = BullsAndCows()
_SOLVED: Final = 0.95
_SUREST: Final = 20.0


async def add_masterminds(
    add: Add, rng: random.Random, players: Sequence[int], last: datetime
) -> None:
    """Games at the standard setting for each of these players, up to an instant."""
    codes = list(dict.fromkeys(_RULES.draw(rng) for _ in range(100)))
    for game in range(len(players) * MASTERMINDS_EACH):
        at = last - timedelta(minutes=rng.randrange(60 * 24 * 60))
        player = players[game % len(players)]
        row = {
            "id": game + 1,
            "kind": "play",
            "rules": _RULES.encode(),
            "secret": codes[0],
            "owner_id": player,
            "codebreaker_id": player,
            "pending": "",
            "opened_at": at,
            "moved_at": at,
            "deadline_at": at + timedelta(days=7),
            "finished_at": at,
            "ending": "solved" if rng.random() < _SOLVED else "surrendered",
        }
        await add(schema.masterminds, row)
        first = rng.randrange(50)
        for turn, code in enumerate(codes[first : first + rng.randint(2, 8)]):
            turned = {"game_id": game + 1, "turn": turn, "code": code, "guessed_at": at}
            await add(schema.mastermind_turns, turned)


async def add_duels(add: Add, rng: random.Random, players: Sequence[int], last: datetime) -> None:
    """Rated duels of each of these players with the next ones, up to an instant."""
    ratings: dict[int, tuple[float, float, int]] = {}
    count = len(players) * DUELS_EACH
    for duel in range(count):
        at = last - timedelta(minutes=count - duel)
        first = players[duel % len(players)]
        second = players[(duel + 1 + duel // len(players) % (len(players) - 1)) % len(players)]
        await _add_duel(add, duel + 1, (first, second), at)
        change = rng.gauss(0, 15)
        for player, other, by in ((first, second, change), (second, first, -change)):
            mu, sigma, games = ratings.get(player, (1500.0, 55.0, 0))
            ratings[player] = mu + by, max(sigma * 0.98, _SUREST), games + 1
            row = {
                "duel_id": duel + 1,
                "player_id": player,
                "opponent_id": other,
                "mu_before": mu,
                "sigma_before": sigma,
                "mu_after": ratings[player][0],
                "sigma_after": ratings[player][1],
                "mean_before": mu,
                "deviation_before": sigma,
                "mean_after": ratings[player][0],
                "deviation_after": ratings[player][1],
                "games": games + 1,
                "share": 1,
                "changed_at": at,
            }
            await add(schema.rating_changes, row)
    for player, (mu, sigma, games) in ratings.items():
        row = {"player_id": player, "mu": mu, "sigma": sigma, "games": games, "changed_at": last}
        row |= {"proven_mu": mu, "proven_sigma": sigma, "dates": games}
        await add(schema.ratings, row)


async def _add_duel(add: Add, duel: int, players: tuple[int, int], at: datetime) -> None:
    row = {
        "id": duel,
        "rules": _DUEL_RULES.encode(),
        "mode": "equal",
        "pace": "live",
        "rated": True,
        "challenger_id": players[0],
        "state": "over",
        "opened_at": at,
        "moved_at": at,
        "deadline_at": at,
        "finished_at": at,
        "ending": "solved",
        "winner": duel % 2,
    }
    await add(schema.duels, row)
    for seat, player in enumerate(players):
        await add(schema.duel_seats, {"duel_id": duel, "seat": seat, "player_id": player})
