"""What tests of Mastermind need: codes, who plays, and a look at the secret."""

from pathlib import Path

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import InvitationView, MastermindGame, Question, SolverView
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


def asked(view: SolverView) -> Question:
    """What the player of an unsealed defence is asked."""
    assert view.game.question is not None
    return view.game.question


def answered(view: SolverView, turn: int) -> Question:
    """A guess that was answered."""
    return Question(turn, view.game.turns[turn].guess)


def game_of(found: MastermindGame | SolverView | InvitationView) -> MastermindGame:
    """The game that a use case gives, whatever else comes with it."""
    return found if isinstance(found, MastermindGame) else found.game


async def invitation(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> InvitationView:
    """A challenge at the standard setting, as who has made it sees it."""
    return await services.mastermind.challenges.invite(
        Invitation(by, to, GUILD, CHANNEL), STANDARD, code
    )


async def invite(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> MastermindGame:
    """A challenge at the standard setting."""
    return (await invitation(services, code, by, to)).game


async def challenge(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> MastermindGame:
    """A challenge that was accepted."""
    game = await invite(services, code, by, to)
    return await services.mastermind.challenges.accept(to, game.id)
