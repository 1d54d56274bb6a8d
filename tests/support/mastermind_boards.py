"""Games of Mastermind made up for looking at boards, without a bot."""

import random
from datetime import timedelta
from typing import Any

from bot.games.seals import commitment
from bot.mastermind.model import Ending, Kind, MastermindGame, Stage
from bot.text.pictures.tiles import peg_names
from bot.text.tiles import Pegs
from engine import Code, Mastermind, Turn
from tests.support.plays import NOON

PEGS = Pegs({name: f"<:{name}:{2**63 + n}>" for n, name in enumerate(peg_names())})
"""The whole set, under ids as long as they get."""
LARGEST = Mastermind(10, 6, repeats=True, max_guesses=13)


def a_game(kind: Kind, rules: Mastermind, turns: int, **fields: Any) -> MastermindGame:
    """A game that has gone on for some turns, with drawn codes."""
    rng = random.Random(f"{rules} {turns}")
    secret, *guesses = (rules.draw(rng) for _ in range(turns + 1))
    made = tuple(Turn(Code(g), rules.feedback(g, secret)) for g in guesses)
    ending = fields.get("ending")
    values: dict[str, Any] = {
        "id": 2**31,
        "kind": kind,
        "rules": rules,
        "owner_id": 2**63,
        "codebreaker_id": 2**63 + 1 if kind is Kind.CHALLENGE else None,
        "turns": made,
        "pending": "",
        "stage": Stage.OVER if isinstance(ending, Ending) else Stage.PLAYING,
        "ending": None,
        "secret": secret if ending else None,
        "sealed": False,
        "guess": None,
        "blacks": None,
        "guild_id": 1,
        "channel_id": 2,
        "message_id": 3,
        "opened_at": NOON,
        "deadline_at": NOON + timedelta(days=1),
        "commitment": commitment(f"mastermind {2**31}", secret, "f" * 32, is_open=bool(ending)),
    }
    return MastermindGame(**(values | fields))
