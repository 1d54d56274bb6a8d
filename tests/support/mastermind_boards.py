"""Games of Mastermind made up for looking at boards, without a bot."""

import random
from datetime import timedelta

from bot.games.model import Contradiction
from bot.mastermind.model import Ending, Guess, Kind, MastermindGame, Narrowing, SolverView
from bot.text.pictures.tile_art import peg_names
from bot.text.tiles import Pegs
from engine import Mastermind
from tests.support.plays import NOON

PEGS = Pegs({name: f"<:{name}:{2**63 + n}>" for n, name in enumerate(peg_names())})
"""The whole set, under ids as long as they get."""
LARGEST = Mastermind(pegs=6, colours=10, repeats=True, max_guesses=13)


def a_game(  # noqa: PLR0913 - all that boards tell apart
    kind: Kind,
    rules: Mastermind,
    turns: int,
    *,
    ending: Ending | None = None,
    sealed: bool = False,
    invited: bool = False,
    waiting: Guess | None = None,
    pending: str = "",
) -> MastermindGame:
    """A game that has gone on for some turns, with drawn codes; perhaps the bot's guess waits."""
    rng = random.Random(f"{rules} {turns}")
    secret, *guesses = (rules.draw(rng) for _ in range(turns + 1))
    answered = tuple(Guess(guess, *rules.feedback(guess, secret)) for guess in guesses)
    is_known = sealed or kind is not Kind.DEFEND
    return MastermindGame(
        id=2**31,
        kind=kind,
        rules=rules,
        hidden_code=secret if is_known else None,
        salt="f" * 32,
        owner_id=2**63,
        codebreaker_id=2**63 + 1 if kind is Kind.CHALLENGE else None,
        guild_id=1,
        channel_id=2,
        message_id=3,
        revision=0,
        shown=0,
        pending=pending,
        opened_at=NOON,
        moved_at=NOON,
        deadline_at=NOON + timedelta(days=1),
        accepted_at=None if invited else NOON,
        finished_at=None if ending is None else NOON,
        ending=ending,
        ranked=True,
        guesses=(*answered, waiting) if waiting and ending is None else answered,
    )


def as_the_bot_plays(
    game: MastermindGame, contradiction: Contradiction | None = None
) -> SolverView:
    """A game in which the bot breaks the code, with as much to say as there can be."""
    steps = tuple(Narrowing(turn, 1000000, 1000000) for turn in game.turns)
    return SolverView(game, 1000000, contradiction, steps)
