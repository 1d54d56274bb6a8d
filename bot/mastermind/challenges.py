"""A member sets a code for another one, and all use cases."""

from dataclasses import dataclass
from typing import Self

from bot.clock import Clock
from bot.db.database import Database
from bot.mastermind import store
from bot.mastermind.bot_games import Defence, Watch
from bot.mastermind.game import (
    Games,
    MastermindTransaction,
    MastermindTransactions,
    Setting,
    parse_code,
    require_seen,
)
from bot.mastermind.model import (
    AlreadyAcceptedError,
    AlreadyInvitedError,
    BotChallengeError,
    Ending,
    GameFinishedError,
    InvitationView,
    Kind,
    MastermindGame,
    NewMastermind,
    NotAcceptedError,
    NotInvitedError,
    NotWithdrawableError,
    NotYourGameError,
    SelfChallengeError,
    Stage,
)
from bot.mastermind.playing import Guessing, Solo
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.people.game import is_called, require_patience, require_wanted
from bot.pool.pool import Pool
from engine import Code


@dataclass(frozen=True, slots=True)
class Invitation:
    """Who challenges whom, and where.

    Attributes:
        challenger_id: the Discord user who sets the code.
        challenged_id: the one who is to break it.
        guild_id: the Discord server.
        channel_id: where the board will be.
        to_bot: whether the challenged one is a bot.
    """

    challenger_id: int
    challenged_id: int
    guild_id: int
    channel_id: int
    to_bot: bool = False

    @property
    def player_ids(self) -> tuple[int, int]:
        """Both players."""
        return self.challenger_id, self.challenged_id


class Challenges(Guessing):
    """Use cases of `challenge`; only the challenged player guesses."""

    def __init__(self, transactions: MastermindTransactions) -> None:
        super().__init__(transactions, Kind.CHALLENGE)

    async def prepare(self, invitation: Invitation, setting: Setting) -> None:
        """Refuse what `invite` would, before a code is asked for.

        Raises:
            SelfChallengeError, BotChallengeError: nobody to challenge.
            WrongSettingError, PegsBeyondColoursError: there is no such setting.
            AlreadyInvitedError: the challenged has not answered the last one yet.
            NotWantedError, AskedTooSoonError, AskedTooOftenError: the other is not to be asked.
            TooManyGamesError: the challenger has too many open.
            EnoughGamesError: there may be no new one today.
        """
        _check(invitation)
        setting.rules()

        def body(work: MastermindTransaction) -> None:
            _require_welcome(work, invitation)
            work.require_room(invitation.challenger_id)
            work.require_more(invitation.challenger_id)

        await self._transactions.begin(body, *invitation.player_ids)

    async def invite(self, invitation: Invitation, setting: Setting, code: str) -> InvitationView:
        """Challenge a member with a code.

        Args:
            invitation: who, whom, and where.
            setting: what is to be played.
            code: what the challenger typed as the code.

        Raises:
            As `prepare`.
            CodeRefusedError: the text is no code.
        """
        _check(invitation)
        rules = setting.rules()
        new = NewMastermind(
            Kind.CHALLENGE,
            rules,
            invitation.challenger_id,
            invitation.challenged_id,
            parse_code(rules, code),
            invitation.guild_id,
            invitation.channel_id,
        )

        def body(work: MastermindTransaction) -> InvitationView:
            _require_welcome(work, invitation)
            calls = is_called(work.tx, *invitation.player_ids, work.now)
            return _faced(work, work.open(new, reuse=False), calls=calls)

        return await self._transactions.begin(body, *invitation.player_ids)

    async def take_back(self, game_id: int) -> None:
        """Undo a challenge that could not be posted, so that it was never made."""
        await self._transactions.write(
            lambda work: people_store.drop_unseen_mastermind(work.tx, game_id), game_id
        )

    async def look(self, player_id: int, game_id: int) -> InvitationView:
        """The game as it stands, for either of its players.

        Raises:
            NoSuchGameError, NotYourGameError: the player is neither.
        """

        def read(work: MastermindTransaction) -> InvitationView:
            game = work.find(game_id, Kind.CHALLENGE)
            if player_id == game.owner_id:
                game = work.game(game_id, Kind.CHALLENGE)
            else:
                game = self._game(work, player_id, game_id)
            return _faced(work, game)

        return await self._transactions.read(read)

    async def see(self, player_id: int, game_id: int, guild_id: int | None) -> MastermindGame:
        """The game as it stands, for its players and for the server that watches it.

        Args:
            player_id: who asks.
            game_id: the game.
            guild_id: the server in which they do; None in private.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's, nor played here.
        """

        def read(work: MastermindTransaction) -> MastermindGame:
            game = work.find(game_id, Kind.CHALLENGE)
            require_seen(game, player_id, guild_id)
            return game

        return await self._transactions.read(read)

    async def own_code(self, player_id: int, game_id: int) -> Code | None:
        """The code that a player has set, for that player alone; None for anybody else.

        Raises:
            NoSuchGameError: there is no such challenge.
        """
        game = await self._transactions.read(lambda work: work.find(game_id, Kind.CHALLENGE))
        return game.hidden_code if player_id == game.owner_id else None

    async def published(self, seen: MastermindGame, message_id: int) -> int | None:
        """Note that a new message is the board.

        Args:
            seen: the game as the message shows it.
            message_id: the message.

        Returns:
            The message that was the board until now, which is to be deleted, if there was one.

        Raises:
            NoSuchGameError: there is no such challenge.
        """

        def body(work: MastermindTransaction) -> int | None:
            # It is left to the sweep to end it, which shows so on the message.
            game = work.find(seen.id, Kind.CHALLENGE)
            store.set_message(work.tx, game.id, message_id, shown=seen.revision)
            return game.message_id

        return await self._transactions.write(body, seen.id)

    async def shown(self, seen: MastermindGame, message_id: int) -> MastermindGame:
        """Note what a message shows, if it is the board; a game without a board takes it as one.

        Args:
            seen: the game as the message shows it.
            message_id: the message.

        Returns:
            The game as it stands; its `message_id` may be another one.

        Raises:
            NoSuchGameError: there is no such challenge.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = work.find(seen.id, Kind.CHALLENGE)
            if game.message_id in (None, message_id):
                # Even if a later revision was noted before: edits that overtake each other
                # leave the one that was accepted last.
                store.set_message(work.tx, game.id, message_id, shown=seen.revision)
                game = work.find(seen.id, Kind.CHALLENGE)
            return game

        return await self._transactions.write(body, seen.id)

    async def lost(self, seen: MastermindGame, message_id: int) -> MastermindGame:
        """Note that a message is gone, or out of the bot's reach: no edit of it is tried again.

        Returns:
            The game as it stands; it has no `message_id` unless another message is its board.

        Raises:
            NoSuchGameError: there is no such challenge.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            store.forget_message(work.tx, seen.id, message_id)
            return work.find(seen.id, Kind.CHALLENGE)

        return await self._transactions.write(body, seen.id)

    async def accept(self, player_id: int, game_id: int) -> MastermindGame:
        """Take the challenge; one that was taken goes on as it is.

        Raises:
            NoSuchGameError, NotInvitedError: it is not this player's to take.
            GameFinishedError: it is over.
            TooManyGamesError: the player has too many games open.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._invited(work, player_id, game_id)
            if game.stage is Stage.OVER:
                raise GameFinishedError(game=game)
            if game.stage is Stage.INVITED:
                work.require_room(player_id)
                store.accept(work.tx, game.id, accepted_at=work.now)
                game = work.move(game)
            return game

        return await self._transactions.write(body, game_id, player_id)

    async def decline(self, player_id: int, game_id: int) -> MastermindGame:
        """Do not take the challenge.

        Raises:
            NoSuchGameError, NotInvitedError: it is not this player's to decline.
            AlreadyAcceptedError: it was accepted.
            GameFinishedError: it is over, other than by being declined.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._invited(work, player_id, game_id)
            return _call_off(work, game, Ending.DECLINED)

        return await self._transactions.write(body, game_id, player_id)

    async def withdraw(self, player_id: int, game_id: int) -> MastermindGame:
        """Take one's challenge back.

        Raises:
            NoSuchGameError, NotYourGameError, NotWithdrawableError: it is not this player's to
                take back.
            AlreadyAcceptedError: it was accepted.
            GameFinishedError: it is over, other than by being withdrawn.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._own(work, player_id, game_id)
            return _call_off(work, game, Ending.WITHDRAWN)

        return await self._transactions.write(body, game_id, player_id)

    async def resign(self, player_id: int, game_id: int) -> MastermindGame:
        """Give up as the challenged player.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's to give up.
            NotAcceptedError: it has not begun.
            GameFinishedError: it is over, other than by resignation.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._game(work, player_id, game_id)
            if game.stage is Stage.INVITED:
                raise NotAcceptedError(game=game)
            return _end(work, game, Ending.RESIGNED)

        return await self._transactions.write(body, game_id, player_id)

    def _invited(self, work: MastermindTransaction, player_id: int, game_id: int) -> MastermindGame:
        try:
            return self._game(work, player_id, game_id)
        except NotYourGameError as error:
            game = work.find(game_id, Kind.CHALLENGE)
            is_challenger = player_id == game.owner_id
            raise NotInvitedError(
                player_id=error.player_id, guild_id=error.guild_id, is_challenger=is_challenger
            ) from error

    def _own(self, work: MastermindTransaction, player_id: int, game_id: int) -> MastermindGame:
        try:
            return work.owners_game(player_id, game_id, Kind.CHALLENGE)
        except NotYourGameError as error:
            game = work.find(game_id, Kind.CHALLENGE)
            if player_id == game.codebreaker_id:
                raise NotWithdrawableError(player_id=error.player_id) from error
            raise


def _faced(
    work: MastermindTransaction, game: MastermindGame, *, calls: bool = True
) -> InvitationView:
    """A challenge with its challenger's face, while it is an invitation."""
    is_invitation = game.stage is Stage.INVITED
    face = people_store.face(work.tx, game.owner_id) if is_invitation else None
    return InvitationView(game, face, calls)


def _require_welcome(work: MastermindTransaction, invitation: Invitation) -> None:
    """Make sure that a player may challenge another."""
    challenger_id, challenged_id = invitation.challenger_id, invitation.challenged_id
    require_wanted(work.tx, challenger_id, challenged_id)
    _require_answered(work, invitation)
    require_patience(work.tx, challenger_id, challenged_id, work.now)


def _require_answered(work: MastermindTransaction, invitation: Invitation) -> None:
    for game in store.open_of(work.tx, invitation.challenger_id, work.now):
        is_same = (game.owner_id, game.codebreaker_id) == invitation.player_ids
        if is_same and game.stage is Stage.INVITED:
            raise AlreadyInvitedError(game=game)


def _check(invitation: Invitation) -> None:
    if invitation.challenged_id == invitation.challenger_id:
        raise SelfChallengeError
    if invitation.to_bot:
        raise BotChallengeError


def _call_off(work: MastermindTransaction, game: MastermindGame, ending: Ending) -> MastermindGame:
    if game.stage is Stage.PLAYING:
        raise AlreadyAcceptedError(game=game)
    return _end(work, game, ending)


def _end(work: MastermindTransaction, game: MastermindGame, ending: Ending) -> MastermindGame:
    """End a game so; one that did is left alone, so that a second click does no harm."""
    if game.ending is ending:
        return game
    if game.stage is Stage.OVER:
        raise GameFinishedError(game=game)
    return work.move(game, ending=ending)


@dataclass(frozen=True, slots=True)
class MastermindServices:
    """Mastermind of all kinds.

    Attributes:
        solo: a player breaks the bot's code.
        defence: the bot breaks a player's.
        challenges: a player breaks another's, in public.
        watch: the bot breaks its own.
        games: what is open, over, and came of it.
    """

    solo: Solo
    defence: Defence
    challenges: Challenges
    watch: Watch
    games: Games

    @classmethod
    def on(cls, database: Database, clock: Clock, pool: Pool, shards: ShardRange = ALL) -> Self:
        """The use cases on a database; what is due is that of servers of these shards."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions, pool),
            Challenges(transactions),
            Watch(transactions, pool),
            Games(transactions, shards),
        )
