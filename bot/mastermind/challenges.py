"""Use cases of challenges: a member sets a code for another. Deadlines are set in `game`."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.games import game as games_game
from bot.games.model import new_salt
from bot.mastermind import store
from bot.mastermind.game import (
    MastermindTransaction,
    MastermindTransactions,
    Setting,
    parse_code,
    require_seen,
    secret_of,
)
from bot.mastermind.model import (
    AlreadyAcceptedError,
    AlreadyInvitedError,
    BotChallengeError,
    ChallengeChangedError,
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
from bot.mastermind.playing import Guessing
from bot.people import store as people_store
from bot.people.game import require_may_post
from engine import Code

_ABSENT: Final = timedelta(minutes=10)
_GIVEN_UP_AFTER: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge that is to be made.

    Attributes:
        challenger_id: the Discord user who sets the code.
        challenged_id: the Discord user who is to break it.
        to_bot: whether that user is a bot.
    """

    challenger_id: int
    challenged_id: int
    guild_id: int
    channel_id: int
    to_bot: bool = False

    @property
    def player_ids(self) -> tuple[int, int]:
        return self.challenger_id, self.challenged_id


class Challenges(Guessing):
    def __init__(self, transactions: MastermindTransactions) -> None:
        super().__init__(transactions, Kind.CHALLENGE)

    async def prepare(self, invitation: Invitation) -> Setting:
        """Refuse what `invite` would refuse, before the challenger types a code.

        Returns:
            The setting of the challenger's last challenge.
        """
        _check(invitation)

        def body(work: MastermindTransaction) -> Setting:
            _require_welcome(work, invitation)
            work.require_room(invitation.challenger_id)
            games_game.require_more(work.tx, invitation.challenger_id, work.now)
            return work.last_setting(invitation.challenger_id, Kind.CHALLENGE)

        return await self._transactions.begin(body, *invitation.player_ids)

    async def invite(self, invitation: Invitation, setting: Setting, code: str) -> InvitationView:
        """Challenge a member with a typed code.

        Raises:
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
            game = work.open(new, reuse=False)
            people_store.add_post(work.tx, invitation.challenger_id, invitation.guild_id, work.now)
            return _faced(work, game)

        return await self._transactions.begin(body, *invitation.player_ids)

    async def setting(self, player_id: int, game_id: int) -> Setting:
        """The setting of the player's challenge, if it may be changed."""
        game = await self._transactions.read(
            lambda work: work.changeable_game(player_id, game_id, Kind.CHALLENGE)
        )
        return Setting.of(game.rules)

    async def change(
        self, player_id: int, game_id: int, setting: Setting, code: str
    ) -> MastermindGame:
        """Change a challenge that waits for an answer; without a code, its code stays.

        Raises:
            HasBegunError: it was accepted.
            CodeRefusedError: the text is no code at this setting, or the present code is none.
        """
        rules = setting.rules()

        def body(work: MastermindTransaction) -> MastermindGame:
            game = work.changeable_game(player_id, game_id, Kind.CHALLENGE)
            secret = parse_code(rules, code or secret_of(game))
            if (game.rules, game.hidden_code) == (rules, secret):
                return game
            store.change(work.tx, game.id, rules=rules.encode(), secret=secret, salt=new_salt())
            return work.touch(game, pending="")

        return await self._transactions.write(body, game_id, player_id)

    async def take_back(self, game_id: int) -> None:
        await self._transactions.write(
            lambda work: people_store.drop_unseen(work.tx, "mastermind", game_id), game_id
        )

    async def look(self, player_id: int, game_id: int) -> InvitationView:
        def read(work: MastermindTransaction) -> InvitationView:
            game = work.find(game_id, Kind.CHALLENGE)
            if player_id == game.owner_id:
                game = work.game(game_id, Kind.CHALLENGE)
            else:
                game = self._game(work, player_id, game_id)
            return _faced(work, game)

        return await self._transactions.read(read)

    async def see(self, player_id: int, game_id: int, guild_id: int | None) -> MastermindGame:
        """Return a challenge to its players and to members of its server; refuse anybody else.

        `guild_id` is the server in which the player asks; None in private.
        """

        def read(work: MastermindTransaction) -> MastermindGame:
            game = work.find(game_id, Kind.CHALLENGE)
            require_seen(game, player_id, guild_id)
            return game

        return await self._transactions.read(read)

    async def own_code(self, player_id: int, game_id: int) -> Code | None:
        """The code of a challenge, if the player has set it; else None."""
        game = await self._transactions.read(lambda work: work.find(game_id, Kind.CHALLENGE))
        return game.hidden_code if player_id == game.owner_id else None

    async def published(self, seen: MastermindGame, message_id: int) -> int | None:
        """Note a new message as the board; return the id of the old one, to be deleted, or None."""

        def body(work: MastermindTransaction) -> int | None:
            # `find` does not end a late game. The sweep does, and then edits the message.
            game = work.find(seen.id, Kind.CHALLENGE)
            store.set_message(work.tx, game.id, message_id, shown=seen.revision)
            # A click on the message, before this, may have noted it.
            return None if game.message_id == message_id else game.message_id

        return await self._transactions.write(body, seen.id)

    async def shown(self, seen: MastermindGame, message_id: int) -> MastermindGame:
        """Note that the board shows the revision of `seen`; return the stored game.

        The message becomes the board of a game without one. If another message is the board,
        nothing changes.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = work.find(seen.id, Kind.CHALLENGE)
            if game.message_id in (None, message_id):
                # Even if a later revision was noted before: of edits that overtake each other, the
                # one accepted last is visible.
                store.set_message(work.tx, game.id, message_id, shown=seen.revision)
                game = work.find(seen.id, Kind.CHALLENGE)
            return game

        return await self._transactions.write(body, seen.id)

    async def lost(self, seen: MastermindGame, message_id: int) -> MastermindGame:
        """Note that a message is gone, so that it is not edited any more.

        The returned game has no `message_id`, unless another message is its board.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            store.forget_message(work.tx, seen.id, message_id)
            return work.find(seen.id, Kind.CHALLENGE)

        return await self._transactions.write(body, seen.id)

    async def unreachable(self, seen: MastermindGame, message_id: int) -> None:
        """Leave a board that the bot may not edit now to the next move; its end is put off.

        The end is given up after a day.
        """

        def body(work: MastermindTransaction) -> None:
            game, now = work.find(seen.id, Kind.CHALLENGE), work.now
            if game.finished_at is not None and now < game.finished_at + _GIVEN_UP_AFTER:
                store.put_off(work.tx, game.id, now + _ABSENT)
            elif game.message_id == message_id:
                store.set_message(work.tx, game.id, message_id, shown=seen.revision)

        await self._transactions.write(body, seen.id)

    async def accept(self, player_id: int, game_id: int, seen: Setting) -> MastermindGame:
        """Accept a challenge at the setting that the player saw; a second click does nothing.

        Raises:
            GameFinishedError: the challenge is over.
            ChallengeChangedError: it has another setting by now.
            TooManyGamesError: the player has too many open.
        """

        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._invited(work, player_id, game_id)
            if game.stage is Stage.OVER:
                raise GameFinishedError(game=game)
            if game.stage is Stage.INVITED:
                if Setting.of(game.rules) != seen:
                    raise ChallengeChangedError(game=game)
                work.require_room(player_id)
                store.accept(work.tx, game.id, accepted_at=work.now)
                game = work.move(game)
            return game

        return await self._transactions.write(body, game_id, player_id)

    async def decline(self, player_id: int, game_id: int) -> MastermindGame:
        def body(work: MastermindTransaction) -> MastermindGame:
            game = self._invited(work, player_id, game_id)
            return _call_off(work, game, Ending.DECLINED)

        return await self._transactions.write(body, game_id, player_id)

    async def withdraw(self, player_id: int, game_id: int) -> MastermindGame:
        def body(work: MastermindTransaction) -> MastermindGame:
            try:
                game = work.owners_game(player_id, game_id, Kind.CHALLENGE)
            except NotYourGameError as error:
                if player_id == work.find(game_id, Kind.CHALLENGE).codebreaker_id:
                    raise NotWithdrawableError(player_id=error.player_id) from error
                raise
            return _call_off(work, game, Ending.WITHDRAWN)

        return await self._transactions.write(body, game_id, player_id)

    async def resign(self, player_id: int, game_id: int) -> MastermindGame:
        """Resign as the challenged player; a second click does nothing.

        Raises:
            NotAcceptedError: the game has not begun.
            GameFinishedError: the game has another ending.
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


def _faced(work: MastermindTransaction, game: MastermindGame) -> InvitationView:
    is_invitation = game.stage is Stage.INVITED
    if is_invitation or game.stage is not Stage.OVER:
        face = people_store.face(work.tx, game.owner_id) if is_invitation else None
        return InvitationView(game, face)
    ids = [game.codebreaker_id or 0, game.owner_id]
    found = people_store.names(work.tx, ids) | people_store.names_in(
        work.tx, game.guild_id or 0, ids
    )
    faces = people_store.faces(work.tx, ids)
    players = ((one, found[one].name, faces.get(one)) for one in ids if one in found)
    return InvitationView(game, players=tuple(players))


def _require_welcome(work: MastermindTransaction, invitation: Invitation) -> None:
    challenger_id, challenged_id = invitation.challenger_id, invitation.challenged_id
    require_may_post(work.tx, challenger_id, invitation.guild_id, work.now, challenged_id)
    for game in store.open_of(work.tx, challenger_id, work.now):
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
    """End a game, or return it if it has this ending already; refuse one with another ending."""
    if game.ending is ending:
        return game
    if game.stage is Stage.OVER:
        raise GameFinishedError(game=game)
    return work.move(game, ending=ending)
