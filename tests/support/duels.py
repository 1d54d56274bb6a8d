"""What tests of duels need: players, options, and duels at every stage."""

import re
from itertools import islice
from pathlib import Path

from bot.duels.challenges import Challenge
from bot.duels.model import DuelView
from bot.duels.moves import Playing
from bot.duels.position import DuelOptions
from bot.services import Services
from engine import Mode
from tests.support.sql import sql

ANN, BEN, CAT, DAN = 11, 22, 33, 44
GUILD, CHANNEL = 55, 66
SECRETS = {ANN: "0123", BEN: "4567", CAT: "8901", DAN: "2345"}
"""What everybody sets; so each is to find the other's."""


EQUAL = DuelOptions()
CLASSIC = DuelOptions(mode=Mode.CLASSIC)


async def invited(
    services: Services, options: DuelOptions = EQUAL, by: int = ANN, to: int = BEN
) -> DuelView:
    """A challenge, with the number of the one who has made it."""
    challenge = Challenge(by, to, GUILD, CHANNEL)
    return await services.duels.inviting.challenge(challenge, options, number_for(by, options))


def number_for(player: int, options: DuelOptions) -> str:
    """What a player sets, of as many digits as there are."""
    own = SECRETS.get(player, "6789")
    others = "".join(digit for digit in "0123456789" if digit not in own)
    return f"{own}{others}"[: options.digits]


async def accept(services: Services, game: DuelView) -> DuelView:
    """Accept a challenge as it stands."""
    duel, player = game.duel, game.duel.opponent_id or 0
    number = number_for(player, DuelOptions(duel.rules.digits))
    return await services.duels.inviting.accept(player, duel.id, duel.terms, number)


async def playing(
    services: Services, options: DuelOptions = EQUAL, by: int = ANN, to: int = BEN
) -> DuelView:
    """A challenge that was accepted: the duel has begun."""
    return await accept(services, await invited(services, options, by, to))


async def against_bot(
    services: Services, options: DuelOptions = EQUAL, player: int = ANN, secret: str = ""
) -> DuelView:
    """A duel with the bot, begun."""
    game = await services.duels.inviting.challenge(Challenge(player, None), options)
    number = secret or number_for(player, options)
    return await services.duels.playing.set_secret(player, game.duel.id, number)


def ids(game: DuelView) -> tuple[int, int]:
    """The players in the order in which they move."""
    first, second = (seat.player_id for seat in game.seats)
    assert first is not None
    assert second is not None
    return first, second


def wrong(number: int, secret: str = "") -> str:
    """The n-th of many guesses at four digits that are wrong for everybody here."""
    codes = (f"{n:04}" for n in range(9876, 0, -1))
    fair = (c for c in codes if len(set(c)) == 4 and c not in {*SECRETS.values(), secret})
    return next(islice(fair, number, None))


async def rounds(services: Services, game: DuelView, count: int) -> DuelView:
    """A duel in turns after both have guessed wrong so often."""
    for _ in range(2 * count):
        assert game.duel.to_move is not None
        text = wrong(game.seats[game.duel.to_move].guesses)
        game = await services.duels.playing.guess(ids(game)[game.duel.to_move], game.duel.id, text)
    return game


async def win(playing: Playing, game: DuelView, winner: int) -> DuelView:
    """The rest of a duel in turns that this player wins with the next guess."""
    for _ in range(3):
        assert game.duel.to_move is not None
        player = ids(game)[game.duel.to_move]
        other = ids(game)[1 - game.duel.to_move]
        text = SECRETS[other] if player == winner else wrong(game.seats[game.duel.to_move].guesses)
        game = await playing.guess(player, game.duel.id, text)
        if game.duel.ending is not None:
            return game
    raise AssertionError("three guesses decide")


def tells(shown: str, number: str) -> bool:
    """Whether a text has a number that stands by itself: seals have any digits within."""
    return re.search(rf"(?<![0-9a-f]){number}(?![0-9a-f])", shown) is not None


def number_of(folder: Path, game_id: int, seat: int = 0) -> str:
    """What only the database knows: what the other seat is to find."""
    found = sql(folder, f"SELECT secret FROM duel_seats WHERE duel_id={game_id} AND seat={seat}")
    return str(found[0][0])
