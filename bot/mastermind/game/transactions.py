"""Mastermind's transaction: reads a game of any kind, and keeps its deadlines and limits."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.games.game import free_games, transactions
from bot.games.game.seals import Commitment, commitment, new_salt
from bot.leaderboards.game import at_stake, update
from bot.mastermind.game.relabelling import Relabelling
from bot.mastermind.model.errors import NoSuchGameError, NotYourGameError, TooManyGamesError
from bot.mastermind.model.game import Ending, Kind, MastermindGame, Stage
from bot.mastermind.store import masterminds
from bot.mastermind.store.masterminds import MastermindRow, NewMastermind
from engine import Code, Mastermind, Score, Turn

MOST_OPEN: Final = 10
"""How many games a player may have open, as their owner or as who accepted a challenge."""

MOST_RANKED: Final = 2
"""How many ranked games a player may have open: one more would be one to pick the best from."""

SOLO_PATIENCE: Final = timedelta(days=7)
CHALLENGE_PATIENCE: Final = timedelta(days=1)

_BROKEN_BY_THE_BOT: Final = frozenset({Kind.DEFEND, Kind.WATCH})


class MastermindTransaction(transactions.GameTransaction):
    """One transaction, and what use cases do in it."""

    def __init__(self, tx: Transaction, now: datetime) -> None:
        super().__init__(tx, now)
        self._moves: list[MastermindGame] = []

    def report(self) -> Iterable[str]:
        """A line on every game that was moved in."""
        for game in self._moves:
            state = game.ending or game.stage
            yield f"mastermind {game.id}, {game.kind}: {len(game.turns)} turns, {state}"

    async def find(self, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind as it is stored, even if its deadline has passed.

        Raises:
            NoSuchGameError: there is none.
        """
        row = await masterminds.get(self.tx, game_id)
        if row is None or row.kind != kind:
            raise NoSuchGameError
        return row

    async def row(self, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind; if its deadline has passed, it ends now.

        Raises:
            NoSuchGameError: there is none.
        """
        return await self._in_time(await self.find(game_id, kind))

    async def owners_row(self, player_id: int, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind, for who opened it.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        row = await self.find(game_id, kind)
        if row.owner_id != player_id:
            raise NotYourGameError(player_id=row.owner_id, guild_id=row.guild_id)
        return await self._in_time(row)

    async def breakers_row(self, player_id: int, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind, for who breaks the code.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        row = await self.find(game_id, kind)
        if row.codebreaker_id != player_id:
            player_id = row.codebreaker_id or row.owner_id
            raise NotYourGameError(player_id=player_id, guild_id=row.guild_id)
        return await self._in_time(row)

    async def about_players(self, game_id: int) -> MastermindRow | None:
        """Be alone with a game's players, too; the game as it stands then, if there is one."""
        row = await masterminds.get(self.tx, game_id)
        if row is not None:
            ids = {row.owner_id, row.codebreaker_id or row.owner_id}
            await self.tx.about(*map(keys.player, ids))
        return row and await masterminds.get(self.tx, game_id)

    async def open(
        self, new: NewMastermind, *, reuse: bool = True, besides: int = 0
    ) -> MastermindRow:
        """A new game, or one opened likewise in which nothing was done yet.

        Args:
            new: the game.
            reuse: whether one opened likewise will do.
            besides: a game that is about to end.

        Raises:
            TooManyGamesError: its owner has too many.
            EnoughGamesError: it counts for nothing, and there may be no new one today.
        """
        for row in await masterminds.open_of(self.tx, new.owner_id, self.now):
            if reuse and _is_like(row, new) and is_untouched(row):
                return await self.move(row)
        await self.require_room(new.owner_id, besides)
        if not update.is_ranked(new):
            await free_games.begin(self.tx, new.owner_id, self.now)
        if new.secret is not None:
            new = replace(new, salt=new_salt())
        if Kind(new.kind) in _BROKEN_BY_THE_BOT:
            labels = Relabelling.draw(Mastermind.decode(new.rules))
            new = replace(new, relabelling=labels.encode())
        game_id = await masterminds.add(
            self.tx, new, opened_at=self.now, deadline_at=self.now + _patience(new.kind)
        )
        return await self._moved(game_id)

    async def require_room(self, player_id: int, besides: int = 0) -> None:
        """Make sure that a player may have one more open game.

        Args:
            player_id: the player.
            besides: a game that does not count, since it is to make room.

        Raises:
            TooManyGamesError: that is not so.
        """
        rows = await masterminds.open_of(self.tx, player_id, self.now)
        # Nobody can be kept from playing by invitations.
        mine = [
            row
            for row in rows
            if (row.owner_id == player_id or row.accepted_at is not None) and row.id != besides
        ]
        if len(mine) >= MOST_OPEN:
            raise TooManyGamesError(games=MOST_OPEN)

    async def require_fair(
        self,
        player_id: int,
        rules: Mastermind,
        *,
        is_drawn: bool = False,
        is_sealable: bool = False,
    ) -> None:
        """Make sure that what the bot guesses here helps its player in no game that counts.

        Args:
            player_id: the player.
            rules: what the bot breaks a code of.
            is_drawn: whether it has drawn that code itself, which no duel minds.
            is_sealable: whether a code could be sealed instead.

        Raises:
            RankedGameError, RatedDuelError: such a game with codes like these goes on.
        """
        await at_stake.require_no_ranked(
            self.tx, player_id, rules, self.now, is_sealable=is_sealable
        )
        if not is_drawn:
            await at_stake.require_no_rated(self.tx, player_id, rules)

    async def may_rank(self, player_id: int, rules: Mastermind) -> bool:
        """Whether a player's game may be ranked in which nothing was done yet.

        Not beside two that are, nor while the bot breaks such codes for the player's answers.
        """
        if await at_stake.solvers(self.tx, player_id, rules, self.now):
            return False
        rows = await masterminds.open_of(self.tx, player_id, self.now)
        ranked = [row for row in rows if update.is_ranked(row) and not is_untouched(row)]
        return len(ranked) < MOST_RANKED

    async def require_more(self, player_id: int) -> None:
        """Make sure that a player may begin a game that counts for nothing.

        Raises:
            EnoughGamesError: that is not so.
        """
        await free_games.require_more(self.tx, player_id, self.now)

    async def settle_rank(self, row: MastermindRow, *, ranked: bool) -> MastermindRow:
        """A game without a guess, ranked or not."""
        await masterminds.set_ranked(self.tx, row.id, ranked=ranked)
        return replace(row, ranked=ranked)

    async def append(self, row: MastermindRow, codes: Sequence[Code]) -> None:
        """Write guesses after the last turn."""
        await masterminds.add_turns(
            self.tx, row.id, first=len(row.turns), codes=codes, guessed_at=self.now
        )

    async def move(
        self, row: MastermindRow, *, pending: str = "", ending: Ending | None = None
    ) -> MastermindRow:
        """The game after its player went on in it, perhaps ended by that."""
        deadline_at = self.now + _patience(row.kind)
        row = await self.touch(replace(row, deadline_at=deadline_at), pending=pending)
        return row if ending is None else await self._end(row, ending, self.now)

    async def touch(self, row: MastermindRow, *, pending: str) -> MastermindRow:
        """The game after something that is no guess: its deadline stays.

        Else who fears for a rank could keep a game from ending for ever.
        """
        await masterminds.move(
            self.tx, row.id, pending=pending, moved_at=self.now, deadline_at=row.deadline_at
        )
        return await self._moved(row.id)

    async def close(self, row: MastermindRow) -> MastermindRow:
        """End a game whose deadline has passed, as of then."""
        ending = Ending.LAPSED if row.kind == Kind.CHALLENGE else Ending.CLOSED
        return await self._end(row, ending, row.deadline_at)

    async def _end(
        self, row: MastermindRow, ending: Ending, finished_at: datetime
    ) -> MastermindRow:
        await masterminds.finish(self.tx, row.id, ending=ending, finished_at=finished_at)
        row = await self._moved(row.id)
        await update.mastermind_finished(self.tx, row, self.now)
        return row

    async def _in_time(self, row: MastermindRow) -> MastermindRow:
        # Only for who is told of it: a board shall not be left as it was because a stranger
        # clicked on it before the sweep came.
        passed = row.finished_at is None and row.deadline_at <= self.now
        return await self.close(row) if passed else row

    async def leave_all(self, player_id: int) -> None:
        """End the challenges of a player who is to be forgotten.

        One whose code another player breaks goes on, for that player.
        """
        for row in await masterminds.open_of(self.tx, player_id, self.now):
            if row.kind != Kind.CHALLENGE:
                continue
            is_maker = row.owner_id == player_id
            if game_of(row).stage is Stage.INVITED:
                await self.move(row, ending=Ending.WITHDRAWN if is_maker else Ending.DECLINED)
            elif not is_maker:
                await self.move(row, ending=Ending.RESIGNED)

    async def _moved(self, game_id: int) -> MastermindRow:
        row = await masterminds.get(self.tx, game_id)
        if row is None:
            raise RuntimeError("a game cannot vanish in its own transaction")
        self._moves.append(game_of(row))
        return row


class MastermindTransactions(transactions.GameTransactions[MastermindTransaction]):
    """Where all use cases come in."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock, MastermindTransaction, "mastermind", keys.mastermind)


def require_seen(row: MastermindRow, player_id: int, guild_id: int | None) -> None:
    """Make sure that a game is a player's own, or played where everybody in the server sees it.

    Raises:
        NotYourGameError: it is neither.
    """
    is_seen = row.guild_id is not None and row.guild_id == guild_id
    if player_id not in {row.owner_id, row.codebreaker_id} and not is_seen:
        raise NotYourGameError(player_id=row.owner_id, guild_id=row.guild_id)


def game_of(row: MastermindRow) -> MastermindGame:
    """A game from what is stored, without what takes a solver."""
    kind, rules = Kind(row.kind), Mastermind.decode(row.rules)
    over = row.finished_at is not None
    invited = kind is Kind.CHALLENGE and row.accepted_at is None
    waiting = None if over or row.secret else next((t for t in row.turns if t.whites is None), None)
    return MastermindGame(
        id=row.id,
        kind=kind,
        rules=rules,
        owner_id=row.owner_id,
        codebreaker_id=row.codebreaker_id,
        turns=_turns(row, rules),
        pending=row.pending,
        stage=Stage.OVER if over else Stage.INVITED if invited else Stage.PLAYING,
        ending=None if row.ending is None else Ending(row.ending),
        # A code that nobody tried to break may be set again.
        secret=Code(row.secret) if row.secret and over and not invited else None,
        sealed=kind is Kind.DEFEND and row.secret is not None,
        guess=None if waiting is None else Code(waiting.code),
        blacks=None if waiting is None else waiting.blacks,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        message_id=row.message_id,
        opened_at=row.opened_at,
        deadline_at=row.deadline_at,
        revision=row.revision,
        hints=row.hints,
        commitment=_commitment(row, is_over=over, was_tried=not invited),
        is_ranked=update.is_ranked(row),
        is_left_out=not row.ranked,
    )


def _commitment(row: MastermindRow, *, is_over: bool, was_tried: bool) -> Commitment | None:
    if is_over and not was_tried:
        return None
    return commitment(f"mastermind {row.id}", row.secret, row.salt, is_open=is_over)


def secret_of(row: MastermindRow) -> Code:
    """The code of a game in which the bot knows it."""
    if row.secret is None:
        raise RuntimeError("only its player knows this game's code")
    return Code(row.secret)


def _turns(row: MastermindRow, rules: Mastermind) -> tuple[Turn[Score], ...]:
    """The answered turns; answers follow from the secret if there is one."""
    if row.secret is not None:
        secret = Code(row.secret)
        return tuple(
            Turn(Code(turn.code), rules.feedback(Code(turn.code), secret)) for turn in row.turns
        )
    return tuple(
        Turn(Code(turn.code), Score(turn.blacks, turn.whites))
        for turn in row.turns
        if turn.blacks is not None and turn.whites is not None
    )


def _patience(kind: str) -> timedelta:
    return CHALLENGE_PATIENCE if kind == Kind.CHALLENGE else SOLO_PATIENCE


def _is_like(row: MastermindRow, new: NewMastermind) -> bool:
    # A drawn code is as good as another; one that a player has set is not.
    are_set = row.kind == Kind.DEFEND
    secrets = (row.secret, new.secret) if are_set else (None, None)
    return (row.kind, row.rules, secrets[0]) == (new.kind, new.rules, secrets[1])


def is_untouched(row: MastermindRow) -> bool:
    """Whether nothing was done yet in a game that goes on."""
    game = game_of(row)
    is_begun = game.turns or game.pending or game.blacks is not None
    return game.stage is Stage.PLAYING and not is_begun
