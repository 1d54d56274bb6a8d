"""Use cases from a challenge to its answer, and rematches; limits are in `bot.people.game`."""

from dataclasses import dataclass, replace

from bot.duels import store
from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.model import (
    TRANSITIONS,
    AlreadyUnderWayError,
    Duel,
    DuelView,
    Event,
    ForgottenOpponentError,
    NewDuel,
    NewNumberError,
    NotChallengedError,
    NotChallengerError,
    NumberRefusedError,
    OtherBotDuelError,
    SecretFixedError,
    SelfDuelError,
    State,
    TermsChangedError,
)
from bot.duels.moves import answered, number_in
from bot.duels.position import DuelOptions, Verdict, again, chosen
from bot.games import game as games_game
from bot.games.game import LEASE
from bot.games.model import Channel, GameName, Source, new_salt
from bot.page.game import ask as ask_to_post
from bot.people import store as people_store
from bot.people.game import require_may_post
from bot.text.markup import is_forgotten
from engine import BullsAndCows


@dataclass(frozen=True, slots=True)
class Challenge:
    """A request to challenge another player or the bot.

    Attributes:
        opponent_id: the Discord user who is asked; None for this bot.
        to_other_bot: whether that user is a bot.
    """

    challenger_id: int
    opponent_id: int | None
    guild_id: int | None = None
    channel_id: int | None = None
    to_other_bot: bool = False

    @property
    def player_ids(self) -> list[int]:
        return [player for player in (self.challenger_id, self.opponent_id) if player is not None]


def require_somebody(challenge: Challenge) -> None:
    if challenge.opponent_id == challenge.challenger_id:
        raise SelfDuelError
    if challenge.to_other_bot:
        raise OtherBotDuelError


def new_duel(challenge: Challenge, options: DuelOptions) -> NewDuel:
    require_somebody(challenge)
    against_bot = challenge.opponent_id is None
    return NewDuel(
        rules=options.rules(),
        mode=options.mode,
        friendly=options.friendly,
        strength=options.strength if against_bot else None,
        challenger_id=challenge.challenger_id,
        guild_id=challenge.guild_id,
        channel_id=challenge.channel_id,
    )


def open_duel(
    work: DuelTransaction,
    new: NewDuel,
    players: tuple[int | None, int | None],
    text: str,
) -> Duel:
    """Open a duel, with `players` in the order of moves; None is the bot, which sets a number.

    Between players, `text` is the challenger's number. Refusals are those of `require_welcome`, and
    of a friendly duel when the challenger has begun too many games today.

    Raises:
        NumberRefusedError: `text` is no number.
    """
    (opponent_id,) = [player for player in players if player != new.challenger_id]
    require_welcome(work, new.challenger_id, opponent_id, new.guild_id)
    # before the first write, since a refusal leaves the transaction committed
    is_bot = opponent_id is None
    number = new.rules.draw(work.dice) if is_bot else number_in(text, new.rules)
    if work.why_friendly(new, [player for player in players if player is not None]):
        games_game.begin(work.tx, new.challenger_id, work.now)
    if opponent_id is not None:
        people_store.add_post(work.tx, new.challenger_id, new.guild_id or 0, work.now)
    duel_id = store.add(
        work.tx,
        new,
        players,
        opened_at=work.now,
    )
    duel = work.duel(duel_id)
    seat = players.index(None if is_bot else new.challenger_id)
    return work.touch(duel.changed_seat(seat, secret=number, salt=new_salt()))


def require_welcome(
    work: DuelTransaction, challenger_id: int, opponent_id: int | None, guild_id: int | None
) -> None:
    """Refuse a challenge that may not be posted, or makes too many open duels."""
    if opponent_id is None:
        work.require_room(challenger_id, against_bot=True)
        return
    require_may_post(work.tx, challenger_id, guild_id or 0, work.now, opponent_id)
    work.require_room(challenger_id, opponent_id)


def changeable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel whose options may still be changed, and its challenger's seat.

    Raises:
        NotChallengerError: the player is not the challenger.
        DuelStateError: it is too late.
    """
    duel, seat = as_challenger(work, player_id, duel_id)
    is_set = duel.seats[seat].secret is not None
    if duel.is_against_bot and duel.finished_at is None and is_set:
        raise SecretFixedError(view=work.view(duel))
    work.require(duel, Event.CHANGE, seat)
    if not duel.is_against_bot and duel.state is not State.INVITED:
        raise AlreadyUnderWayError(view=work.view(duel))
    return duel, seat


def changed(
    work: DuelTransaction, before: Duel, seat: int, options: DuelOptions, text: str | None
) -> Duel:
    """Return the duel with other options, unsaved; `text` None keeps the challenger's number.

    A challenge that becomes friendly by it counts as a game begun today. NewNumberError:
    the old number does not fit. NumberRefusedError: the new number does not fit.
    """
    rules, old = options.rules(), before.seats[seat].secret
    after = before.changed(rules=rules, mode=options.mode, friendly=options.friendly)
    if before.is_against_bot:
        after = after.changed(strength=options.strength)
        if rules == before.rules:
            return after
        return after.changed_seat(1 - seat, secret=rules.draw(work.dice), salt=new_salt())
    try:
        number = number_in((old or "") if text is None else text, rules)
    except NumberRefusedError as error:
        if text is None:
            raise NewNumberError(rules=rules) from error
        raise
    if number != old:
        after = after.changed_seat(seat, secret=number, salt=new_salt())
    if after == before:
        return after
    was_friendly, is_friendly = (work.why_friendly(one, one.player_ids) for one in (before, after))
    if is_friendly and not was_friendly:
        work.about_players(before)
        games_game.begin(work.tx, before.challenger_id, work.now)
    return after.changed(terms=before.terms + 1)


def as_challenger(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel and its challenger's seat. A passed deadline ends the duel.

    Raises:
        NotChallengerError: the player is not the challenger.
    """
    duel = work.duel(duel_id)
    seat = duel.seat_of(player_id)
    if seat is None or duel.challenger_id != player_id:
        raise NotChallengerError(player_id=duel.challenger_id, guild_id=duel.guild_id)
    return work.settled(duel), seat


def as_challenged(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel and the challenged player's seat. A passed deadline ends the duel.

    Raises:
        NotChallengedError: the player is not the challenged one.
    """
    duel = work.duel(duel_id)
    seat = duel.seat_of(player_id)
    if seat is None or duel.challenger_id == player_id:
        raise NotChallengedError(
            player_id=duel.opponent_id or 0,
            is_own=seat is not None,
            guild_id=duel.guild_id,
        )
    return work.settled(duel), seat


class Inviting:
    """Use cases before a duel is played, and rematches.

    Use cases of challenges, changes and answers return the duel. A second call changes nothing;
    only that of `challenge` opens another duel.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def prepare(self, challenge: Challenge, digits: int | None = None) -> DuelOptions:
        """Return the options to propose in a challenge, or refuse the challenge.

        The options are those of the two players' last accepted duel, or the usual ones if there
        is none. `digits`, if given, replaces theirs. A number is not asked for yet.
        """
        require_somebody(challenge)
        challenger_id, opponent_id = challenge.challenger_id, challenge.opponent_id

        def body(work: DuelTransaction) -> DuelOptions:
            require_welcome(work, challenger_id, opponent_id, challenge.guild_id)
            proposed = DuelOptions()
            if opponent_id is not None:
                last = store.last_choice(work.tx, challenger_id, opponent_id)
                proposed = proposed if last is None else chosen(last)
            if digits is not None:
                proposed = replace(proposed, digits=digits)
            if work.why_friendly(new_duel(challenge, proposed), challenge.player_ids):
                games_game.require_more(work.tx, challenger_id, work.now)
            return proposed

        return await self._transactions.begin(body, *challenge.player_ids)

    async def challenge(
        self, challenge: Challenge, options: DuelOptions, text: str = ""
    ) -> DuelView:
        """Challenge a player to find the number `text`, or begin a duel with the bot.

        With the bot, a duel on these terms for which no number is set yet is returned.

        Raises:
            NumberRefusedError: the text, for another player, is no number.
        """
        new = new_duel(challenge, options)

        def body(work: DuelTransaction) -> DuelView:
            if challenge.opponent_id is None and (same := _untouched_like(work, new)) is not None:
                return work.view(same)
            players = challenge.challenger_id, challenge.opponent_id
            if work.dice.randrange(2):
                players = challenge.opponent_id, challenge.challenger_id
            return work.view(open_duel(work, new, players, text))

        view = await self._transactions.begin(body, *challenge.player_ids)
        return await answered(self._transactions, view)

    async def take_back(self, duel_id: int) -> None:
        """Delete a challenge that could not be posted; one that is posted or answered stays."""
        await self._transactions.write(
            lambda work: people_store.drop_unseen(work.tx, "duel", duel_id), duel_id
        )

    async def prepare_change(self, player_id: int, duel_id: int) -> DuelView:
        """Raise the refusals of `change` that do not depend on the new options; return the duel."""

        def body(work: DuelTransaction) -> DuelView:
            duel, _ = changeable(work, player_id, duel_id)
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def change(
        self, player_id: int, duel_id: int, options: DuelOptions, text: str | None = None
    ) -> DuelView:
        """Change an open challenge or, until the player's number is set, a duel with the bot.

        `text` is the challenger's new number; None keeps the old one.

        Raises:
            NewNumberError: the old number does not fit.
            NumberRefusedError: the new number does not fit.
            AlreadyUnderWayError, SecretFixedError, DuelOverError: it is too late.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = changeable(work, player_id, duel_id)
            after = changed(work, duel, seat, options, text)
            if after != duel:
                duel = work.touch(after)
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def prepare_accept(self, player_id: int, duel_id: int, terms: int) -> BullsAndCows:
        """Raise the refusals of `accept` that do not depend on the number; return its rules."""

        def body(work: DuelTransaction) -> BullsAndCows:
            duel, seat = as_challenged(work, player_id, duel_id)
            _require_acceptable(work, duel, seat, terms)
            return duel.rules

        return await self._transactions.write(body, duel_id)

    async def accept(self, player_id: int, duel_id: int, terms: int, text: str) -> DuelView:
        """Accept a challenge with the player's number, and begin the duel.

        `terms` is the version of the terms that the player saw.

        Raises:
            TermsChangedError: the terms have changed meanwhile.
            DuelOverError, AlreadyUnderWayError: it is too late.
            TooManyDuelsError: the player has too many open duels.
            NumberRefusedError: the text is no number.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = as_challenged(work, player_id, duel_id)
            if duel.state is not State.PLAYING:
                _require_acceptable(work, duel, seat, terms)
            number = number_in(text, duel.rules)
            if duel.seats[seat].secret != number:  # else a second click
                work.require(duel, Event.ACCEPT, seat)
                duel = work.begin(duel, seat, number)
            return replace(work.view(duel), has_closed=work.has_closed(player_id))

        return await self._transactions.write(body, duel_id)

    async def decline(self, player_id: int, duel_id: int) -> DuelView:
        def body(work: DuelTransaction) -> DuelView:
            duel, seat = as_challenged(work, player_id, duel_id)
            return _ended(work, duel, seat, Event.DECLINE)

        return await self._transactions.write(body, duel_id)

    async def withdraw(self, player_id: int, duel_id: int) -> DuelView:
        def body(work: DuelTransaction) -> DuelView:
            duel, seat = as_challenger(work, player_id, duel_id)
            return _ended(work, duel, seat, Event.WITHDRAW)

        return await self._transactions.write(body, duel_id)

    async def prepare_rematch(self, player_id: int, duel_id: int) -> DuelView | None:
        """Return the open rematch of a duel; None if there is none.

        If there is none, `require_welcome` may refuse a new one.
        """

        def body(work: DuelTransaction) -> DuelView | None:
            duel, seat = _rematchable(work, player_id, duel_id)
            asked = _open_rematch(work, duel, duel.strength)
            if asked is None:
                opponent_id = duel.seats[1 - seat].player_id
                require_welcome(work, player_id, opponent_id, duel.guild_id)
                if work.why_friendly(duel, duel.player_ids):
                    games_game.require_more(work.tx, player_id, work.now)
                return None
            return work.view(asked)

        return await self._transactions.write(body, duel_id)

    async def rematch(
        self,
        player_id: int,
        duel_id: int,
        text: str = "",
        *,
        stronger: bool = False,
        on_page: bool = False,
    ) -> DuelView:
        """Challenge the same opponent with the same options.

        If the duel was played, the players swap the first move. `stronger` raises the bot's
        strength, if possible. If such a rematch is open already, return that one, whoever asked
        for it. On the page, the bot is asked to post it.

        Raises:
            NumberRefusedError: the text, for another player, is no number.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, _ = _rematchable(work, player_id, duel_id)
            new = again(duel, player_id, stronger=stronger)
            if asked := _open_rematch(work, duel, new.strength):
                return work.view(asked)
            first, second = (stored.player_id for stored in duel.seats)
            # A duel that was never played has given nobody the first move.
            was_played = duel.playing_at is not None
            players = (second, first) if was_played else (first, second)
            asked = open_duel(work, new, players, text)
            work.save(duel.changed(version=duel.version + 1))  # whose page leads to the rematch
            channel = Channel.of(asked.guild_id, asked.channel_id)
            if on_page and channel is not None and not asked.is_against_bot:
                ask_to_post(work.tx, player_id, channel, GameName(Source.DUEL, asked.id), work.now)
            return work.view(asked)

        view = await self._transactions.write(body, duel_id)
        return await answered(self._transactions, view)

    async def rematch_of(self, player_id: int, duel_id: int) -> Duel | None:
        """Return the open rematch of a player's duel; None if there is none."""

        def read(work: DuelTransaction) -> Duel | None:
            duel, _ = work.players_duel(player_id, duel_id)
            return _open_rematch(work, duel, duel.strength)

        return await self._transactions.read(read)

    async def claim_posting(self, duel_id: int) -> bool:
        """Claim the posting of a rematch's challenge; return whether this caller may post it.

        Without the claim, two clicks at once would post it twice. A claim expires after a minute,
        in case the bot ended before the posting.
        """

        def body(work: DuelTransaction) -> bool:
            duel = work.duel(duel_id)
            is_free = duel.claimed_at is None or work.now >= duel.claimed_at + LEASE
            if duel.message_id is not None or duel.state is not State.INVITED or not is_free:
                return False
            work.save(duel.changed(claimed_at=work.now))
            return True

        return await self._transactions.write(body, duel_id)


def _untouched_like(work: DuelTransaction, new: NewDuel) -> Duel | None:
    """The challenger's open duel with the bot on the same terms that waits for their number."""
    for duel in work.unfinished(new.challenger_id):
        is_same = (duel.rules, duel.mode, duel.strength) == (new.rules, new.mode, new.strength)
        if is_same and duel.state is State.SETTING:
            return duel
    return None


def _rematchable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    duel, seat = work.players_duel(player_id, duel_id)
    work.about_players(duel)
    work.require(duel, Event.REMATCH, seat)
    if is_forgotten(duel.seats[1 - seat].player_id or 0):
        raise ForgottenOpponentError(view=work.view(duel))
    return duel, seat


def _open_rematch(work: DuelTransaction, duel: Duel, strength: str | None) -> Duel | None:
    """The open rematch of a duel, whoever asked for it; None if there is none.

    `strength` is the bot's in that rematch; None between players.
    """
    for other in store.rematches(work.tx, duel.id):
        if other.strength == strength and not work.is_late(other):
            return work.track(other)
    return None


def _require_acceptable(work: DuelTransaction, duel: Duel, seat: int, terms: int) -> None:
    work.require(duel, Event.ACCEPT, seat)
    if terms != duel.terms:
        raise TermsChangedError(view=work.view(duel))
    work.about_players(duel)
    work.require_room(duel.seats[seat].player_id or 0)


def _ended(work: DuelTransaction, duel: Duel, seat: int, event: Event) -> DuelView:
    if duel.ending is not TRANSITIONS[State.INVITED, event].ending:  # else a second click
        work.require(duel, event, seat)
        duel = work.end(duel, Verdict(event, None))
    return work.view(duel)
