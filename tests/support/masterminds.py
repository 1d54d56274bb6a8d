"""What tests of Mastermind need: codes, who plays, and a look at the secret."""

from pathlib import Path

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import MastermindGame, Question
from bot.services import Services
from engine import Code, Mastermind
from tests.support.sql import sql

ANN, BEN, CAT = 11, 22, 33
GUILD, CHANNEL = 44, 55
STANDARD = Setting()
SMALL = Setting(pegs=3, colours=4)


def secret_of(folder: Path, game_id: int) -> Code:
    """What only the database knows."""
    return Code(dict(sql(folder, "SELECT id, secret FROM masterminds"))[game_id])


def wrong_codes(rules: Mastermind, secret: str) -> list[Code]:
    """Codes that are not the secret, enough for a game."""
    codes = (code for code in rules.codes() if code != secret)
    return [code for code, _ in zip(codes, range(rules.max_guesses), strict=False)]


def asked(game: MastermindGame) -> Question:
    """What the player of an unsealed defence is asked."""
    assert game.question is not None
    return game.question


def answered(game: MastermindGame, turn: int) -> Question:
    """A guess that was answered."""
    return Question(turn, game.turns[turn].guess)


async def invite(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> MastermindGame:
    """A challenge at the standard setting."""
    return await services.mastermind.challenges.invite(
        Invitation(by, to, GUILD, CHANNEL), STANDARD, code
    )


async def challenge(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> MastermindGame:
    """A challenge that was accepted."""
    game = await invite(services, code, by, to)
    return await services.mastermind.challenges.accept(to, game.id)
