"""How a duel is opened: who plays whom, what it is to be, and the challenger's number."""

from dataclasses import dataclass, replace

from bot.duels.game.options import Options
from bot.duels.game.position import Position
from bot.duels.game.transactions import DuelTransaction
from bot.duels.model.duel import DuelGame, Pace
from bot.duels.model.errors import NumberRefusedError, OtherBotDuelError, SelfDuelError
from bot.duels.model.transitions import State
from bot.duels.store import duels
from bot.duels.store.duels import NewDuel
from bot.games.game import free_games
from bot.games.game.seals import new_salt
from bot.people.game.invitations import is_called, require_patience, require_wanted
from engine import BullsAndCows, Code, NotationError


@dataclass(frozen=True, slots=True)
class Challenge:
    """Who challenges whom, and where.

    Attributes:
        challenger_id: the Discord user who asks for a duel.
        opponent_id: the one who is asked; None for this bot.
        guild_id: the Discord server; None in private.
        channel_id: where the board will be.
        to_other_bot: whether the opponent is a bot other than this one.
    """

    challenger_id: int
    opponent_id: int | None
    guild_id: int | None = None
    channel_id: int | None = None
    to_other_bot: bool = False

    @property
    def player_ids(self) -> list[int]:
        """The players of the duel."""
        return [player for player in (self.challenger_id, self.opponent_id) if player is not None]


def require_somebody(challenge: Challenge) -> None:
    """Make sure that there is somebody to play with.

    Raises:
        SelfDuelError, OtherBotDuelError: there is nobody.
    """
    if challenge.opponent_id == challenge.challenger_id:
        raise SelfDuelError
    if challenge.to_other_bot:
        raise OtherBotDuelError


def new_duel(challenge: Challenge, options: Options) -> NewDuel:
    """What a duel is opened with.

    Raises:
        SelfDuelError, OtherBotDuelError, WrongDigitsError, CannotBeRatedError: there is none such.
    """
    require_somebody(challenge)
    against_bot = challenge.opponent_id is None
    return NewDuel(
        rules=options.rules().encode(),
        mode=options.mode.value,
        pace=Pace.RELAXED,
        rated=options.is_rated(against_bot=against_bot),
        strength=options.strength if against_bot else None,
        challenger_id=challenge.challenger_id,
        guild_id=challenge.guild_id,
        channel_id=challenge.channel_id,
        terms=None if against_bot else 0,
    )


def drawn_order(
    work: DuelTransaction, challenger_id: int, opponent_id: int | None
) -> tuple[int | None, int | None]:
    """The players in the order in which they move."""
    if work.dice.randrange(2):
        return opponent_id, challenger_id
    return challenger_id, opponent_id


async def open_duel(
    work: DuelTransaction,
    new: NewDuel,
    players: tuple[int | None, int | None],
    text: str,
    *,
    is_rematch: bool = False,
) -> Position:
    """Open a duel: with the bot it is accepted at once, else the challenger's number is set.

    Raises:
        NumberRefusedError: the text is no number.
        NotWantedError, AskedTooSoonError, AskedTooOftenError, TooManyDuelsError,
        TooManyDuelsOfPairError, EnoughGamesError: there can be none now.
    """
    (opponent_id,) = [player for player in players if player != new.challenger_id]
    await require_welcome(work, new.challenger_id, opponent_id, is_rematch=is_rematch)
    # Before anything is written, since that stays where something is refused.
    number = None if opponent_id is None else number_in(text, BullsAndCows.decode(new.rules))
    if not new.rated:
        await free_games.begin(work.tx, new.challenger_id, work.now)
    duel_id = await duels.add(
        work.tx,
        new,
        players,
        state=State.INVITED,
        opened_at=work.now,
        deadline_at=work.now + Pace(new.pace).invitation,
    )
    position = await work.position(duel_id)
    if number is None:
        return await work.accept(position, Pace.RELAXED)
    seat = players.index(new.challenger_id)
    return await work.touch(position.changed_seat(seat, secret=number, salt=new_salt()))


def number_in(text: str, rules: BullsAndCows) -> Code:
    """What somebody has typed as the number that another is to find.

    Raises:
        NumberRefusedError: it is none.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise NumberRefusedError(rules=rules, text=text, cause=error) from error


async def require_welcome(
    work: DuelTransaction,
    challenger_id: int,
    opponent_id: int | None,
    *,
    is_rematch: bool = False,
) -> None:
    """Make sure that a player may challenge another, or the bot."""
    if opponent_id is None:
        await work.require_room(challenger_id)
        return
    await require_wanted(work.tx, challenger_id, opponent_id)
    await work.require_room(challenger_id, opponent_id)
    players = challenger_id, opponent_id
    await require_patience(work.tx, *players, work.now, is_rematch=is_rematch)


async def as_invitation(work: DuelTransaction, position: Position) -> DuelGame:
    """A duel for who has made it, who is told whether its invitation may call."""
    game = await work.game(position)
    if game.opponent_id is None:
        return game
    calls = await is_called(
        work.tx,
        game.challenger_id or 0,
        game.opponent_id,
        work.now,
        besides=game.id,
        is_rematch=game.is_rematch,
    )
    return replace(game, calls=calls)
