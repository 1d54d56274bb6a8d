"""Use cases of seeks: a card in a channel asks for an opponent, and whoever accepts has a duel."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.db import keys
from bot.duels import store
from bot.duels.game import DuelTransaction, DuelTransactions, stakes
from bot.duels.model import (
    BusySeekerError,
    Duel,
    DuelView,
    Friendly,
    NewDuel,
    NoSuchSeekError,
    NotChallengerError,
    OpenSeekError,
    OwnBlockError,
    OwnSeekError,
    Seek,
    TooManyDuelsError,
)
from bot.duels.moves import number_in
from bot.duels.position import DuelOptions
from bot.games import game as games_game
from bot.games.game import LEASE
from bot.games.model import Channel, new_salt
from bot.moderation import store as moderation_store
from bot.moderation.model import KeptOutError
from bot.outages import ShardRange
from bot.people import store as people_store
from bot.people.game import deleted_until, require_may_post
from bot.people.model import Face, JustDeletedError
from bot.ratings.game import of_age_at
from bot.ratings.model import Stake
from bot.refused import NotWantedError
from engine import Mode

SEEK_LASTS: Final = timedelta(hours=24)
_GIVEN_UP_AFTER: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class SeekView:
    """A seek with the facts around it, as they are now.

    Attributes:
        name: the player's in the server; empty if it is unknown.
        friendly: why a duel of its player with the viewer would be friendly; None if it would be
            rated, and without a viewer.
        stake: the viewer's possible changes of rating; None unless the duel would be rated.
        claimed_at: when this process claimed to post or edit the card; None without a claim.
    """

    seek: Seek
    is_open: bool
    name: str = ""
    face: Face | None = None
    friendly: Friendly | None = None
    stake: Stake | None = None
    claimed_at: datetime | None = None


class Seeking:
    """Use cases of seeks; `transactions` are those of seeks.

    Whoever watches the database is told in which channel a card opens or goes. This process posts
    and edits the cards of its `shards`.
    """

    def __init__(self, transactions: DuelTransactions, shards: ShardRange) -> None:
        self._transactions = transactions
        self._shards = shards

    async def open_in(self, place: Channel) -> SeekView | None:
        """Return the open seek of a channel; None if there is none."""

        def body(work: DuelTransaction) -> SeekView | None:
            found = store.open_seeks(work.tx, work.now, place)
            return _view(work, found[0]) if found else None

        return await self._transactions.read(body)

    async def prepare(self, player_id: int, place: Channel) -> None:
        """Raise the refusals of `seek` that do not depend on what was chosen and typed."""
        await self._transactions.read(lambda work: _require_room(work, player_id, place))

    async def seek(
        self,
        player_id: int,
        place: Channel,
        options: DuelOptions,
        text: str,
        *,
        on_page: bool = False,
    ) -> SeekView:
        """Open a seek in a channel, with the number that the opponent is to find.

        Its card is still to be posted: `on_page`, by the process with the server's shard.

        Raises:
            OwnSeekError: a seek of the player is open, here or elsewhere.
            OpenSeekError: another's is open in the channel.
            NumberRefusedError: the text is no number.
        """
        rules = options.rules()

        def body(work: DuelTransaction) -> SeekView:
            now = work.now
            work.tx.about(keys.server(place.guild_id))  # of two at once, one is offered the other
            _require_room(work, player_id, place)
            number = number_in(text, rules)
            is_young = of_age_at(player_id) > now
            people_store.add_post(work.tx, player_id, place.guild_id, now)
            seek_id = store.add_seek(
                work.tx,
                player_id=player_id,
                guild_id=place.guild_id,
                channel_id=place.channel_id,
                rules=rules,
                mode=options.mode,
                friendly=options.friendly or options.mode is Mode.CLASSIC or is_young,
                secret=number,
                opened_at=now,
                ends_at=now + SEEK_LASTS,
                look_at=now if on_page else now + LEASE,
            )
            work.tx.changed(place)
            return _view(work, _find(work, seek_id))

        return await self._transactions.begin(body, player_id)

    async def prepare_take(self, player_id: int, seek_id: int, place: Channel) -> SeekView:
        """Raise the refusals of `take` that do not depend on the number; say what is at stake."""

        def body(work: DuelTransaction) -> SeekView:
            found = _takeable(work, player_id, seek_id, place)
            pair = player_id, found.player_id
            friendly = work.why_friendly(_duel_of(found), pair)
            stake = None if friendly else stakes(work.tx, pair)[0]
            return replace(_view(work, found), friendly=friendly, stake=stake)

        return await self._transactions.read(body)

    async def take(
        self, player_id: int, seek_id: int, place: Channel, text: str, clicked: int | None = None
    ) -> DuelView:
        """Accept a seek with the player's number: the duel begins, and the card is its board.

        `clicked` is the card's message, if that was pressed: it may not be noted yet.

        Raises:
            NoSuchSeekError: it is taken, withdrawn or over, or another channel's.
            OwnSeekError: it is the player's own.
            NumberRefusedError: the text is no number; nothing was taken.
        """

        def body(work: DuelTransaction) -> DuelView:
            found = _takeable(work, player_id, seek_id, place)
            number, new = number_in(text, found.rules), _duel_of(found)
            if not store.take_seek(work.tx, seek_id, work.now):
                raise NoSuchSeekError
            work.tx.changed(place)
            if work.why_friendly(new, (found.player_id, player_id)):
                games_game.begin(work.tx, player_id, work.now)
            players = found.player_id, player_id
            if work.dice.randrange(2):
                players = player_id, found.player_id
            duel = work.duel(store.add(work.tx, new, players, opened_at=work.now))
            duel = duel.changed(message_id=found.message_id or clicked)
            seat = players.index(player_id)
            duel = duel.changed_seat(1 - seat, secret=found.secret, salt=new_salt())
            view = work.view(work.begin(duel, seat, number))
            return replace(view, has_closed=work.has_closed(player_id))

        return await self._transactions.write(body, seek_id)

    async def withdraw(self, player_id: int, seek_id: int, clicked: int | None = None) -> None:
        """End a player's own seek; its card is still to be edited."""

        def body(work: DuelTransaction) -> None:
            found = _find(work, seek_id)
            if found.player_id != player_id:
                raise NotChallengerError(player_id=found.player_id, guild_id=found.guild_id)
            if found.ends_at <= work.now:
                raise NoSuchSeekError
            work.tx.changed(found.place)
            message_id, now = found.message_id or clicked, work.now
            store.cards.change(work.tx, seek_id, message_id=message_id, ends_at=now, look_at=now)

        await self._transactions.write(body, seek_id, player_id)

    async def own(self, player_id: int, seek_id: int) -> SeekView | Duel | None:
        """Return a player's open seek; None if it is not theirs, or over.

        Of one that is gone, return the newest duel that somebody has begun by accepting a seek of
        the player, who has yet to guess in it.
        """

        def body(work: DuelTransaction) -> SeekView | Duel | None:
            found = store.get_seek(work.tx, seek_id)
            if found is not None:
                is_own = found.player_id == player_id and found.ends_at > work.now
                return _view(work, found) if is_own else None
            duels = store.unfinished(work.tx, player_id)
            taken = (duel for duel in duels if _is_taken(duel, player_id))
            return max(taken, key=lambda duel: duel.id, default=None)

        return await self._transactions.read(body)

    async def find(self, seek_id: int) -> Seek:
        return await self._transactions.read(lambda work: _find(work, seek_id))

    async def drop(self, seek: Seek) -> None:
        """Delete a seek whose card was not posted, is gone, or shows that it is over."""

        def body(work: DuelTransaction) -> None:
            store.drop_seek(work.tx, seek.id, seek.message_id)
            work.tx.changed(seek.place)

        await self._transactions.write(body, seek.id)

    async def shown(self, view: SeekView, message_id: int) -> None:
        """Note the message of an open seek's card; delete one whose card shows its end."""
        if not view.is_open:
            await self.drop(view.seek)
            return

        def body(work: DuelTransaction) -> None:
            store.note_card(work.tx, view.seek.id, view.claimed_at, message_id)
            work.tx.changed(view.seek.place)

        await self._transactions.write(body, view.seek.id)

    async def lost(self, view: SeekView) -> None:
        await self.drop(view.seek)

    async def unreachable(self, view: SeekView) -> None:
        """Put off the work on a card; give it up an hour after the end."""
        if self._transactions.now() > view.seek.ends_at + _GIVEN_UP_AFTER:
            await self.drop(view.seek)  # else the claim expires, and a later round tries again

    async def due(self) -> list[int]:
        """List the seeks of our shards whose card is to be posted, or to be edited away."""
        found = self._transactions.every(
            lambda work, after: store.seeks_to_look_at(
                work.tx, work.now, work.now - LEASE, self._shards, after
            )
        )
        return [seek_id async for seek_id in found]

    async def claim(self, seek_id: int) -> SeekView | None:
        """Claim the work on a card; None if nothing is due, or another process does it."""

        def body(work: DuelTransaction) -> SeekView | None:
            if not store.cards.claim(work.tx, seek_id, work.now, work.now - LEASE):
                return None
            return replace(_view(work, _find(work, seek_id)), claimed_at=work.now)

        return await self._transactions.write(body, seek_id)


def _find(work: DuelTransaction, seek_id: int) -> Seek:
    found = store.get_seek(work.tx, seek_id)
    if found is None:
        raise NoSuchSeekError
    return found


def _view(work: DuelTransaction, seek: Seek) -> SeekView:
    names = people_store.names_in(work.tx, seek.guild_id, [seek.player_id])
    name = "".join(row.name for row in names.values())
    face = people_store.face(work.tx, seek.player_id)
    return SeekView(seek, seek.ends_at > work.now, name, face)


def _is_taken(duel: Duel, player_id: int) -> bool:
    """Whether a duel has come of a seek of the player, who has yet to guess."""
    is_sought = duel.challenger_id == player_id and duel.opened_at == duel.accepted_at
    return is_sought and not (duel.is_against_bot or duel.own_turns(duel.challenger))


def _duel_of(seek: Seek) -> NewDuel:
    where = seek.player_id, seek.guild_id, seek.channel_id
    return NewDuel(seek.rules, seek.mode, seek.friendly, None, *where)


def _require_room(work: DuelTransaction, player_id: int, place: Channel) -> None:
    for seek in store.open_seeks(work.tx, work.now, place, player_id):
        if seek.player_id == player_id:
            raise OwnSeekError(seek_id=seek.id, channel_id=seek.channel_id)
        raise OpenSeekError(seek_id=seek.id, player_id=seek.player_id)
    require_may_post(work.tx, player_id, place.guild_id, work.now)
    work.require_room(player_id)


def _takeable(work: DuelTransaction, player_id: int, seek_id: int, place: Channel) -> Seek:
    """An open seek that a player may accept; else refuse."""
    found, now, tx = _find(work, seek_id), work.now, work.tx
    seeker_id = found.player_id
    if place != found.place or found.ends_at <= now:
        raise NoSuchSeekError
    if seeker_id == player_id:
        raise OwnSeekError(seek_id=seek_id, channel_id=found.channel_id)
    tx.about(keys.player(seeker_id), keys.player(player_id))
    if moderation_store.keeps_out(tx, player_id, found.guild_id):
        raise KeptOutError
    if people_store.is_blocked(tx, seeker_id, player_id):
        raise NotWantedError(player_id=seeker_id)
    if people_store.is_blocked(tx, player_id, seeker_id):
        raise OwnBlockError(player_id=seeker_id)
    ends_at = deleted_until(tx, player_id, now)
    if ends_at is not None:
        raise JustDeletedError(again_at=ends_at)
    work.require_room(player_id, seeker_id)
    try:
        work.require_room(seeker_id)
    except TooManyDuelsError as error:
        raise BusySeekerError(player_id=seeker_id) from error
    if work.why_friendly(_duel_of(found), (player_id, seeker_id)):
        games_game.require_more(tx, player_id, now)
    return found
