"""Use cases of races and of their posts; `model` works out when races start, lapse and end."""

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.keyed import PAGE
from bot.db.transaction import Body
from bot.focdle.model import GuessRefusedError
from bot.focdle.plays import guessed
from bot.games import game as games_game
from bot.games.game import LEASE, clicked_message
from bot.games.model import FAIR, Channel, Source, new_salt
from bot.outages import ALL, Downtime, Outage, ShardRange
from bot.people import store as people_store
from bot.people.game import require_may_post
from bot.people.model import Choices
from bot.races import store
from bot.races.model import (
    HOLDS,
    HOUR,
    LONGEST,
    MOST_PLAYERS,
    UNPOSTED,
    WAITS,
    AloneError,
    Ending,
    NoSuchRaceError,
    NotBegunYetError,
    NotInRaceError,
    NotOpenerError,
    NotYoursToCallOffError,
    OthersWaitError,
    Race,
    RaceBegunError,
    RaceBoard,
    RaceFullError,
    RaceGuessRefusedError,
    RaceOpenError,
    RaceOverError,
    RaceSeat,
    RaceView,
    Rules,
    SeatOutcome,
    Stage,
)
from bot.refused import MovedOnError, Refused
from bot.shards.game import find_outages
from bot.text.tiles import in_letters
from engine import EngineError, Focdle, Game

log = logging.getLogger(__name__)
T = TypeVar("T")

BETWEEN_EDITS: Final = timedelta(seconds=2)
"""The least time between two edits of a post."""
_ABSENT: Final = timedelta(minutes=1)
"""The wait until the bot tries again to edit a post that it could not reach."""
_GIVEN_UP_AFTER: Final = timedelta(days=1)
"""How long after a race's end the bot tries to edit a post that it cannot reach."""


@dataclass(frozen=True, slots=True)
class _Work:
    """A transaction of one race, in which a start, lapse or end that was due is already done."""

    tx: Transaction
    race: Race
    now: datetime
    downtime: Downtime
    dice: random.Random

    @classmethod
    def on(cls, tx: Transaction, race: Race, now: datetime, dice: random.Random = FAIR) -> "_Work":
        downtime = _downtime(_outages(tx, [race], now), race)
        return cls(tx, race, now, downtime, dice).save(race.settled(now, downtime))

    def save(self, after: Race) -> "_Work":
        """Store another state; if it is the end of a round, begin the pause before the next."""
        if after is not self.race:
            store.save(self.tx, self.race, after)
            if after.goes_on(self.downtime):
                drawn = _drawn(after.rules, self.dice, self.now)
                look_at = self.now + BETWEEN_EDITS
                store.follow(self.tx, after, self.now, look_at=look_at, **drawn)
                after = replace(after, message_id=None)  # the post is the next round's
        if after.stage is not self.race.stage:
            self.tx.changed(after.channel, *(keys.player(each.player_id) for each in after.seats))
            log.info(
                "race %d: %s, %d players", after.id, after.ending or after.stage, len(after.seats)
            )
        return replace(self, race=after)

    def wait(self, player_id: int) -> None:
        """Note that a player waits for the end of this race, to open one in its channel."""
        if self.race.opener_id != player_id:
            store.wait(self.tx, self.race.id)

    @property
    def until(self) -> datetime:
        return self.race.told_until(self.downtime)

    def view(self) -> RaceView:
        race, seats = self.race, self.race.seats
        ids = {seat.player_id for seat in seats}
        names = people_store.names_in(self.tx, race.guild_id or 0, ids)
        is_pause = race.stage is Stage.LOBBY and race.follows is not None
        before = store.get(self.tx, race.follows or 0) if is_pause else None
        return RaceView(
            race,
            self.until,
            names={player_id: row.name for player_id, row in names.items()},
            faces=people_store.faces(self.tx, list(ids)),
            taken={seat.seat: race.taken(seat, self.downtime) for seat in seats},
            before=None if before is None else _Work.on(self.tx, before, self.now).view(),
        )

    def seen_by(self, player_id: int, place: Channel | None) -> RaceSeat | None:
        """Return a player's seat; without one, only those who are in the race's channel see it."""
        seat = self.race.seat_of(player_id)
        if seat is None and (place is None or place != self.race.channel):
            raise NoSuchRaceError
        return seat

    def board(self, player_id: int) -> RaceBoard:
        """Return a player's board.

        Raises:
            NotInRaceError, NotBegunYetError, RaceOverError: the player has no board.
        """
        seat = self.race.seat_of(player_id)
        if seat is None:
            raise NotInRaceError
        if self.race.started_at is None:
            if self.race.stage is Stage.OVER:
                raise RaceOverError
            raise NotBegunYetError(starts_at=self.until)
        choices = people_store.choices.get(self.tx, player_id) or Choices()
        return RaceBoard(self.view(), seat, choices)

    def guess(self, player_id: int, text: str, *, as_probe: bool, at: int | None) -> RaceBoard:
        """Make a guess on a player's board; one that is done, or whose race is over, stays."""
        board = self.board(player_id)
        if not board.is_on:
            return board
        if at not in {None, len(board.seat.guesses)}:
            raise MovedOnError
        game = _guessed(board, text, as_probe=as_probe)
        store.add_guess(self.tx, self.race, board.seat, game.turns[-1].guess, self.now)
        work = self.save(self.race.guessed(board.seat, game, self.now, self.downtime))
        seat = work.race.seat_of(player_id) or board.seat
        return replace(board, view=work.view(), seat=seat)


Use = Callable[[_Work], T]
"""The body of a transaction of one race."""


class Races:
    """Use cases of races.

    Args:
        dice: draws secrets.
        shards: the shards of the servers whose posts this process edits.
    """

    def __init__(
        self, database: Database, clock: Clock, dice: random.Random, shards: ShardRange = ALL
    ) -> None:
        self._database = database
        self._clock = clock
        self._dice = dice
        self._shards = shards

    async def open(
        self,
        player_id: int,
        place: Channel,
        rules: Rules,
        rounds: int = 1,
        *,
        on_page: bool = False,
    ) -> RaceView:
        """Open a race, or an evening of several, in a channel; its post is still to be sent.

        On the page nobody has clicked in Discord: the process with the server's shard posts it.
        The opener takes part at once, unless hidden: those first read that others will see them.

        Raises:
            RaceOpenError: one is open there.
            OthersWaitError: others wait, and the player's races have held the channel for long.
            PostedTooOftenError, EnoughGamesError: the player has posted, or begun, too many.
        """

        def body(tx: Transaction) -> RaceView:
            now = self._clock.now()
            self._require_room(tx, player_id, place, now)
            require_may_post(tx, player_id, place.guild_id, now)
            joins = not people_store.is_hidden(tx, player_id)
            if joins:
                games_game.begin(tx, player_id, now)
            people_store.add_post(tx, player_id, place.guild_id, now)
            race_id = store.add(
                tx,
                opener_id=player_id,
                **asdict(place),
                rounds=rounds,
                first_at=now,
                **_drawn(rules, self._dice, now),
                look_at=now if on_page else now + LEASE,
                shown=UNPOSTED if on_page else "",
            )
            if joins:
                store.add_seat(tx, race_id, RaceSeat(0, player_id, now))
            tx.changed(place)
            return _Work.on(tx, _find(tx, race_id), now).view()

        about = keys.player(player_id), keys.server(place.guild_id)
        try:
            return await self._database.write(body, *about)
        except RaceOpenError:
            for race_id in await self.open_in(place):
                await self._write(lambda work: work.wait(player_id), race_id)
            raise

    def _require_room(self, tx: Transaction, player_id: int, place: Channel, now: datetime) -> None:
        """Refuse a race where one is open, or where others wait and the player had theirs.

        A race takes `LONGEST` at most, so nobody's hold the channel for longer than `HOLDS`.
        """
        lately = store.open_in(tx, place, now - HOUR)
        outages, held, until = _outages(tx, lately, now), LONGEST, now
        for race in lately:
            downtime = _downtime(outages, race)
            after = race.settled(now, downtime)
            if after.finished_at is None or after.goes_on(downtime):
                raise RaceOpenError
            if race.opener_id == player_id:
                held += after.finished_at - max(race.opened_at, now - HOUR)
            if race.is_awaited:
                until = after.finished_at + WAITS
        if held > HOLDS and now < until:
            raise OthersWaitError(again_at=until)

    async def open_in(self, place: Channel) -> list[int]:
        """List the ids of a channel's races without a stored end, even if their end is due."""
        found = await self._database.read(lambda tx: store.open_in(tx, place))
        return [race.id for race in found]

    async def seen_in(self, place: Channel) -> list[RaceView]:
        """List the races that go on in a channel and have a post there."""

        def body(tx: Transaction) -> list[RaceView]:
            now = self._clock.now()
            found = [_Work.on(tx, race, now) for race in store.open_in(tx, place)]
            posted = [work.view() for work in found if work.race.message_id is not None]
            return [view for view in posted if view.race.stage is not Stage.OVER]

        return await self._database.read(body)

    async def take_back(self, view: RaceView) -> None:
        """Delete a race that could not be posted; one whose post was noted stays."""
        race_id = view.race.id
        await self._database.write(
            lambda tx: store.drop_unposted(tx, race_id), keys.game(Source.RACE, race_id)
        )

    async def posted(self, view: RaceView, message_id: int) -> None:
        race_id = view.race.id
        look_at = self._clock.now() + BETWEEN_EDITS

        def body(tx: Transaction) -> None:
            shown = {"message_id": message_id, "shown": view.state, "look_at": look_at}
            store.posts.change(tx, race_id, **shown)
            tx.changed(view.race.channel)

        await self._database.write(body, keys.game(Source.RACE, race_id))

    async def join(self, player_id: int, race_id: int, place: Channel) -> RaceView:
        """Let a player join; a second time changes nothing.

        Raises:
            NoSuchRaceError: this channel has no such race.
            RaceBegunError, RaceOverError, RaceFullError: nobody can join now.
            EnoughGamesError: the player has begun too many games today.
        """

        def use(work: _Work) -> RaceView:
            race, now = work.race, work.now
            clicked = clicked_message(Source.RACE, race.id)
            is_noted = race.message_id is not None or race.stage is Stage.OVER
            if not is_noted and clicked is not None:
                store.posts.change(work.tx, race.id, message_id=clicked.message_id, look_at=now)
                race = replace(race, message_id=clicked.message_id)
                work = replace(work, race=race)
            if race.seat_of(player_id) is not None:
                return work.view()
            if race.stage is not Stage.LOBBY:
                raise RaceOverError if race.stage is Stage.OVER else RaceBegunError
            if len(race.seats) >= MOST_PLAYERS:
                raise RaceFullError(players=MOST_PLAYERS)
            games_game.begin(work.tx, player_id, now)
            number = 1 + max((seat.seat for seat in race.seats), default=-1)
            seat = RaceSeat(number, player_id, now, is_ready=race.round > 1)
            store.add_seat(work.tx, race.id, seat)
            work.tx.changed(race.channel)
            race = replace(race, seats=(*race.seats, seat))
            work = replace(work, race=race)
            if len(race.seats) > 1 and race.second_at is None:
                work = work.save(replace(race, second_at=now))
            return work.view()

        return await self._write(use, race_id, place, player_id)

    async def start(self, player_id: int, race_id: int, place: Channel | None = None) -> RaceView:
        """Start a race before its time; one that runs already stays as it is.

        A later round of an evening starts when all who are waited for have called this.

        Raises:
            NoSuchRaceError: this channel has no such race.
            NotOpenerError, AloneError, NotInRaceError, RaceOverError: the player cannot do so now.
        """

        def use(work: _Work) -> RaceView:
            race = work.race
            if race.stage is Stage.OVER:
                raise RaceOverError
            if race.stage is Stage.RUNNING:
                return work.view()
            if race.second_at is None:
                raise AloneError
            if race.round > 1:
                seat = race.seat_of(player_id)
                if seat is None:
                    raise NotInRaceError
                return work.save(race.readied(seat, work.now)).view()
            if race.opener_id != player_id:
                raise NotOpenerError(starts_at=work.until)
            return work.save(replace(race, started_at=work.now)).view()

        return await self._write(use, race_id, place)

    async def call_off(
        self, player_id: int, race_id: int, place: Channel | None = None, *, is_manager: bool
    ) -> None:
        """End a race without a winner.

        Raises:
            NoSuchRaceError: this channel has no such race.
            NotYoursToCallOffError, RaceOverError: the player cannot call the race off now.
        """

        def use(work: _Work) -> None:
            if work.race.stage is Stage.OVER:
                raise RaceOverError
            if not is_manager and not can_call_off(work.race, player_id):
                raise NotYoursToCallOffError
            work.save(work.race.ended(Ending.CALLED_OFF, work.now, work.downtime))

        await self._write(use, race_id, place)

    async def look(self, race_id: int, place: Channel) -> Race:
        """Return a race, for anybody who sees its post.

        Raises:
            NoSuchRaceError: this channel has no such race.
        """
        return await self._read(lambda work: work.race, race_id, place)

    async def board(self, player_id: int, race_id: int, place: Channel | None) -> RaceBoard:
        """Return a player's board.

        Raises:
            NoSuchRaceError: this channel has no such race.
            NotInRaceError, NotBegunYetError, RaceOverError: the player has no board.
        """
        return await self._read(lambda work: work.board(player_id), race_id, place)

    async def of(self, player_id: int, race_id: int, place: Channel | None) -> Race:
        """Return a race that a player may see, as `see` does.

        Raises:
            NoSuchRaceError: this channel has no such race, and the player is not in it.
        """

        def use(work: _Work) -> Race:
            work.seen_by(player_id, place)
            return work.race

        return await self._read(use, race_id, None)

    async def see(
        self, player_id: int, race_id: int, place: Channel | None
    ) -> tuple[RaceView, RaceBoard | None]:
        """Return a race as its channel sees it, and the player's own board if there is one.

        Raises:
            NoSuchRaceError: this channel has no such race, and the player is not in it.
        """

        def use(work: _Work) -> tuple[RaceView, RaceBoard | None]:
            race, seat = work.race, work.seen_by(player_id, place)
            has_board = seat is not None and race.started_at is not None
            view = work.view()
            if race.stage is Stage.OVER and (found := store.next_of(work.tx, race)):
                next_id, goes_on = found
                if race.channel == place or (goes_on and seat is not None):
                    view = replace(view, next_id=next_id, goes_on=goes_on)
            return view, work.board(player_id) if has_board else None

        return await self._read(use, race_id, None)

    async def guess(
        self,
        player_id: int,
        race_id: int,
        place: Channel | None,
        text: str,
        *,
        as_probe: bool = False,
        at: int | None = None,
    ) -> RaceBoard:
        """Make a typed guess; with `as_probe`, even if the player's preferences warn of it.

        If the player is done, or the race over, the board stays as it is. `at` is the number of
        guesses that the player saw there; None for any.

        Raises:
            As `board`.
            MovedOnError: the board has another number of guesses.
            RaceGuessRefusedError: the text is no guess, or the guess is not allowed now.
        """
        return await self._write(
            lambda work: work.guess(player_id, text, as_probe=as_probe, at=at), race_id, place
        )

    async def _write(
        self, use: Use[T], race_id: int, place: Channel | None = None, *player_ids: int
    ) -> T:
        """Run a use case; even if that refuses, store the start, lapse or end that is due."""
        about = (keys.game(Source.RACE, race_id), *map(keys.player, player_ids))
        return _told(await self._database.write(self._body(use, race_id, place), *about))

    async def _read(self, use: Use[T], race_id: int, place: Channel | None) -> T:
        """Run a use case that reads; store only the start, lapse or end that is due."""
        return _told(await self._database.read(self._body(use, race_id, place)))

    def _body(self, use: Use[T], race_id: int, place: Channel | None) -> Body[T | Refused]:
        def body(tx: Transaction) -> T | Refused:
            try:
                race = _find(tx, race_id, place)
                return use(_Work.on(tx, race, self._clock.now(), self._dice))
            except Refused as refused:
                return refused

        return body

    async def outdated(self) -> list[int]:
        """List the races with an outdated post, or with a start, lapse or end that is due."""
        now, after, found = self._clock.now(), 0, list[int]()
        while True:

            def body(tx: Transaction, after: int = after) -> tuple[list[Race], list[Outage]]:
                due = store.to_look_at(tx, now, now - LEASE, self._shards, after)
                return due, _outages(tx, due, now)

            due, outages = await self._database.read(body)
            found += [race.id for race in due if _is_outdated(race, _downtime(outages, race), now)]
            if len(due) < PAGE:
                return found
            after = due[-1].id

    async def claim(self, race_id: int) -> RaceView | None:
        """Claim the edit of a post; None if it is not due, others edit it, or its race is gone."""

        def use(work: _Work) -> RaceView | None:
            if not store.posts.claim(work.tx, race_id, work.now, work.now - LEASE):
                return None
            return replace(work.view(), claimed_at=work.now)

        try:
            return await self._write(use, race_id)
        except NoSuchRaceError:
            return None

    async def shown(self, view: RaceView, message_id: int) -> None:
        """Note what a post shows, and release its claim; one that shows the end is final."""
        is_final = view.race.stage is Stage.OVER
        look_at = None if is_final else self._clock.now() + BETWEEN_EDITS
        await self._release(view, message_id=message_id, shown=view.state, look_at=look_at)

    async def lost(self, view: RaceView) -> None:
        """Call off a race whose post is gone or was never sent, unless it is over."""

        def use(work: _Work) -> None:
            if work.race.stage is not Stage.OVER:
                work.save(work.race.ended(Ending.CALLED_OFF, work.now, work.downtime))
            store.posts.change(work.tx, view.race.id, look_at=None, tried_at=None)

        await self._write(use, view.race.id)

    async def unreachable(self, view: RaceView) -> None:
        """Put off a post that the bot cannot edit now; give it up a day after the race's end."""
        now, finished_at = self._clock.now(), view.race.finished_at
        is_late = finished_at is not None and now > finished_at + _GIVEN_UP_AFTER
        await self._release(view, look_at=None if is_late else now + _ABSENT)

    async def _release(self, view: RaceView, **values: object) -> None:
        race = view.race

        def body(tx: Transaction) -> None:
            store.posts.release(tx, race.id, view.claimed_at, **values)
            if race.message_id is None:
                tx.changed(race.channel)

        await self._database.write(body, keys.game(Source.RACE, race.id))
        if race.stage is Stage.RUNNING and race.round < race.rounds:
            await self._show_next(race)

    async def _show_next(self, race: Race) -> None:
        """Have the post edited anew if, during an edit of a round, it has become the next one's."""
        found = await self._database.read(lambda tx: store.next_of(tx, race))
        if found is not None:
            next_id, _ = found
            anew = {"look_at": self._clock.now() + BETWEEN_EDITS, "shown": ""}
            key = keys.game(Source.RACE, next_id)
            await self._database.write(lambda tx: store.posts.change(tx, next_id, **anew), key)


def _drawn(rules: Rules, dice: random.Random, now: datetime) -> dict[str, object]:
    secret = rules.draw(dice)
    while secret.count("%") > 1:  # to find two remainders takes too long for a race
        secret = rules.draw(dice)
    return {"rules": rules.encode(), "opened_at": now, "secret": secret, "salt": new_salt()}


def can_call_off(race: Race, player_id: int) -> bool:
    """True if a player may call off a race that is not over, as its opener before any guess."""
    is_new = race.round == 1 and not race.guesses
    return race.stage is not Stage.OVER and race.opener_id == player_id and is_new


def going_on(tx: Transaction, player_id: int, now: datetime) -> list[RaceView]:
    """List the posted races in which a player has guesses to make, or waits for the start."""
    found = store.unfinished_of(tx, player_id)
    outages, going = _outages(tx, found, now), list[RaceView]()
    for race in found:
        downtime = _downtime(outages, race)
        after, seat = race.settled(now, downtime), race.seat_of(player_id)
        is_theirs = seat is not None and seat.outcome is None and race.message_id is not None
        if is_theirs and after.stage is not Stage.OVER:
            going.append(RaceView(after, after.told_until(downtime)))
    return going


def leave_all(tx: Transaction, player_id: int, now: datetime) -> None:
    """Let a player whose data are being deleted leave all races; call off lobbies they opened."""
    for found in store.unfinished_of(tx, player_id):
        work = _Work.on(tx, found, now)
        race, seat = work.race, work.race.seat_of(player_id)
        if race.stage is Stage.LOBBY and can_call_off(race, player_id):
            work.save(race.ended(Ending.CALLED_OFF, now, work.downtime))
        elif race.stage is Stage.LOBBY and seat is not None:
            store.drop_seat(tx, race.id, seat.seat)
            tx.changed(race.channel)
            if len(race.seats) <= 2:  # noqa: PLR2004 - there is no second any more
                store.posts.change(tx, race.id, second_at=None)
        elif race.stage is Stage.RUNNING and seat is not None and seat.outcome is None:
            left = replace(seat, outcome=SeatOutcome.LEFT, finished_at=now)
            work.save(race.with_seat(left, now, work.downtime))


def _told(found: T | Refused) -> T:
    if isinstance(found, Refused):
        raise found
    return found


def _guessed(board: RaceBoard, text: str, *, as_probe: bool) -> Game[Any]:
    rules = board.race.rules
    try:
        if isinstance(rules, Focdle):
            return guessed(board.play(rules), text, as_probe=as_probe)
        return board.game.guess(rules.parse(in_letters(text)))
    except (EngineError, GuessRefusedError) as error:
        cause = error.cause if isinstance(error, GuessRefusedError) else error
        raise RaceGuessRefusedError(board=board, text=text, cause=cause) from error


def _is_outdated(race: Race, downtime: Downtime, now: datetime) -> bool:
    after = race.settled(now, downtime)
    if race.guild_id is None:
        return after is not race
    return race.shown != RaceView(after, after.told_until(downtime)).state


def _outages(tx: Transaction, races: Sequence[Race], now: datetime) -> list[Outage]:
    if not races:
        return []
    since = min(race.opened_at for race in races)
    until = max(race.finished_at or now for race in races)
    return find_outages(tx, since, until, now, with_brief=True)


def _downtime(outages: Sequence[Outage], race: Race) -> Downtime:
    return Downtime(outage for outage in outages if outage.shard.serves(race.guild_id))


def _find(tx: Transaction, race_id: int, place: Channel | None = None) -> Race:
    found = store.get(tx, race_id)
    if found is None or (place and place != found.channel):
        raise NoSuchRaceError
    return found
