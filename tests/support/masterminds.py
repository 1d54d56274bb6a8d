"""What tests of Mastermind need: codes, who plays, and a look at the secret."""

from pathlib import Path

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import InvitationView, MastermindGame, Question, SolverView
from bot.services import Services
from engine import Code, Mastermind, Score
from tests.support.sql import sql

ANN, BEN, CAT = 11, 22, 33
GUILD, CHANNEL = 44, 55
STANDARD = Setting()
SMALL = Setting(pegs=3, colours=4)


def secret_of(folder: Path, game_id: int) -> Code:
    """What only the database knows."""
    return dict(sql(folder, "SELECT id, secret FROM masterminds"))[game_id]


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


async def answer(services: Services, view: SolverView, score: Score) -> SolverView:
    """Answer the bot's guess: blacks, and whites where they are asked for."""
    defence, turn = services.mastermind.defence, len(view.game.turns)
    view = await defence.answer(view.game.owner_id, view.game.id, asked(view), score.bulls)
    if len(view.game.turns) == turn:
        assert (view.game.blacks, score.cows in view.game.choices) == (score.bulls, True)
        view = await defence.answer(view.game.owner_id, view.game.id, asked(view), score.cows)
    return view


async def answer_truly(services: Services, view: SolverView, code: str) -> SolverView:
    """Answer the bot's guess with a code in mind."""
    score = view.game.rules.feedback(asked(view).guess, code)
    return await answer(services, view, score)


async def answer_honestly(services: Services, view: SolverView, code: str) -> SolverView:
    """Play to the end with a code in mind."""
    while view.game.ending is None:
        view = await answer_truly(services, view, code)
    return view


def game_of(found: MastermindGame | SolverView | InvitationView) -> MastermindGame:
    """The game that a use case gives, whatever else comes with it."""
    return found if isinstance(found, MastermindGame) else found.game


async def invitation(
    services: Services, code: str = "RGBY", by: int = ANN, to: int = BEN
) -> InvitationView:
    """A challenge at the standard setting, as the one who has made it sees it."""
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
    return await services.mastermind.challenges.accept(to, game.id, STANDARD)
