"""Parts of Mastermind's use cases in a transaction: limits, deadlines, lists of games."""

import logging
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.failures import Failures
from bot.games import game as games_game
from bot.games.model import STANDARD_MASTERMIND, GameName, Source, guesses_for, new_salt
from bot.leaderboards import game as leaderboards_game
from bot.leaderboards.boards import MastermindFigures
from bot.mastermind import store
from bot.mastermind.model import (
    CodeRefusedError,
    Ending,
    GameFinishedError,
    HasBegunError,
    Kind,
    MastermindGame,
    NewMastermind,
    NoSuchGameError,
    NotYourGameError,
    PegsBeyondColoursError,
    SettingRecord,
    Stage,
    TooManyGamesError,
    WrongSettingError,
)
from bot.mastermind.store import ResultRow
from bot.outages import ShardRange
from bot.people.game import deleted_until
from bot.text.tiles import in_letters
from engine import Code, Mastermind, NotationError, Relabelling

PEGS: Final = (3, 6)
COLOURS: Final = (4, 10)
GUESSES: Final = (6, 13)


@dataclass(frozen=True, slots=True)
class Setting:
    """The pegs, colours, repeats and guesses that a player asks for; possibly invalid."""

    pegs: int = STANDARD_MASTERMIND.pegs
    colours: int = len(STANDARD_MASTERMIND.alphabet)
    repeats: bool = STANDARD_MASTERMIND.repeats
    guesses: int = STANDARD_MASTERMIND.max_guesses

    @classmethod
    def of(cls, rules: Mastermind) -> Self:
        return cls(rules.pegs, len(rules.alphabet), rules.repeats, rules.max_guesses)

    def rules(self) -> Mastermind:
        for field, found, (lowest, highest) in (
            ("pegs", self.pegs, PEGS),
            ("colours", self.colours, COLOURS),
            ("guesses", self.guesses, GUESSES),
        ):
            if not lowest <= found <= highest:
                raise WrongSettingError(field=field, found=found, lowest=lowest, highest=highest)
        if not self.repeats and self.pegs > self.colours:
            raise PegsBeyondColoursError(pegs=self.pegs, chosen=self.colours)
        return Mastermind(
            pegs=self.pegs, colours=self.colours, repeats=self.repeats, max_guesses=self.guesses
        )


def parse_code(rules: Mastermind, text: str) -> Code:
    """Parse a typed secret.

    Raises:
        CodeRefusedError: the text is no code.
    """
    try:
        return rules.parse(in_letters(text))
    except NotationError as error:
        raise CodeRefusedError(rules=rules, text=text, cause=error) from error


MOST_OPEN: Final = 10
"""The most open games that a player has opened or accepted."""

MOST_RANKED: Final = 2
"""The most ranked games that a player can play at once; of more, they could finish the best."""

SOLO_PATIENCE: Final = timedelta(days=7)
CHALLENGE_PATIENCE: Final = timedelta(days=1)


class MastermindTransaction(games_game.GameTransaction):
    """One transaction of Mastermind. Use cases call its methods."""

    def __init__(self, tx: Transaction, now: datetime) -> None:
        super().__init__(tx, now)
        self._moves: list[MastermindGame] = []

    def report(self) -> Iterable[str]:
        for game in self._moves:
            state = game.ending or game.stage
            yield f"mastermind {game.id}, {game.kind}: {len(game.turns)} turns, {state}"

    def find(self, game_id: int, kind: Kind) -> MastermindGame:
        """A game as stored. It is not ended here, even if its deadline has passed."""
        game = store.get(self.tx, game_id)
        if game is None or game.kind is not kind:
            raise NoSuchGameError
        return game

    def game(self, game_id: int, kind: Kind) -> MastermindGame:
        return self._in_time(self.find(game_id, kind))

    def owners_game(self, player_id: int, game_id: int, kind: Kind) -> MastermindGame:
        """Return a game, only to the player who opened it; end it if its deadline has passed."""
        game = self.find(game_id, kind)
        if game.owner_id != player_id:
            raise NotYourGameError(player_id=game.owner_id, guild_id=game.guild_id)
        return self._in_time(game)

    def breakers_game(self, player_id: int, game_id: int, kind: Kind) -> MastermindGame:
        """Return a game, only to its Codebreaker; end it if its deadline has passed."""
        game = self.find(game_id, kind)
        if game.codebreaker_id != player_id:
            player_id = game.codebreaker_id or game.owner_id
            raise NotYourGameError(player_id=player_id, guild_id=game.guild_id)
        return self._in_time(game)

    def about_players(self, game_id: int) -> MastermindGame | None:
        """Lock a game's players; return the game as read after that, or None if it is gone."""
        game = store.get(self.tx, game_id)
        if game is not None:
            ids = {game.owner_id, game.codebreaker_id or game.owner_id}
            self.tx.about(*map(keys.player, ids))
        return game and store.get(self.tx, game_id)

    def open(self, new: NewMastermind, *, reuse: bool = True, besides: int = 0) -> MastermindGame:
        """Begin a game. With `reuse`, return an equal untouched game instead, if there is one.

        Equal games have the same kind and rules and, in a DEFEND, the same code. The game `besides`
        is about to end and does not count towards the limit of open games.
        """
        if reuse and (game := self._untouched_like(new)) is not None:
            return self.move(game)
        self.require_room(new.owner_id, besides)
        if not new.is_ranked:
            games_game.begin(self.tx, new.owner_id, self.now)
        if new.secret is not None:
            new = replace(new, salt=new_salt())
        if new.kind is Kind.DEFEND:
            labels = Relabelling.draw(new.rules, secrets.SystemRandom())
            new = replace(new, relabelling=labels.encode())
        game_id = store.add(
            self.tx, new, opened_at=self.now, deadline_at=self.now + _patience(new.kind)
        )
        return self._moved(game_id)

    def last_setting(self, player_id: int, kind: Kind) -> Setting:
        """The setting of the game of a kind that a player opened last; else the standard one."""
        last = store.last_rules(self.tx, player_id, kind)
        return Setting() if last is None else Setting.of(Mastermind.decode(last))

    def changeable_game(
        self, player_id: int, game_id: int, kind: Kind, rules: Mastermind | None = None
    ) -> MastermindGame:
        """Return a game to the player who opened it, if another setting may be chosen for it.

        After a first click has replaced it by a game with these `rules`, return that one.
        """
        game = self.owners_game(player_id, game_id, kind)
        if game.ending is Ending.REPLACED and rules is not None:
            game = self._untouched_like(NewMastermind(kind, rules, player_id)) or game
        if game.stage is Stage.OVER:
            raise GameFinishedError(game=game)
        if not game.may_change:
            raise HasBegunError(game=game)
        return game

    def require_room(self, player_id: int, besides: int = 0) -> None:
        """Refuse a player who has too many open games.

        The game `besides` is about to end and does not count towards the limit.
        """
        games = store.open_of(self.tx, player_id, self.now)
        # Invitations do not count, so that nobody can be kept from playing by them.
        mine = [
            game
            for game in games
            if (game.owner_id == player_id or game.accepted_at is not None) and game.id != besides
        ]
        if len(mine) >= MOST_OPEN:
            raise TooManyGamesError(games=MOST_OPEN)

    def require_fair(self, player_id: int, rules: Mastermind, *, is_sealable: bool = False) -> None:
        """Refuse to let the bot guess if its guesses would help the player in a game that counts.

        With `is_sealable`, the refusal for a ranked game offers to seal a code instead.
        """
        games_game.require_nothing_at_stake(
            self.tx, player_id, rules, self.now, is_sealable=is_sealable
        )

    def may_rank(self, new: NewMastermind) -> bool:
        """True if `open` may rank this game of `play`.

        It may not while two other ranked games are open. Nor may it while a `defend` without a seal
        is open whose rules are like these; see `games_game.is_alike`. Nor may it within seven days
        after a deletion of the player's data.
        """
        if deleted_until(self.tx, new.owner_id, self.now) is not None:
            return False
        if games_game.defences_alike(self.tx, new.owner_id, new.rules, self.now):
            return False
        # One without a peg is another, too, unless it is the one that is opened again: otherwise
        # pegs that are taken back would make room for more ranked games.
        again = self._untouched_like(new)
        games = store.open_of(self.tx, new.owner_id, self.now)
        return sum(game.is_ranked and game != again for game in games) < MOST_RANKED

    def _untouched_like(self, new: NewMastermind) -> MastermindGame | None:
        """The owner's untouched game of the same kind, rules and, in a DEFEND, code."""
        for game in store.open_of(self.tx, new.owner_id, self.now):
            # Any drawn code will do. A code that a player has set must be the same.
            is_same = game.kind is not Kind.DEFEND or game.hidden_code == new.secret
            if is_same and (game.kind, game.rules) == (new.kind, new.rules) and game.is_untouched:
                return game
        return None

    def append(self, game: MastermindGame, codes: Sequence[Code]) -> None:
        store.add_turns(self.tx, game.id, first=len(game.guesses), codes=codes, guessed_at=self.now)

    def move(
        self, game: MastermindGame, *, pending: str = "", ending: Ending | None = None
    ) -> MastermindGame:
        """Store a move, which renews the deadline; end the game if `ending` is given."""
        deadline_at = self.now + _patience(game.kind)
        game = self.touch(replace(game, deadline_at=deadline_at), pending=pending)
        return game if ending is None else self._end(game, ending, self.now)

    def touch(self, game: MastermindGame, *, pending: str) -> MastermindGame:
        """Store a change of the row of pegs. It is no guess, so the deadline stays.

        Otherwise a player could keep a ranked game open for ever, so as not to lose it.
        """
        clicked = games_game.clicked_message(Source.MASTERMIND, game.id)
        if clicked is not None and game.message_id is None and game.kind is Kind.CHALLENGE:
            store.set_message(self.tx, game.id, clicked.message_id, shown=game.shown)
        store.move(
            self.tx, game.id, pending=pending, moved_at=self.now, deadline_at=game.deadline_at
        )
        return self._moved(game.id)

    def give_up(self, game: MastermindGame) -> MastermindGame:
        """End a game as its player wishes; one that does not go on stays as it is."""
        is_on = game.stage is Stage.PLAYING
        return self.move(game, ending=Ending.SURRENDERED) if is_on else game

    def close(self, game: MastermindGame) -> MastermindGame:
        """End a game whose deadline has passed; it counts as ended at the deadline."""
        ending = Ending.LAPSED if game.kind is Kind.CHALLENGE else Ending.CLOSED
        return self._end(game, ending, game.deadline_at)

    def _end(self, game: MastermindGame, ending: Ending, finished_at: datetime) -> MastermindGame:
        store.finish(self.tx, game.id, ending=ending, finished_at=finished_at)
        game = self._moved(game.id)
        if game.is_ranked and game.turns and game.codebreaker_id is not None:
            figures = MastermindFigures.of_game(
                solved=ending is Ending.SOLVED, guesses=len(game.turns), hints=len(game.hints)
            )
            leaderboards_game.mastermind_finished(
                self.tx, game.codebreaker_id, figures, finished_at=finished_at, now=self.now
            )
        return game

    def _in_time(self, game: MastermindGame) -> MastermindGame:
        # Only its players' clicks end a late game. After a stranger's, the sweep would find it over
        # and leave its board as it was.
        passed = game.finished_at is None and game.deadline_at <= self.now
        return self.close(game) if passed else game

    def leave_all(self, player_id: int) -> None:
        """End the challenges of a player whose data are about to be deleted.

        A challenge goes on if another player is breaking its code.
        """
        for game in store.open_of(self.tx, player_id, self.now):
            if game.kind != Kind.CHALLENGE:
                continue
            is_maker = game.owner_id == player_id
            if game.stage is Stage.INVITED:
                self.move(game, ending=Ending.WITHDRAWN if is_maker else Ending.DECLINED)
            elif not is_maker:
                self.move(game, ending=Ending.RESIGNED)

    def _moved(self, game_id: int) -> MastermindGame:
        game = store.get(self.tx, game_id)
        if game is None:
            raise RuntimeError("a game cannot vanish in its own transaction")
        players = filter(None, (game.owner_id, game.codebreaker_id))
        self.tx.changed(GameName(Source.MASTERMIND, game_id), *map(keys.player, players))
        self._moves.append(game)
        return game


Change = Callable[[MastermindTransaction, MastermindGame], MastermindGame]
"""What a use case does to a game; it returns the game after that."""


class MastermindTransactions(games_game.GameTransactions[MastermindTransaction]):
    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock, MastermindTransaction, "mastermind")


def require_seen(game: MastermindGame, player_id: int, guild_id: int | None) -> None:
    """Refuse a game that is neither the player's own nor public in the player's server."""
    is_seen = game.guild_id is not None and game.guild_id == guild_id
    if player_id not in {game.owner_id, game.codebreaker_id} and not is_seen:
        raise NotYourGameError(player_id=game.owner_id, guild_id=game.guild_id)


def secret_of(game: MastermindGame) -> Code:
    if game.hidden_code is None:
        raise RuntimeError("only its player knows this game's code")
    return game.hidden_code


def _patience(kind: Kind) -> timedelta:
    return CHALLENGE_PATIENCE if kind is Kind.CHALLENGE else SOLO_PATIENCE


log = logging.getLogger(__name__)

# Time after a move in which that move may still edit the board. Of two edits at once, the older
# might win.
_JUST_MOVED: Final = timedelta(seconds=5)


class Games:
    """Use cases across many games."""

    def __init__(self, transactions: MastermindTransactions, shards: ShardRange) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[MastermindGame]:
        """A player's open games and invitations, the one with the latest move first."""
        return await self._transactions.read(
            lambda work: store.open_of(work.tx, player_id, work.now)
        )

    async def sweep(self) -> list[MastermindGame]:
        """End all games of our shards whose deadline has passed; return those that it has ended."""
        passed = self._transactions.every(
            lambda v, after: store.passed(v.tx, v.now, after, self._shards)
        )
        swept = self._failures.each("deadline of mastermind", passed, self._sweep_one)
        return [game async for game in swept]

    async def _sweep_one(self, game_id: int) -> MastermindGame | None:
        """End a late game; None if it was ended, or moved on, meanwhile."""

        def body(work: MastermindTransaction) -> MastermindGame | None:
            game = work.about_players(game_id)
            if game is None or game.finished_at is not None or game.deadline_at > work.now:
                return None
            return work.close(game)

        return await self._transactions.write(body, game_id)

    def unshown(self) -> AsyncGenerator[MastermindGame]:
        """Yield challenges of our shards whose board shows an old revision for over 5 seconds."""
        behind = self._transactions.every(
            lambda v, after: store.unshown(v.tx, v.now - _JUST_MOVED, after, self._shards)
        )
        return self._failures.each("board of mastermind", behind, self._unshown)

    async def _unshown(self, game_id: int) -> MastermindGame | None:
        """The challenge, if its board has to be edited; None if not, or if it has just moved."""

        def body(work: MastermindTransaction) -> MastermindGame | None:
            game = store.get(work.tx, game_id)
            if game is None or game.moved_at > work.now - _JUST_MOVED:
                return None
            is_shown = game.message_id is None or game.shown >= game.revision
            return None if is_shown else game

        return await self._transactions.write(body, game_id)

    async def record(self, player_id: int) -> list[SettingRecord]:
        """A player's results as Codebreaker, in `play` and challenges, by setting."""
        results = self._transactions.read(lambda work: store.results(work.tx, player_id))
        return setting_records(await results)


def setting_records(rows: list[ResultRow]) -> list[SettingRecord]:
    records: list[SettingRecord] = []
    for notation in dict.fromkeys(row.rules for row in rows):
        own, rules = [row for row in rows if row.rules == notation], Mastermind.decode(notation)
        solved = Counter[int]()
        for row in own:
            counted = guesses_for(made=row.turns, hints=row.hints, most=rules.max_guesses)
            solved[counted] += row.games if row.ending == Ending.SOLVED else 0
        solved = +solved
        record = SettingRecord(
            rules=rules,
            games=sum(row.games for row in own),
            solved=solved.total(),
            mean=sum(solved.elements()) / solved.total() if solved else None,
            best=min(solved, default=None),
        )
        records.append(record)
    return records
