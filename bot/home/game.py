"""A player's agenda, and their games of all kinds: unfinished, finished, shared, verified."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any, Final

from bot.clock import Clock, PuzzleName, date_in, number_of, start_of
from bot.coach.reviews import find
from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.duels import store as duels_store
from bot.duels.model import DuelView, NoSuchDuelError, NotYourDuelError, State
from bot.duels.moves import open_of
from bot.errors import StorageError
from bot.feature import FinishedGame
from bot.features import IN_PLAY
from bot.focdle import store as focdle_store
from bot.focdle import streak_keeping
from bot.focdle.model import Play
from bot.focdle.plays import read_own
from bot.games import store as games_store
from bot.games.model import Commitment, GameName, StillPlayingError
from bot.home import store
from bot.leaderboards.boards import BoardGame, Period, slot_of
from bot.mastermind import store as mastermind_store
from bot.mastermind.game import require_seen
from bot.mastermind.model import MastermindGame, NoSuchGameError
from bot.moderation import store as moderation_store
from bot.people import store as people_store
from bot.people.game import find_place, require_may_post
from bot.people.model import Face
from bot.posts import store as posts_store
from bot.refused import AlreadySharedError, BeingSharedError, NeverSealedError, NotFinishedError
from bot.streaks.model import Streak


@dataclass(frozen=True, slots=True)
class Agenda:
    """What there is for a player to do, as `/play` shows it.

    Attributes:
        play: their play of today's puzzle; None before they open it.
        is_today_counted: whether a daily of any length has already made today count for the streak.
        running: games that wait for the player, then other accepted duels; of each kind first those
            with the least time left.
        waiting: the number of games that wait for the player.
        knows_focdle: whether they have ever opened a FoCdle.
        is_new: whether they have neither a running game nor a finished one.
    """

    puzzle: PuzzleName
    play: Play | None
    next_puzzle_at: datetime
    streak: Streak
    is_today_counted: bool
    running: tuple[DuelView | MastermindGame, ...]
    waiting: int
    knows_focdle: bool
    is_new: bool

    @property
    def is_today_over(self) -> bool:
        return self.play is not None and self.play.game.outcome is not None


class Agendas:
    """Use cases of a player's agenda; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of(self, player_id: int, guild_id: int | None) -> Agenda:
        """Read a player's agenda, with the streak brought up to date; no play is opened.

        `guild_id` is None in direct messages, and in servers without the bot.
        """

        def read(tx: Transaction) -> Agenda:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            today = date_in(place.zone, now)
            puzzle = PuzzleName(number_of(today), place.length)
            knows_focdle = focdle_store.has_any(tx, player_id)
            play = _find(tx, player_id, puzzle, now) if knows_focdle else None
            streak = None if play is None else play.ending.streak
            if streak is None:
                streak = Streak()
                if knows_focdle:
                    streak = streak_keeping.refresh(tx, player_id, now)
            games = (*open_of(tx, player_id, now), *mastermind_store.open_of(tx, player_id, now))
            has_played = knows_focdle or games or store.page(tx, player_id, most=1, after=0)
            return Agenda(
                puzzle=puzzle,
                play=play,
                next_puzzle_at=start_of(today + timedelta(days=1), place.zone),
                streak=streak,
                is_today_counted=any(change.day == today for change in streak.changes),
                running=_running(games, player_id, now),
                waiting=sum(game.waits_for(player_id) for game in games),
                knows_focdle=knows_focdle,
                is_new=not has_played,
            )

        return await self._database.read(read)

    async def unfinished(self, player_id: int) -> list[Any]:
        """List a player's unfinished games, without dismissed ones.

        Races come first, then equations that ping the player, duels, Mastermind and FoCdle. Races
        are in the order of opening, others the latest first.
        """

        def read(tx: Transaction) -> list[Any]:
            now = self._clock.now()
            return [
                game
                for feature in IN_PLAY
                if feature.unfinished is not None
                for game in feature.unfinished.find(tx, player_id, now)
            ]

        return await self._database.read(read)


@dataclass(frozen=True, slots=True)
class Seen:
    """A player as the page shows them to another.

    Attributes:
        face: what `Faces.find` takes for their avatar; empty without one.
    """

    player_id: int
    name: str
    face: str


@dataclass(frozen=True, slots=True)
class Company:
    """Who else in a server has finished a daily: their number, and the first few of them."""

    total: int = 0
    seen: tuple[Seen, ...] = ()


_MOST_SEEN: Final = 5


class Faces:
    """Use cases of others on the page, as a server's leaderboards show them.

    An avatar is asked for by its player, and an HMAC of who may see it: nobody can hand it on.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def finishers(self, viewer_id: int, guild_id: int | None, puzzle: PuzzleName) -> Company:
        """Find who else has finished a daily on its date; nobody without a server."""
        if guild_id is None:
            return Company()
        slot = slot_of(BoardGame.FOCDLE, Period.DAY, puzzle.day)

        def read(tx: Transaction) -> Company:
            total, found = posts_store.finishers_of(
                tx, guild_id, slot, puzzle, but=viewer_id, most=_MOST_SEEN
            )
            names = people_store.names_in(tx, guild_id, found)
            faces = people_store.faces(tx, found)
            seen = (
                Seen(each, names[each].name, _named(tx, viewer_id, faces.get(each)))
                for each in found
            )
            return Company(total, tuple(seen))

        return await self._database.read(read)

    async def named(self, viewer_id: int, player_ids: list[int]) -> dict[int, str]:
        """Return what `find` takes for the avatars of those players who have one."""

        def read(tx: Transaction) -> dict[int, str]:
            found = people_store.faces(tx, player_ids)
            return {each: _named(tx, viewer_id, face) for each, face in found.items()}

        return await self._database.read(read)

    async def find(self, viewer_id: int, guild_id: int | None, name: str) -> Face | None:
        """Return an avatar as it is now; None if the viewer may not see it in this server."""

        def read(tx: Transaction) -> Face | None:
            player_id = int(name[:_DIGITS], 16)
            if player_id != viewer_id and guild_id not in moderation_store.shown_in(tx, player_id):
                return None
            face = people_store.face(tx, player_id)
            return face if compare_digest(_named(tx, viewer_id, face), name) else None

        return await self._database.read(read)


_DIGITS: Final = 16


def _named(tx: Transaction, viewer_id: int, face: Face | None) -> str:
    if face is None:
        return ""
    key = facts.digest_key(tx)
    bound = facts.keyed_hash(key, f"face {face.avatar}", [viewer_id, face.player_id])
    return f"{face.player_id:0{_DIGITS}x}{bound[:_DIGITS]}"


def _running(
    games: Sequence[DuelView | MastermindGame], player_id: int, now: datetime
) -> tuple[DuelView | MastermindGame, ...]:
    """List the games that wait for the player, then other accepted duels; the least time first."""

    def goes_on(game: DuelView | MastermindGame) -> bool:
        is_duel = isinstance(game, DuelView) and game.duel.state is not State.INVITED
        return is_duel or game.waits_for(player_id)

    def urgency(game: DuelView | MastermindGame) -> tuple[bool, bool, datetime]:
        at = game.deadline_at
        return not game.waits_for(player_id), at is None, at or now

    return tuple(sorted(filter(goes_on, games), key=urgency))


def _find(tx: Transaction, player_id: int, puzzle: PuzzleName, now: datetime) -> Play | None:
    row = focdle_store.find_puzzle(tx, puzzle.number, puzzle.length)
    play_id = None if row is None else focdle_store.find_id(tx, row.id, player_id)
    return None if play_id is None else read_own(tx, player_id, play_id, now)


PAGE_SIZE: Final = 10
"""How many games a page of a list has."""


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A page of a player's finished games; page 0, the first, begins with the latest."""

    player_id: int
    number: int
    pages: int
    games: tuple[FinishedGame, ...]


class FinishedGames:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, player_id: int, number: int = 0) -> FinishedPage:
        """Read a page of a player's finished games.

        Games that were never begun are left out: duels that did not come to an end in play, and
        Masterminds with neither an accepted challenge nor an answered guess. A page number beyond
        the ends gives the first or the last page.
        """

        def read(tx: Transaction) -> FinishedPage:
            pages = max(1, -(-store.count(tx, player_id) // PAGE_SIZE))
            shown = min(max(number, 0), pages - 1)
            keys = store.page(tx, player_id, most=PAGE_SIZE, after=shown * PAGE_SIZE)
            return FinishedPage(player_id, shown, pages, store.find(tx, player_id, keys))

        return await self._database.read(read)


log = logging.getLogger(__name__)

_LAPSES: Final = timedelta(minutes=15)
"""How long a claim keeps other clicks from posting: later, Discord takes no answer to the click."""


class Sharing:
    """Use cases of *Share*: claim a post, then confirm it or give the claim back."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim(
        self, player_id: int, name: GameName, channel_id: int, guild_id: int
    ) -> Face | None:
        """Claim the one post of a player's finished game in a channel; return the player's avatar.

        Without an avatar, return None.

        Raises:
            NotFinishedError: the game goes on.
            AlreadySharedError: it was posted there before.
            BeingSharedError: another click may be posting it there now.
            PostedTooOftenError: the player has posted too often there within the hour.
            Refused: the player may not share it; see `bot.coach.reviews`.
        """

        def body(tx: Transaction) -> Face | None:
            now = self._clock.now()
            try:
                find(tx, player_id, name, now)
            except StillPlayingError:
                raise NotFinishedError from None
            share = games_store.get_share(tx, name, channel_id)
            if share is not None:
                if share.claimed_at is None:
                    raise AlreadySharedError
                until = share.claimed_at + _LAPSES
                if now < until:
                    raise BeingSharedError(again_at=until)
            require_may_post(tx, player_id, guild_id, now)
            people_store.add_post(tx, player_id, guild_id, now)
            games_store.claim_share(tx, name, channel_id, player_id=player_id, claimed_at=now)
            return people_store.face(tx, player_id)

        return await self._database.write(body)

    async def claim_statistics(self, player_id: int, guild_id: int) -> None:
        """Count a post of a player's statistics, unless the player has posted too often there."""

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            require_may_post(tx, player_id, guild_id, now)
            people_store.add_post(tx, player_id, guild_id, now)

        await self._database.write(body, keys.player(player_id))

    async def done(self, name: GameName, channel_id: int) -> None:
        """Confirm a claimed post, once it is there.

        If that fails or never happens, the result may later be posted a second time.
        """
        try:
            await self._database.write(lambda tx: games_store.note_shared(tx, name, channel_id))
        except StorageError as error:  # the post exists, so the player is told nothing
            log.warning("%s shared in channel %d: not noted, %r", name, channel_id, error)
        else:
            log.info("%s shared in channel %d", name, channel_id)

    async def undone(self, name: GameName, channel_id: int) -> None:
        """Give back the claim of a post that Discord refused."""
        await self._database.write(lambda tx: games_store.drop_share(tx, name, channel_id))


@dataclass(frozen=True, slots=True)
class Setter:
    """Who fixed a secret of a duel; `player_id` is None for the bot."""

    player_id: int | None


@dataclass(frozen=True, slots=True)
class Secret:
    """A commitment; in a duel with two secrets, also who fixed this one."""

    commitment: Commitment
    setter: Setter | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """A game's commitments, opened once it is over.

    Attributes:
        secrets: the commitments, all opened or none; in a duel the challenger's first.
        since: the time from which *Is it fair?* has certainly shown the seals.
    """

    secrets: tuple[Secret, ...]
    since: datetime

    @property
    def is_open(self) -> bool:
        return all(secret.commitment.text is not None for secret in self.secrets)


class Verifying:
    """Use cases of *Is it fair?*, each one transaction.

    All of them raise NeverSealedError for a game without commitments.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def play(self, player_id: int, play_id: int) -> Verified:
        """Read the commitment of a player's own play."""
        play = await self._database.read(
            lambda tx: read_own(tx, player_id, play_id, self._clock.now())
        )
        return _verified([(None, play.commitment)], play.opened_at)

    async def mastermind(
        self, player_id: int, game_id: int, guild_id: int | None = None
    ) -> Verified:
        """Read the commitment of a player's own Mastermind, or of a public one in this server.

        `guild_id` is the server in which the player asks; None in private.
        """
        game = await self._database.read(lambda tx: mastermind_store.get(tx, game_id))
        if game is None:
            raise NoSuchGameError
        require_seen(game, player_id, guild_id)
        return _verified([(None, game.commitment)], game.opened_at)

    async def duel(self, player_id: int, duel_id: int, guild_id: int | None = None) -> Verified:
        """Read the commitments of a player's own duel, or of any duel in this server.

        `guild_id` is the server in which the player asks; None in private.
        """
        duel = await self._database.read(lambda tx: duels_store.get(tx, duel_id))
        if duel is None:
            raise NoSuchDuelError
        is_seen = duel.guild_id is not None and duel.guild_id == guild_id
        if duel.seat_of(player_id) is None and not is_seen:
            raise NotYourDuelError(player_ids=(duel.challenger_id,), guild_id=duel.guild_id)
        # Before play, nobody may see the order of moves.
        seats = (duel.challenger, 1 - duel.challenger)
        sealed = [(Setter(duel.seats[seat].player_id), duel.commitment_of(seat)) for seat in seats]
        return _verified(sealed, duel.playing_at or duel.opened_at)


def _verified(
    commitments: Iterable[tuple[Setter | None, Commitment | None]], since: datetime
) -> Verified:
    secrets = tuple(Secret(found, setter) for setter, found in commitments if found is not None)
    if not secrets:
        raise NeverSealedError
    return Verified(secrets, since)
