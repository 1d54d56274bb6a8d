"""Use cases of set equations: set, post, play, close."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeVar

from bot.clock import Clock, first_running
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.keyed import PAGE
from bot.db.transaction import Body
from bot.equations import store
from bot.equations.model import (
    FINAL_AFTER,
    MOST_IN_A_CHANNEL,
    OPEN_FOR,
    UNPLAYED_FOR,
    ChannelFullError,
    EquationClosedError,
    EquationRefusedError,
    EquationsOffError,
    ExampleError,
    NoSuchEquationError,
    NotYourEquationError,
    OneEquationError,
    OwnEquationError,
    SetEquation,
    TodaysAnswerError,
)
from bot.focdle import store as focdle_store
from bot.focdle.model import EXAMPLES, Play
from bot.focdle.plays import begin, list_again, read_own
from bot.games import game as games_game
from bot.games.game import LEASE
from bot.games.model import Channel, new_salt
from bot.moderation import store as moderation_store
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.people.game import find_place, require_may_post
from bot.people.model import Face, ServerChoices
from bot.posts import store as posts_store
from bot.posts.cards import BETWEEN_EDITS, MOST_ROWS, CardRow
from engine import Code, EngineError, Focdle, NotationError, Problem

T = TypeVar("T")

Due = list[tuple[int, str]]
"""Ids of equations, each with the stored digest of what its post shows."""

_ABSENT: Final = timedelta(hours=1)
"""The wait until a post that is out of reach is looked at again."""
_OTHER_LENGTH: Final = frozenset({Problem.TOO_SHORT, Problem.TOO_LONG, Problem.OTHER_LENGTH})


@dataclass(frozen=True, slots=True)
class EquationPost:
    """The post of an equation, as the channel sees it.

    Attributes:
        setter: the name of the setter in the server; empty if it is unknown, or if the setter is
            hidden or off.
        face: the setter's avatar; None if the setter is hidden or off.
        rows: finished boards, the best first.
        total: the number of all finished boards, of which `rows` has the best.
        state: a digest of all that the post should show, to be compared with `Equation.shown`.
        claimed_at: the time of this process's claim to edit it; None without a claim.
    """

    equation: SetEquation
    is_open: bool
    setter: str
    face: Face | None
    rows: tuple[CardRow, ...]
    total: int
    state: str
    claimed_at: datetime | None = None


def read_equation(text: str) -> tuple[Focdle, Code]:
    """Parse a true equation; return the rules of its length, and the equation.

    Raises:
        EquationRefusedError: the text is no true equation.
    """
    rules = Focdle()
    try:
        try:
            code = rules.parse(text)
        except NotationError as error:
            if error.problem not in _OTHER_LENGTH:
                raise
            rules = Focdle(error.found)
            code = rules.parse(text)
        rules.check_true(code)
    except EngineError as error:
        raise EquationRefusedError(text=text, cause=error) from error
    return rules, code


class Equations:
    """Use cases of set equations.

    Args:
        shards: the shards of the servers whose posts this process edits.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def prepare(self, setter_id: int, place: Channel, invited_id: int | None) -> None:
        """Raise the refusals of `set` that do not depend on the equation."""
        await self._database.read(lambda tx: self._require_room(tx, setter_id, place, invited_id))

    async def set(
        self, setter_id: int, place: Channel, text: str, invited_id: int | None = None
    ) -> EquationPost:
        """Set an equation for a channel; its post is still to be sent.

        In a full channel, this closes an equation that nobody has played for long.

        Raises:
            EquationRefusedError: the text is no true equation.
            ExampleError: the equation is an example that boards show.
            TodaysAnswerError: it is the answer of a running daily that the setter has finished.
            EquationsOffError: a manager has turned set equations off.
            OneEquationError: one of the setter's is open in the channel.
            ChannelFullError: too many are open there, and all were played lately.
            Refused: it may not be posted; see `require_may_post`.
        """
        rules, code = read_equation(text)

        def body(tx: Transaction) -> EquationPost:
            now = self._clock.now()
            replaced = self._require_room(tx, setter_id, place, invited_id)
            _require_unknown(tx, setter_id, code, now)
            if replaced is not None:
                store.close(tx, replaced.puzzle_id, now)
            people_store.add_post(tx, setter_id, place.guild_id, now)
            puzzle_id = focdle_store.add_puzzle(
                tx,
                number=None,
                length=rules.length,
                rules=rules.encode(),
                secret=code,
                salt=new_salt(),
                closes_at=now + OPEN_FOR,
            )
            store.add(
                tx,
                puzzle_id,
                setter_id=setter_id,
                invited_id=invited_id,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                opened_at=now,
                look_at=now + LEASE,
            )
            return self._post(tx, _find(tx, puzzle_id), now)

        people = [keys.player(setter_id)] + ([keys.player(invited_id)] if invited_id else [])
        return await self._database.write(body, *people, keys.server(place.guild_id))

    def _require_room(
        self, tx: Transaction, setter_id: int, place: Channel, invited_id: int | None
    ) -> SetEquation | None:
        """Refuse a player who may set no equation in the channel now.

        In a full channel, return the equation to close: nobody has played it for long.
        """
        now = self._clock.now()
        choices = people_store.server_choices.get(tx, place.guild_id) or ServerChoices()
        if not choices.takes_equations:
            raise EquationsOffError
        there = store.open_in(tx, place.guild_id, place.channel_id, now)
        if any(each.setter_id == setter_id for each in there):
            raise OneEquationError
        require_may_post(tx, setter_id, place.guild_id, now, invited_id)
        if len(there) < MOST_IN_A_CHANNEL:
            return None
        for each in there:
            if (store.last_played(tx, each.puzzle_id) or each.opened_at) <= now - UNPLAYED_FOR:
                return each
        raise ChannelFullError(equations=len(there))

    async def take_back(self, post: EquationPost) -> None:
        """Delete an equation that could not be posted."""
        await self._write(
            post.equation, lambda tx: store.drop_unposted(tx, post.equation.puzzle_id)
        )

    async def posted(self, post: EquationPost, message_id: int) -> None:
        await self._write(
            post.equation,
            lambda tx: store.posts.change(
                tx,
                post.equation.puzzle_id,
                message_id=message_id,
                shown=post.state,
                look_at=self._clock.now(),
            ),
        )

    async def _write(self, equation: SetEquation, body: Body[T]) -> T:
        return await self._database.write(body, keys.server(equation.guild_id or 0))

    async def play(self, player_id: int, puzzle_id: int, place: Channel) -> Play:
        """Open a player's board of an equation; begin one if there is none.

        Raises:
            NoSuchEquationError: this channel has no such equation.
            OwnEquationError: the player has set it.
            EquationClosedError: it has closed, and the player has no board.
            EnoughGamesError: the player has begun too many games today.
        """

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            equation = _find(tx, puzzle_id, place)
            if equation.setter_id == player_id:
                raise OwnEquationError
            play_id = focdle_store.find_id(tx, puzzle_id, player_id)
            if play_id is not None:
                return list_again(tx, read_own(tx, player_id, play_id, now))
            if not equation.is_open(now):
                raise EquationClosedError
            games_game.begin(tx, player_id, now)
            at = find_place(tx, player_id=player_id, guild_id=place.guild_id, now=now)
            play = begin(tx, player_id, at, puzzle_id, now)
            if player_id == equation.invited_id:
                tx.about(keys.server(place.guild_id))
                store.accept(tx, puzzle_id, now)
            return play

        return await self._database.write(body, keys.player(player_id))

    async def close(
        self, player_id: int, puzzle_id: int, place: Channel, *, is_manager: bool
    ) -> None:
        """Close an equation and have its post edited.

        An equation that is closed already keeps its closing time.

        Raises:
            NoSuchEquationError: this channel has no such equation.
            NotYourEquationError: the player is neither its setter nor a manager.
        """

        def body(tx: Transaction) -> None:
            equation = _find(tx, puzzle_id, place)
            if equation.setter_id != player_id and not is_manager:
                raise NotYourEquationError
            store.close(tx, puzzle_id, self._clock.now())

        await self._database.write(body, keys.server(place.guild_id))

    async def look(self, puzzle_id: int, place: Channel) -> SetEquation:
        """An equation, for anybody who sees its post.

        Raises:
            NoSuchEquationError: this channel has no such equation.
        """
        return await self._database.read(lambda tx: _find(tx, puzzle_id, place))

    async def open_in(self, place: Channel) -> list[SetEquation]:
        return await self._database.read(
            lambda tx: store.open_in(tx, place.guild_id, place.channel_id, self._clock.now())
        )

    async def outdated(self) -> list[int]:
        """The ids of equations whose post is due for a look and out of date."""
        now, after, found = self._clock.now(), 0, list[int]()
        while True:

            def body(tx: Transaction, after: int = after) -> tuple[Due, dict[int, str]]:
                due = store.to_look_at(tx, now, now - LEASE, self._shards, after)
                return due, store.states(tx, [puzzle_id for puzzle_id, _ in due], now)

            due, states = await self._database.read(body)
            found += [number for number, shown in due if shown != states.get(number)]
            if len(due) < PAGE:
                return found
            after = due[-1][0]

    async def claim(self, puzzle_id: int) -> EquationPost | None:
        """Claim the edit of a post; None if it is not due, or another process has the claim."""
        found = await self._database.read(lambda tx: store.get(tx, puzzle_id))
        if found is None:
            return None

        def body(tx: Transaction) -> EquationPost | None:
            now = self._clock.now()
            if not store.posts.claim(tx, puzzle_id, now, now - LEASE):
                return None
            return replace(self._post(tx, _find(tx, puzzle_id), now), claimed_at=now)

        return await self._write(found, body)

    async def shown(self, post: EquationPost, message_id: int) -> None:
        """Note what a post shows now, and when to look at it again: never if that is final."""
        now = self._clock.now()
        is_final = now >= post.equation.closes_at + FINAL_AFTER
        look_at = None if is_final else now + BETWEEN_EDITS
        await self._release(post, message_id=message_id, shown=post.state, look_at=look_at)

    async def lost(self, post: EquationPost) -> None:
        """Close an equation whose post is gone or was never sent; nobody looks for it again."""

        def body(tx: Transaction) -> None:
            store.close(tx, post.equation.puzzle_id, self._clock.now())
            store.posts.change(tx, post.equation.puzzle_id, tried_at=None, look_at=None)

        await self._write(post.equation, body)

    async def unreachable(self, post: EquationPost) -> None:
        """Put off the edit of an unreachable post; give it up when it should be final."""
        now = self._clock.now()
        is_late = now >= post.equation.closes_at + FINAL_AFTER
        await self._release(post, look_at=None if is_late else now + _ABSENT)

    async def _release(self, post: EquationPost, **values: object) -> None:
        puzzle_id = post.equation.puzzle_id
        await self._write(
            post.equation,
            lambda tx: store.posts.release(tx, puzzle_id, post.claimed_at, **values),
        )

    def _post(self, tx: Transaction, equation: SetEquation, now: datetime) -> EquationPost:
        puzzle_id, setter_id = equation.puzzle_id, equation.setter_id
        boards = store.boards(tx, puzzle_id, MOST_ROWS)
        state = store.states(tx, [puzzle_id], now)[puzzle_id]
        is_hidden = moderation_store.leaves_unnamed(tx, equation.guild_id or 0, setter_id)
        shown = {row.player_id for row in boards if not row.is_hidden} | {setter_id}
        names = people_store.names_in(tx, equation.guild_id or 0, shown)
        faces = people_store.faces(tx, list(shown))
        codes = posts_store.codes(tx, [row.play_id for row in boards])
        rules, secret = equation.rules, equation.secret
        rows = tuple(
            CardRow(
                rank,
                0 if row.is_hidden else row.player_id,
                names[row.player_id].name if not row.is_hidden and row.player_id in names else "",
                rules.max_guesses,
                is_solved=row.is_solved,
                is_hard=row.is_hard,
                hints=0,
                turns=tuple(rules.feedback(code, secret) for code in codes[row.play_id]),
                face=None if row.is_hidden else faces.get(row.player_id),
            )
            for rank, row in enumerate(boards, 1)
        )
        name = names.get(setter_id)
        return EquationPost(
            equation,
            equation.is_open(now),
            setter="" if is_hidden or name is None else name.name,
            face=None if is_hidden else faces.get(setter_id),
            rows=rows,
            total=int(state.partition(".")[0]),
            state=state,
        )


def _require_unknown(tx: Transaction, setter_id: int, code: Code, now: datetime) -> None:
    """Refuse examples of boards, and the answer of a running daily that the setter has finished."""
    if code in EXAMPLES.values():
        raise ExampleError
    number = store.running_daily(tx, setter_id, code, first_running(now))
    if number is not None:
        raise TodaysAnswerError(number=number)


def _find(tx: Transaction, puzzle_id: int, place: Channel | None = None) -> SetEquation:
    found = store.get(tx, puzzle_id)
    if found is None or (place and place != Channel(found.guild_id or 0, found.channel_id or 0)):
        raise NoSuchEquationError
    return found
