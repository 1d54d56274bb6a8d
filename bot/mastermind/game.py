"""Mastermind in a transaction: read, its deadlines and limits, lists of games."""

import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.failures import Failures
from bot.games import game as games_game
from bot.games.seals import Commitment, commitment, new_salt
from bot.leaderboards import game as leaderboards_game
from bot.mastermind import store
from bot.mastermind.model import (
    CodeRefusedError,
    Ending,
    Kind,
    MastermindGame,
    NoSuchGameError,
    NotYourGameError,
    PegsBeyondColoursError,
    SettingRecord,
    Stage,
    TooManyGamesError,
    WrongSettingError,
)
from bot.mastermind.relabelling import Relabelling
from bot.mastermind.store import MastermindRow, NewMastermind, ResultRow
from bot.outages import ALL, ShardRange
from engine import Code, Mastermind, NotationError, Score, Turn

PEGS: Final = (3, 6)
"""The fewest and the most."""
COLOURS: Final = (4, 10)
GUESSES: Final = (6, 13)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as the player asked for it; it may be impossible."""

    pegs: int = 4
    colours: int = 6
    repeats: bool = True
    guesses: int = 12

    @classmethod
    def of(cls, rules: Mastermind) -> Self:
        """The setting of these rules, to play them again."""
        return cls(rules.pegs, rules.colours, rules.repeats, rules.max_guesses)

    def rules(self) -> Mastermind:
        """The rules at this setting.

        Raises:
            WrongSettingError, PegsBeyondColoursError: there are none.
        """
        for field, found, (lowest, highest) in (
            ("pegs", self.pegs, PEGS),
            ("colours", self.colours, COLOURS),
            ("guesses", self.guesses, GUESSES),
        ):
            if not lowest <= found <= highest:
                raise WrongSettingError(field=field, found=found, lowest=lowest, highest=highest)
        if not self.repeats and self.pegs > self.colours:
            raise PegsBeyondColoursError(pegs=self.pegs, chosen=self.colours)
        return Mastermind(self.colours, self.pegs, self.repeats, self.guesses)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants a setting to be; None for whatever it was the last time."""

    pegs: int | None = None
    colours: int | None = None
    repeats: bool | None = None
    guesses: int | None = None

    def after(self, last: Setting) -> Setting:
        """The setting, where `last` is the one of the last time.

        What was left out never makes an impossible setting of what was asked for: then it is the
        usual one's.
        """
        wished = {name: wish for name, wish in asdict(self).items() if wish is not None}
        setting = replace(last, **wished)
        is_possible = setting.repeats or setting.pegs <= setting.colours
        return setting if is_possible else replace(Setting(), **wished)


def parse_code(rules: Mastermind, text: str) -> Code:
    """The code that a player sets by typing it.

    Raises:
        CodeRefusedError: the text is none.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise CodeRefusedError(rules=rules, text=text, cause=error) from error


MOST_OPEN: Final = 10
"""How many games a player may have open, as their owner or as who accepted a challenge."""

MOST_RANKED: Final = 2
"""How many ranked games a player may have open: one more would be one to pick the best from."""

SOLO_PATIENCE: Final = timedelta(days=7)
CHALLENGE_PATIENCE: Final = timedelta(days=1)

_BROKEN_BY_THE_BOT: Final = frozenset({Kind.DEFEND, Kind.WATCH})


class MastermindTransaction(games_game.GameTransaction):
    """One transaction, and what use cases do in it."""

    def __init__(self, tx: Transaction, now: datetime) -> None:
        super().__init__(tx, now)
        self._moves: list[MastermindGame] = []

    def report(self) -> Iterable[str]:
        """A line on every game that was moved in."""
        for game in self._moves:
            state = game.ending or game.stage
            yield f"mastermind {game.id}, {game.kind}: {len(game.turns)} turns, {state}"

    def find(self, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind as it is stored, even if its deadline has passed.

        Raises:
            NoSuchGameError: there is none.
        """
        row = store.get(self.tx, game_id)
        if row is None or row.kind != kind:
            raise NoSuchGameError
        return row

    def row(self, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind; if its deadline has passed, it ends now.

        Raises:
            NoSuchGameError: there is none.
        """
        return self._in_time(self.find(game_id, kind))

    def owners_row(self, player_id: int, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind, for who opened it.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        row = self.find(game_id, kind)
        if row.owner_id != player_id:
            raise NotYourGameError(player_id=row.owner_id, guild_id=row.guild_id)
        return self._in_time(row)

    def breakers_row(self, player_id: int, game_id: int, kind: Kind) -> MastermindRow:
        """A game of a kind, for who breaks the code.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        row = self.find(game_id, kind)
        if row.codebreaker_id != player_id:
            player_id = row.codebreaker_id or row.owner_id
            raise NotYourGameError(player_id=player_id, guild_id=row.guild_id)
        return self._in_time(row)

    def about_players(self, game_id: int) -> MastermindRow | None:
        """Be alone with a game's players, too; the game as it stands then, if there is one."""
        row = store.get(self.tx, game_id)
        if row is not None:
            ids = {row.owner_id, row.codebreaker_id or row.owner_id}
            self.tx.about(*map(keys.player, ids))
        return row and store.get(self.tx, game_id)

    def open(self, new: NewMastermind, *, reuse: bool = True, besides: int = 0) -> MastermindRow:
        """A new game, or one opened likewise in which nothing was done yet.

        Args:
            new: the game.
            reuse: whether one opened likewise will do.
            besides: a game that is about to end.

        Raises:
            TooManyGamesError: its owner has too many.
            EnoughGamesError: it counts for nothing, and there may be no new one today.
        """
        for row in store.open_of(self.tx, new.owner_id, self.now):
            if reuse and _is_like(row, new) and is_untouched(row):
                return self.move(row)
        self.require_room(new.owner_id, besides)
        if not leaderboards_game.is_ranked(new):
            games_game.begin(self.tx, new.owner_id, self.now)
        if new.secret is not None:
            new = replace(new, salt=new_salt())
        if Kind(new.kind) in _BROKEN_BY_THE_BOT:
            labels = Relabelling.draw(Mastermind.decode(new.rules))
            new = replace(new, relabelling=labels.encode())
        game_id = store.add(
            self.tx, new, opened_at=self.now, deadline_at=self.now + _patience(new.kind)
        )
        return self._moved(game_id)

    def require_room(self, player_id: int, besides: int = 0) -> None:
        """Make sure that a player may have one more open game.

        Args:
            player_id: the player.
            besides: a game that does not count, since it is to make room.

        Raises:
            TooManyGamesError: that is not so.
        """
        rows = store.open_of(self.tx, player_id, self.now)
        # Nobody can be kept from playing by invitations.
        mine = [
            row
            for row in rows
            if (row.owner_id == player_id or row.accepted_at is not None) and row.id != besides
        ]
        if len(mine) >= MOST_OPEN:
            raise TooManyGamesError(games=MOST_OPEN)

    def require_fair(
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
        leaderboards_game.require_no_ranked(
            self.tx, player_id, rules, self.now, is_sealable=is_sealable
        )
        if not is_drawn:
            leaderboards_game.require_no_rated(self.tx, player_id, rules)

    def may_rank(self, player_id: int, rules: Mastermind) -> bool:
        """Whether a player's game may be ranked in which nothing was done yet.

        Not beside two that are, nor while the bot breaks such codes for the player's answers.
        """
        if leaderboards_game.solvers(self.tx, player_id, rules, self.now):
            return False
        rows = store.open_of(self.tx, player_id, self.now)
        ranked = [row for row in rows if leaderboards_game.is_ranked(row) and not is_untouched(row)]
        return len(ranked) < MOST_RANKED

    def require_more(self, player_id: int) -> None:
        """Make sure that a player may begin a game that counts for nothing.

        Raises:
            EnoughGamesError: that is not so.
        """
        games_game.require_more(self.tx, player_id, self.now)

    def settle_rank(self, row: MastermindRow, *, ranked: bool) -> MastermindRow:
        """A game without a guess, ranked or not."""
        store.set_ranked(self.tx, row.id, ranked=ranked)
        return replace(row, ranked=ranked)

    def append(self, row: MastermindRow, codes: Sequence[Code]) -> None:
        """Write guesses after the last turn."""
        store.add_turns(self.tx, row.id, first=len(row.turns), codes=codes, guessed_at=self.now)

    def move(
        self, row: MastermindRow, *, pending: str = "", ending: Ending | None = None
    ) -> MastermindRow:
        """The game after its player went on in it, perhaps ended by that."""
        deadline_at = self.now + _patience(row.kind)
        row = self.touch(replace(row, deadline_at=deadline_at), pending=pending)
        return row if ending is None else self._end(row, ending, self.now)

    def touch(self, row: MastermindRow, *, pending: str) -> MastermindRow:
        """The game after something that is no guess: its deadline stays.

        Else who fears for a rank could keep a game from ending for ever.
        """
        store.move(self.tx, row.id, pending=pending, moved_at=self.now, deadline_at=row.deadline_at)
        return self._moved(row.id)

    def close(self, row: MastermindRow) -> MastermindRow:
        """End a game whose deadline has passed, as of then."""
        ending = Ending.LAPSED if row.kind == Kind.CHALLENGE else Ending.CLOSED
        return self._end(row, ending, row.deadline_at)

    def _end(self, row: MastermindRow, ending: Ending, finished_at: datetime) -> MastermindRow:
        store.finish(self.tx, row.id, ending=ending, finished_at=finished_at)
        row = self._moved(row.id)
        leaderboards_game.mastermind_finished(self.tx, row, self.now)
        return row

    def _in_time(self, row: MastermindRow) -> MastermindRow:
        # Only for who is told of it: a board shall not be left as it was because a stranger
        # clicked on it before the sweep came.
        passed = row.finished_at is None and row.deadline_at <= self.now
        return self.close(row) if passed else row

    def leave_all(self, player_id: int) -> None:
        """End the challenges of a player who is to be forgotten.

        One whose code another player breaks goes on, for that player.
        """
        for row in store.open_of(self.tx, player_id, self.now):
            if row.kind != Kind.CHALLENGE:
                continue
            is_maker = row.owner_id == player_id
            if game_of(row).stage is Stage.INVITED:
                self.move(row, ending=Ending.WITHDRAWN if is_maker else Ending.DECLINED)
            elif not is_maker:
                self.move(row, ending=Ending.RESIGNED)

    def _moved(self, game_id: int) -> MastermindRow:
        row = store.get(self.tx, game_id)
        if row is None:
            raise RuntimeError("a game cannot vanish in its own transaction")
        self._moves.append(game_of(row))
        return row


class MastermindTransactions(games_game.GameTransactions[MastermindTransaction]):
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
        is_ranked=leaderboards_game.is_ranked(row),
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


log = logging.getLogger(__name__)

# For how long a move may still show the board itself: of two edits at once the older might win.
_JUST_MOVED: Final = timedelta(seconds=15)


class Games:
    """Use cases that look at many games."""

    def __init__(self, transactions: MastermindTransactions, shards: ShardRange = ALL) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[MastermindGame]:
        """A player's open games, those moved in last first, invitations among them."""
        return await self._transactions.read(
            lambda work: self.open_within(work.tx, player_id, work.now)
        )

    def open_within(self, tx: Transaction, player_id: int, now: datetime) -> list[MastermindGame]:
        """The same, where other things are looked at, too."""
        return [game_of(row) for row in store.open_of(tx, player_id, now)]

    async def sweep(self) -> list[MastermindGame]:
        """End all games whose deadline has passed; those that it ended, each only once."""
        passed = self._transactions.every(
            lambda v, page: store.passed(v.tx, v.now, page, self._shards)
        )
        swept = self._failures.each("deadline of mastermind", passed, self._swept)
        return [game async for game in swept]

    async def _swept(self, game_id: int) -> MastermindGame | None:
        """A game whose deadline had passed, ended; None if somebody else was here first."""

        def body(work: MastermindTransaction) -> MastermindGame | None:
            row = work.about_players(game_id)
            if row is None or row.finished_at is not None or row.deadline_at > work.now:
                return None
            return game_of(work.close(row))

        return await self._transactions.write(body, game_id)

    def unshown(self) -> AsyncGenerator[MastermindGame]:
        """The challenges whose board does not show them as they are, for want of an edit."""
        behind = self._transactions.every(
            lambda v, page: store.unshown(v.tx, v.now - _JUST_MOVED, page, self._shards)
        )
        return self._failures.each("board of mastermind", behind, self._unshown)

    async def _unshown(self, game_id: int) -> MastermindGame | None:
        """A challenge as it stands; None if somebody has shown it meanwhile, or is about to."""

        def body(work: MastermindTransaction) -> MastermindGame | None:
            row = store.get(work.tx, game_id)
            if row is None or row.moved_at > work.now - _JUST_MOVED:
                return None
            is_shown = row.message_id is None or row.shown >= row.revision
            return None if is_shown else game_of(row)

        return await self._transactions.write(body, game_id)

    async def record(self, player_id: int) -> list[SettingRecord]:
        """What a player has done as Codebreaker, in `play` and challenges, by setting."""
        results = self._transactions.read(lambda work: store.results(work.tx, player_id))
        return setting_records(await results)


def setting_records(rows: list[ResultRow]) -> list[SettingRecord]:
    """What these results come to, by setting."""
    settings = dict.fromkeys(row.rules for row in rows)
    return [_record(rules, [row for row in rows if row.rules == rules]) for rules in settings]


def _record(rules: str, rows: list[ResultRow]) -> SettingRecord:
    solved = {row.turns: row.games for row in rows if row.ending == Ending.SOLVED}
    count = sum(solved.values())
    return SettingRecord(
        rules=Mastermind.decode(rules),
        games=sum(row.games for row in rows),
        solved=count,
        mean=sum(turns * games for turns, games in solved.items()) / count if count else None,
        best=min(solved, default=None),
    )
