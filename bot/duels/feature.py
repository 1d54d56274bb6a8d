"""What the shared parts of the bot must know of duels."""

import random
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.db.tables.games import analyses, duel_moves, duel_seats, duel_seeks, duels
from bot.duels import store
from bot.duels.boards import Boards
from bot.duels.challenges import Inviting
from bot.duels.defending import Defending
from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.model import (
    Duel,
    DuelView,
    FinishedDuel,
    NoSuchDuelError,
    NoSuchSeekError,
    NotYourDuelError,
    State,
)
from bot.duels.moves import DuelBook, Playing, open_of
from bot.duels.position import SEATS
from bot.duels.round_words import DUEL_NAME, finished_line, listed
from bot.duels.seeking import Seeking
from bot.duels.words import COMMAND, HELP_TOPIC, RULES_TOPIC, SENTENCES, TOGETHER
from bot.feature import EndedGames, Feature, OpenGames, Part, Row, Section, withhold
from bot.games.model import (
    FAIR,
    Finished,
    GameName,
    NobodyGuessedError,
    NotAPlayerError,
    Record,
    Role,
    Source,
    StillPlayingError,
)
from bot.outages import ALL, ShardRange
from engine import Outcome

_BEFORE_PLAY: Final = {State.INVITED, State.SETTING}


@dataclass(frozen=True, slots=True)
class DuelServices:
    inviting: Inviting
    playing: Playing
    games: DuelBook
    boards: Boards
    defending: Defending
    seeking: Seeking

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        key: str,
        dice: random.Random = FAIR,
        shards: ShardRange = ALL,
    ) -> Self:
        """Build the use cases of duels.

        `key` encrypts numbers in ids. `dice` draws who moves first, and the bot's numbers.
        Deadlines are swept in the servers of `shards`.
        """
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions),
            Playing(transactions),
            DuelBook(transactions, shards),
            Boards(transactions, shards),
            Defending(transactions, key),
            Seeking(DuelTransactions(database, clock, dice, "seek"), shards),
        )


def _redact(row: Row, player_id: str, _now: datetime) -> None:
    """Withhold what a duel's player may not know, and analyses of the opponent's guesses.

    The salts and the opponent's number are hidden until the duel is over, and for ever if it was
    not played. Who moves first is hidden until it is drawn.
    """
    seats: list[Row] = row["seats"]
    own = next(seat["seat"] for seat in seats if seat["player_id"] == player_id)
    row["analyses"] = [found for found in row["analyses"] if found["seat"] == own]
    for seat in seats:
        if row["finished_at"] is None or row["playing_at"] is None:
            is_own = seat["player_id"] == player_id
            withhold(seat, ["salt"] if is_own else ["secret", "salt"])
    if row["state"] in _BEFORE_PLAY:  # the first mover is not drawn yet
        for seat in seats:
            withhold(seat, ["seat"])
        seats.sort(key=lambda seat: seat["player_id"] or "")


def _leave(tx: Transaction, player_id: int, now: datetime) -> list[str]:
    work = DuelTransaction(tx, now)
    work.leave_all(player_id)
    return [*work.report()]


def _review(tx: Transaction, player_id: int, name: GameName, _now: datetime) -> Finished:
    duel = store.get(tx, name.id)
    if duel is None:
        raise NoSuchDuelError
    own = duel.seat_of(player_id)
    if own is None:
        players = duel.player_ids
        if not duel.is_against_bot:
            raise NotAPlayerError(player_ids=players, guild_id=duel.guild_id)
        raise NotYourDuelError(player_ids=players, guild_id=duel.guild_id)
    if duel.finished_at is None:
        raise StillPlayingError
    if duel.playing_at is None:
        raise NobodyGuessedError
    games = duel.game.games
    # A player who has not guessed sees the other's guesses.
    seat = name.seat if name.seat in SEATS else own if games[own].turns else 1 - own
    breaker = duel.seats[seat].player_id
    roles = {None: Role.BOT, player_id: Role.OWN}
    return Finished(
        player_id=player_id,
        name=GameName(Source.DUEL, duel.id, seat),
        record=Record(
            duel.rules,
            duel.rules.encode(),
            games[seat].secret,
            games[seat].turns,
            _guesses_of(duel, seat),
        ),
        role=roles.get(breaker, Role.OTHER),
        breaker_id=breaker,
        guild_id=duel.guild_id,
        other_seat=1 - seat if games[1 - seat].turns else None,
        is_drawn=duel.is_against_bot and breaker is not None,
    )


def _guesses_of(duel: Duel, seat: int) -> int | None:
    """How many guesses a seat made, if the last one was a last chance to draw; else None."""
    mine, theirs = duel.game.games[seat], duel.game.games[1 - seat]
    is_answer = theirs.outcome is Outcome.SOLVED and duel.moves[-1].seat == seat
    made = len(mine.turns)
    return made if is_answer and made == len(theirs.turns) else None


def _on_page(view: DuelView) -> GameName:
    return GameName(Source.DUEL, view.duel.id)


DUELS: Final = Feature(
    sentences=SENTENCES,
    gone=(NoSuchDuelError, NoSuchSeekError, NotYourDuelError),
    leave=_leave,
    erase=store.erase,
    show_anew=store.show_anew,
    drop_ended=store.drop_ended,
    sections=(
        Section("seeks", duel_seeks),
        Section(
            "duels",
            duels,
            where=store.names,
            parts=(
                Part("seats", duel_seats.c.duel_id),
                Part("moves", duel_moves.c.duel_id),
                Part("analyses", analyses.c.duel_id),
            ),
            goes_on=duels.c.strength.is_(None) & duels.c.finished_at.is_(None),
            redact=_redact,
        ),
    ),
    unfinished=OpenGames(noun=DuelView, find=open_of, line=listed, on_page=_on_page),
    finished=EndedGames(
        source=Source.DUEL,
        noun=FinishedDuel,
        ended=store.ended,
        rows=store.finished,
        line=finished_line,
        review=_review,
        title=DUEL_NAME,
    ),
    topics=(HELP_TOPIC, RULES_TOPIC),
    commands=(COMMAND,),
    together=TOGETHER,
)
