"""Parts of duels' use cases in a transaction: reading, deadlines, limits, ratings, ends."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.duels import store
from bot.duels.model import (
    PLAYED,
    RATED_WITHIN,
    TURN,
    AlreadyUnderWayError,
    Duel,
    DuelGoesOnError,
    DuelOverError,
    DuelStateError,
    DuelView,
    Event,
    Friendly,
    HasBegunError,
    NewDuel,
    NoSuchDuelError,
    NotAcceptedYetError,
    NotBegunError,
    NotYourDuelError,
    SeatView,
    SecretFixedError,
    SecretMissingError,
    State,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
    permits,
)
from bot.duels.position import (
    Verdict,
    begun,
    ended,
    verdict_of_time,
    verdict_on,
    waits_since,
    with_nudge,
    with_stale_board,
)
from bot.games import game as games_game
from bot.games.model import FAIR, Source, new_salt
from bot.leaderboards import game as leaderboards_game
from bot.leaderboards.game import shared_dailies
from bot.moderation import store as moderation_store
from bot.outages import Downtime
from bot.people import store as people_store
from bot.people.game import deleted_until
from bot.people.model import Face
from bot.ratings import store as ratings_store
from bot.ratings.game import START, of_age_at, rated
from bot.ratings.model import Rating, RatingChange, Stake
from bot.shards.game import find_outages, is_away
from bot.text.markup import is_forgotten
from engine import BullsAndCows, Code, Mode


def rating_of(tx: Transaction, player_id: int) -> Rating:
    return ratings_store.get(tx, player_id) or START


def stakes(tx: Transaction, player_ids: tuple[int, int]) -> tuple[Stake, Stake]:
    """The points that each of two players would win or lose by a rated duel now."""
    found = ratings_store.of_players(tx, player_ids)
    first, second = (found.get(player_id, START) for player_id in player_ids)
    won, lost = (rated((first, second), winner) for winner in (0, 1))
    return (
        Stake(won[0].points - first.points, first.points - lost[0].points),
        Stake(lost[1].points - second.points, second.points - won[1].points),
    )


def rate(tx: Transaction, duel: Duel, now: datetime) -> None:
    """Update the ratings and leaderboard rows of both players after a rated duel."""
    first_id, second_id = duel.player_ids
    at, pair = duel.finished_at or now, (first_id, second_id)
    shown_in = {player: moderation_store.shown_in(tx, player) for player in pair}
    tx.about(*(keys.server(guild_id) for there in shown_in.values() for guild_id in there))
    found, known = ratings_store.of_players(tx, pair), ratings_store.changed_on(tx, pair, at)
    before = found.get(first_id, START), found.get(second_id, START)
    for seat, moved in enumerate(rated(before, duel.winner)):
        player_id, old = pair[seat], before[seat]
        after = replace(moved, dates=old.dates + (player_id not in known))
        change = RatingChange(duel.id, player_id, pair[1 - seat], old, after, at)
        ratings_store.change(tx, change)
        leaderboards_game.duel_rated(tx, change, now, shown_in[player_id])


def _face(tx: Transaction, duel: Duel) -> Face | None:
    player_id = duel.challenger_id if duel.state is State.INVITED else None
    if duel.winner is not None:
        player_id = duel.seats[duel.winner].player_id
    return None if player_id is None else people_store.face(tx, player_id)


def _pair(duel: Duel) -> tuple[int, int] | None:
    """Both players by seat, but the challenger first in an invitation; None with the bot."""
    first, second = (seat.player_id for seat in duel.seats)
    if first is None or second is None:
        return None
    is_turned = duel.state is State.INVITED and duel.challenger_id == second
    return (second, first) if is_turned else (first, second)


MOST_OPEN: Final = 10
"""The most open duels that a player may have; challenges to answer do not count."""
MOST_OPEN_OF_PAIR: Final = 3
"""The most open duels of two players, challenges included."""
MOST_RATED: Final = 2
"""How many of the duels that the same two players accept in seven days are rated."""

# Events by which a player leaves a duel. If it is being played, the other player wins.
_WAYS_OUT: Final = (Event.WITHDRAW, Event.DECLINE, Event.RESIGN, Event.CALL_OFF)
_CHALLENGE_EVENTS: Final = {Event.CHANGE, Event.ACCEPT, Event.DECLINE, Event.WITHDRAW}
_REFUSALS: Final[Mapping[Event, type[DuelStateError]]] = {
    Event.SET_SECRET: SecretFixedError,
    Event.CALL_OFF: HasBegunError,
    Event.RESIGN: NotBegunError,
}
"""Why these events are refused in an accepted duel; other events have common reasons."""


class DuelTransaction(games_game.GameTransaction):
    """One transaction of duels. Use cases are built from its methods."""

    def __init__(self, tx: Transaction, now: datetime, dice: random.Random = FAIR) -> None:
        super().__init__(tx, now)
        self.dice = dice
        self._stored: dict[int, Duel] = {}
        self._changed: list[Duel] = []
        self._downtimes: dict[int, Downtime] = {}
        self._closed: dict[int, int] = {}

    def report(self) -> Iterable[str]:
        for duel in self._changed:
            state = duel.ending or duel.state
            yield f"duel {duel.id}, {duel.mode.value}: {len(duel.moves)} moves, {state}"
        for game_id in self._closed:
            yield f"mastermind {game_id}, defend: {games_game.AT_STAKE}"

    def duel(self, duel_id: int) -> Duel:
        """A duel as stored: it does not end here, even if its deadline has passed."""
        found = store.get(self.tx, duel_id)
        if found is None:
            raise NoSuchDuelError
        return self.track(found)

    def track(self, duel: Duel) -> Duel:
        """Remember a duel as stored, so that `save` writes only the differences; return it."""
        self._stored[duel.id] = duel
        return duel

    def unfinished(self, player_id: int) -> list[Duel]:
        return [self.track(duel) for duel in store.unfinished(self.tx, player_id)]

    def players_duel(self, player_id: int, duel_id: int) -> tuple[Duel, int]:
        """A player's duel, which ends if a deadline has passed, and the player's seat."""
        duel = self.duel(duel_id)
        seat = duel.seat_of(player_id)
        if seat is None:
            # A stranger's click ends nothing, since the board would not be updated.
            raise NotYourDuelError(player_ids=duel.player_ids, guild_id=duel.guild_id)
        return self.settled(duel), seat

    def settled(self, duel: Duel) -> Duel:
        """End a duel if a player is late; else store a new deadline in place of a passed one."""
        if duel.deadline_at is None or duel.deadline_at > self.now:
            return duel
        due = self._deadline(duel)
        if due is None:
            return duel
        if due <= self.now:
            return self.end(duel, verdict_of_time(duel), due)
        return self.save(with_stale_board(duel.changed(deadline_at=due), self.now))

    def is_late(self, duel: Duel) -> bool:
        """True if `settled` would end a duel."""
        if duel.deadline_at is None or duel.deadline_at > self.now:
            return False
        due = self._deadline(duel)
        return due is not None and due <= self.now

    def _deadline(self, duel: Duel) -> datetime | None:
        """When the player who is waited for is late, after outages; None if no time runs."""
        since = waits_since(duel)
        return None if since is None else self.downtime(duel).end_of(since, TURN)

    def require(self, duel: Duel, event: Event, seat: int) -> None:
        """Refuse an event that a player may not cause now.

        Raises:
            DuelStateError: the subclass says why.
        """
        state, is_challenger = duel.state, seat == duel.challenger
        is_begun = state is State.PLAYING and event is Event.CALL_OFF and not duel.is_untouched
        if is_begun or not permits(state, event, is_challenger=is_challenger):
            raise _refusal(state, event)(view=self.view(duel))

    def require_fair(self, player_id: int, rules: BullsAndCows) -> None:
        """Refuse if the bot's guesses at such numbers would help the player in a game that counts.

        Such a game is a ranked Mastermind, or a rated duel.
        """
        games_game.require_nothing_at_stake(self.tx, player_id, rules, self.now)

    def require_room(
        self, player_id: int, opponent_id: int | None = None, *, against_bot: bool = False
    ) -> None:
        duels = store.unfinished(self.tx, player_id)
        duels = [duel for duel in duels if not self.is_late(duel)]
        # Those with the bot, which no time ends, keep nobody from playing with others. Challenges
        # do not count, so that nobody can be kept from playing by them.
        duels = [duel for duel in duels if duel.is_against_bot == against_bot]
        mine = [duel for duel in duels if duel.challenger_id == player_id or duel.accepted_at]
        if len(mine) >= MOST_OPEN:
            raise TooManyDuelsError(duels=MOST_OPEN)
        if opponent_id is not None:
            shared = [duel for duel in duels if duel.seat_of(opponent_id) is not None]
            if len(shared) >= MOST_OPEN_OF_PAIR:
                raise TooManyDuelsOfPairError(player_id=opponent_id, duels=MOST_OPEN_OF_PAIR)

    def about_players(self, duel: Duel) -> None:
        """Lock both players of a duel, before anything else of theirs is counted or changed."""
        self.tx.about(*map(keys.player, duel.player_ids))

    def save(self, duel: Duel) -> Duel:
        """Store the differences since a duel was read or last saved; return it."""
        store.save(self.tx, self._stored[duel.id], duel)
        self._stored[duel.id] = duel
        return duel

    def touch(self, duel: Duel, *, passes: bool = False) -> Duel:
        """Save a duel, with its new deadline, after a change that does not end it.

        `passes` says that the duel may now wait for another player.
        """
        since = waits_since(duel)
        after = duel.changed(deadline_at=None if since is None else since + TURN)
        if passes:
            after = with_nudge(after.changed(moved_at=self.now), self.now)
        after = with_stale_board(_posted(after), self.now)
        self._changed.append(after)
        return self.save(after)

    def guess(self, after: Duel) -> Duel:
        """Save a duel after a guess, which may end it."""
        verdict = verdict_on(after)
        return self.touch(after, passes=True) if verdict is None else self.end(after, verdict)

    def end(self, duel: Duel, verdict: Verdict, at: datetime | None = None) -> Duel:
        after = ended(duel, verdict, at or self.now)
        after = with_stale_board(_posted(with_nudge(after, self.now)), self.now)
        self.save(after)
        self._changed.append(after)
        if after.rated and after.ending in PLAYED:
            self.about_players(after)
            rate(self.tx, after, self.now)
        return after

    def begin(self, duel: Duel, seat: int, number: Code) -> Duel:
        """Begin to play a duel with the number of a seat, which was missing.

        Whether it is rated is settled here.

        A rated duel ends games in which the bot's guesses could help one of the players. One that
        a player accepts soon after a deletion of their data is not rated.
        """
        self.about_players(duel)  # of two that the same two accept at once, one counts the other
        duel = duel.changed(rated=self.why_friendly(duel, duel.player_ids) is None)
        if duel.rated:
            for player_id in duel.player_ids:
                closed = games_game.close_defences(self.tx, player_id, duel.rules, self.now)
                self._closed.update(dict.fromkeys(closed, player_id))
        return self.touch(begun(duel, seat, number, new_salt(), self.now), passes=True)

    def why_friendly(self, duel: Duel | NewDuel, player_ids: Sequence[int]) -> Friendly | None:
        """Why a duel would be friendly if it were accepted now; None if it would be rated."""
        if duel.friendly or duel.mode is Mode.CLASSIC or duel.strength is not None:
            return Friendly.CHOSEN
        if any(deleted_until(self.tx, player_id, self.now) for player_id in player_ids):
            return Friendly.CHOSEN  # whoever has deleted their data tells it themselves
        if any(of_age_at(player_id) > self.now for player_id in player_ids):
            return Friendly.YOUNG
        since = self.now - RATED_WITHIN
        before = store.count_rated(self.tx, *player_ids, since=since)
        return Friendly.OFTEN if before >= MOST_RATED else None

    def has_closed(self, player_id: int) -> bool:
        """True if this transaction has ended a game in which the bot guessed this player's code."""
        return player_id in self._closed.values()

    def leave_all(self, player_id: int) -> None:
        """End all duels of a player being deleted; those past a deadline end by that deadline.

        Their open seek ends, too.
        """
        store.end_seeks_of(self.tx, player_id, self.now)
        for found in self.unfinished(player_id):
            duel = self.settled(found)
            if duel.finished_at is not None:
                continue
            seat = duel.seat_of(player_id) or 0
            state, is_challenger = duel.state, seat == duel.challenger
            event = next(e for e in _WAYS_OUT if permits(state, e, is_challenger=is_challenger))
            winner = 1 - seat if state is State.PLAYING else None
            self.end(duel, Verdict(event, winner))

    def downtime(self, duel: Duel) -> Downtime:
        """The outages of the duel's server while it is open, without brief ones."""
        if duel.id not in self._downtimes:
            until = duel.finished_at or self.now
            outages = find_outages(self.tx, duel.opened_at, until, self.now, with_brief=False)
            here = (outage for outage in outages if outage.shard.serves(duel.guild_id))
            self._downtimes[duel.id] = Downtime(here)
        return self._downtimes[duel.id]

    def is_away(self, duel: Duel) -> bool:
        """True if nobody can play a duel now, because the bot has no connection to its server."""
        return is_away(self.tx, duel.guild_id, self.now)

    def view(self, duel: Duel) -> DuelView:
        """The duel with the facts around it; the ratings are left out while it is played."""
        tx = self.tx
        ids = [player_id for player_id in duel.player_ids if not is_forgotten(player_id)]
        is_over, is_invited = duel.state is State.OVER, duel.state is State.INVITED
        ratings: dict[int, Rating] = {}
        if duel.state is not State.PLAYING:
            ratings = {**dict.fromkeys(ids, START), **ratings_store.of_players(tx, ids)}
        changes = ratings_store.of_duel(tx, duel.id) if is_over else []
        changed = {change.player_id: change for change in changes}
        pair, record, shared = _pair(duel), None, None
        friendly, staked = None, dict[int, Stake]()
        if pair is not None and (is_over or is_invited):
            record = ratings_store.record(tx, *pair, PLAYED)
        if pair is not None and is_invited:
            shared = shared_dailies(tx, *pair, duel.opened_at)
            friendly = self.why_friendly(duel, pair)
            if friendly is None:
                staked = dict(zip(pair, stakes(tx, pair), strict=True))

        def side(seat: int) -> SeatView:
            player_id = duel.seats[seat].player_id
            if player_id is None:
                return SeatView(duel, seat)
            rating, change = ratings.get(player_id), changed.get(player_id)
            return SeatView(duel, seat, rating, change, staked.get(player_id))

        return DuelView(
            duel=duel,
            seats=(side(0), side(1)),
            head_to_head=record,
            shared=shared,
            friendly=friendly,
            deadline_at=self._deadline(duel),
            is_rematch=duel.rematch_of is not None
            and (duel.finished_at is None or duel.accepted_at is None)
            and store.is_rematch(tx, duel.id),
            face=_face(tx, duel),
        )


class DuelTransactions(games_game.GameTransactions[DuelTransaction]):
    """Transactions of duels or, with the other `subject`, of seeks, which become duels."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        dice: random.Random,
        subject: str = "duel",
    ) -> None:
        make = partial(DuelTransaction, dice=dice)
        super().__init__(database, clock, make, subject)


def _posted(duel: Duel) -> Duel:
    """The duel with the clicked message as its board, if none is noted."""
    clicked = games_game.clicked_message(Source.DUEL, duel.id)
    if clicked is None or duel.message_id is not None or duel.is_against_bot:
        return duel
    return duel.changed(channel_id=clicked.channel_id, message_id=clicked.message_id)


def _refusal(state: State, event: Event) -> type[DuelStateError]:
    if event is Event.REMATCH:
        return DuelGoesOnError
    if state is State.OVER:
        return DuelOverError
    if event in _CHALLENGE_EVENTS:
        return AlreadyUnderWayError
    if state is State.INVITED:
        return NotAcceptedYetError
    return _REFUSALS.get(event, SecretMissingError)
