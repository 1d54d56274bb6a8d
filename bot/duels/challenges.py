"""From a challenge to both numbers: who plays whom, on which terms."""

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
    NowPassedError,
    NumberRefusedError,
    OtherBotDuelError,
    Pace,
    SecretFixedError,
    SelfDuelError,
    State,
    TermsChangedError,
)
from bot.duels.moves import answered
from bot.duels.position import Options, Verdict, again, chosen, now_until
from bot.games import game as games_game
from bot.games.game import LEASE
from bot.games.model import new_salt
from bot.people import store as people_store
from bot.people.game import is_called, require_patience, require_wanted
from bot.ratings import store as ratings_store
from bot.text.markup import is_forgotten
from engine import BullsAndCows, Code, NotationError


@dataclass(frozen=True, slots=True)
class Challenge:
    """Who challenges whom, and where.

    Attributes:
        challenger_id: the Discord user who asks for a duel.
        opponent_id: the one who is asked; None for this bot.
        guild_id: the Discord server; None in private.
        channel_id: where the board will be.
        to_other_bot: whether the opponent is a bot other than this one.
    """

    challenger_id: int
    opponent_id: int | None
    guild_id: int | None = None
    channel_id: int | None = None
    to_other_bot: bool = False

    @property
    def player_ids(self) -> list[int]:
        """The players of the duel."""
        return [player for player in (self.challenger_id, self.opponent_id) if player is not None]


def require_somebody(challenge: Challenge) -> None:
    """Make sure that there is somebody to play with.

    Raises:
        SelfDuelError, OtherBotDuelError: there is nobody.
    """
    if challenge.opponent_id == challenge.challenger_id:
        raise SelfDuelError
    if challenge.to_other_bot:
        raise OtherBotDuelError


def new_duel(challenge: Challenge, options: Options) -> NewDuel:
    """What a duel is opened with.

    Raises:
        SelfDuelError, OtherBotDuelError, WrongDigitsError, CannotBeRatedError: there is none such.
    """
    require_somebody(challenge)
    against_bot = challenge.opponent_id is None
    return NewDuel(
        rules=options.rules(),
        mode=options.mode,
        pace=Pace.RELAXED,
        rated=options.is_rated(against_bot=against_bot),
        strength=options.strength if against_bot else None,
        challenger_id=challenge.challenger_id,
        guild_id=challenge.guild_id,
        channel_id=challenge.channel_id,
        terms=None if against_bot else 0,
    )


def drawn_order(
    work: DuelTransaction, challenger_id: int, opponent_id: int | None
) -> tuple[int | None, int | None]:
    """The players in the order in which they move."""
    if work.dice.randrange(2):
        return opponent_id, challenger_id
    return challenger_id, opponent_id


def open_duel(
    work: DuelTransaction,
    new: NewDuel,
    players: tuple[int | None, int | None],
    text: str,
    *,
    is_rematch: bool = False,
) -> Duel:
    """Open a duel: with the bot it is accepted at once, else the challenger's number is set.

    Raises:
        NumberRefusedError: the text is no number.
        NotWantedError, AskedTooSoonError, AskedTooOftenError, TooManyDuelsError,
        TooManyDuelsOfPairError, EnoughGamesError: there can be none now.
    """
    (opponent_id,) = [player for player in players if player != new.challenger_id]
    require_welcome(work, new.challenger_id, opponent_id, is_rematch=is_rematch)
    # Before anything is written, since that stays where something is refused.
    number = None if opponent_id is None else number_in(text, new.rules)
    if not new.rated:
        games_game.begin(work.tx, new.challenger_id, work.now)
    duel_id = store.add(
        work.tx,
        new,
        players,
        state=State.INVITED,
        opened_at=work.now,
        deadline_at=work.now + new.pace.invitation,
    )
    duel = work.duel(duel_id)
    if number is None:
        return work.accept(duel, Pace.RELAXED)
    seat = players.index(new.challenger_id)
    return work.touch(duel.changed_seat(seat, secret=number, salt=new_salt()))


def number_in(text: str, rules: BullsAndCows) -> Code:
    """What somebody has typed as the number that another is to find.

    Raises:
        NumberRefusedError: it is none.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise NumberRefusedError(rules=rules, text=text, cause=error) from error


def require_welcome(
    work: DuelTransaction,
    challenger_id: int,
    opponent_id: int | None,
    *,
    is_rematch: bool = False,
) -> None:
    """Make sure that a player may challenge another, or the bot."""
    if opponent_id is None:
        work.require_room(challenger_id)
        return
    require_wanted(work.tx, challenger_id, opponent_id)
    work.require_room(challenger_id, opponent_id)
    players = challenger_id, opponent_id
    require_patience(work.tx, *players, work.now, is_rematch=is_rematch)


def as_invitation(work: DuelTransaction, duel: Duel) -> DuelView:
    """A duel for who has made it, who is told whether its invitation may call."""
    view = work.view(duel)
    if duel.opponent_id is None:
        return view
    calls = is_called(
        work.tx,
        duel.challenger_id,
        duel.opponent_id,
        work.now,
        besides=duel.id,
        is_rematch=view.is_rematch,
    )
    return replace(view, calls=calls)


def changeable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel that its challenger may still change, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengerError, DuelStateError: there is none, or no longer.
    """
    duel, seat = challengers(work, player_id, duel_id)
    is_set = duel.seats[seat].secret is not None
    if duel.is_against_bot and duel.finished_at is None and is_set:
        raise SecretFixedError(view=work.view(duel))
    work.require(duel, Event.CHANGE, seat)
    if not duel.is_against_bot and (duel.state is not State.INVITED or duel.terms is None):
        raise AlreadyUnderWayError(view=work.view(duel))
    return duel, seat


def changed(
    work: DuelTransaction, before: Duel, seat: int, options: Options, text: str | None
) -> Duel:
    """A challenge, or a game against the bot, with other options; with a new number, if given.

    Raises:
        CannotBeRatedError, EnoughGamesError: it may not be this.
        NewNumberError, NumberRefusedError: the number does not fit.
    """
    rules, old = options.rules(), before.seats[seat].secret
    rated = options.is_rated(against_bot=before.is_against_bot)
    after = before.changed(rules=rules, mode=options.mode, rated=rated)
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
    if before.rated and not rated:
        work.about_players(before)
        games_game.begin(work.tx, before.challenger_id, work.now)
    return after.changed(terms=(before.terms or 0) + 1)


def agreed(work: DuelTransaction, duel: Duel, pace: Pace | None, terms: int | None) -> Pace:
    """The pace of a duel that is about to be accepted; a challenge of before these has one.

    Raises:
        TermsChangedError, NowPassedError: it is not accepted like this.
    """
    if duel.terms is None:
        return duel.pace
    if pace is None or terms != duel.terms:
        raise TermsChangedError(view=work.view(duel))
    until = now_until(duel, work.downtime(duel))
    if pace is Pace.LIVE and (until is None or until <= work.now):
        raise NowPassedError(view=work.view(duel))
    return pace


def challengers(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel for who has made the challenge to it, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengerError: it is not this player's.
    """
    duel = work.duel(duel_id)
    seat = duel.seat_of(player_id)
    if seat is None or duel.challenger_id != player_id:
        raise NotChallengerError(player_id=duel.challenger_id, guild_id=duel.guild_id)
    return work.in_time(duel), seat


def challenged(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel for who is challenged to it, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengedError: it is not this player's.
    """
    duel = work.duel(duel_id)
    seat = duel.seat_of(player_id)
    if seat is None or duel.challenger_id == player_id:
        ids = [stored.player_id for stored in duel.seats]
        raise NotChallengedError(
            player_id=next((i for i in ids if i and i != duel.challenger_id), 0),
            is_own=seat is not None,
            guild_id=duel.guild_id,
        )
    return work.in_time(duel), seat


class Inviting:
    """Use cases before a duel is played, and for another one after it.

    They return the duel after it. What was done already and is clicked again changes nothing.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def prepare(self, challenge: Challenge, digits: int | None = None) -> Options:
        """Refuse what `challenge` would of anything; what to propose to the challenged player.

        That is what their last duel was, but for the digits that are asked for, if any are.

        Raises:
            SelfDuelError, OtherBotDuelError: nobody to play with.
            WrongDigitsError: no such duel.
            NotWantedError, AskedTooSoonError, AskedTooOftenError: the opponent is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: the challenger has too many open.
            EnoughGamesError: it would not be rated, and there may be no new one of those today.
        """
        require_somebody(challenge)
        challenger_id, opponent_id = challenge.challenger_id, challenge.opponent_id

        def body(work: DuelTransaction) -> Options:
            require_welcome(work, challenger_id, opponent_id)
            proposed = Options()
            if opponent_id is not None:
                last = ratings_store.last_choice(work.tx, challenger_id, opponent_id)
                proposed = proposed if last is None else chosen(last)
            if digits is not None:
                proposed = replace(proposed, digits=digits)
            if not new_duel(challenge, proposed).rated:
                games_game.require_more(work.tx, challenger_id, work.now)
            return proposed

        return await self._transactions.begin(body, *challenge.player_ids)

    async def challenge(self, challenge: Challenge, options: Options, text: str = "") -> DuelView:
        """Challenge a player, and set what that one is to find; or begin a duel with the bot.

        Raises:
            As `prepare`.
            CannotBeRatedError: there is no such duel.
            NumberRefusedError: the text is no number for another player.
        """
        new = new_duel(challenge, options)

        def body(work: DuelTransaction) -> DuelView:
            players = drawn_order(work, challenge.challenger_id, challenge.opponent_id)
            return as_invitation(work, open_duel(work, new, players, text))

        view = await self._transactions.begin(body, *challenge.player_ids)
        return await answered(self._transactions, view)

    async def take_back(self, duel_id: int) -> None:
        """Undo a challenge that could not be posted, so that it was never made."""
        await self._transactions.write(
            lambda work: people_store.drop_unseen_duel(work.tx, duel_id), duel_id
        )

    async def prepare_change(self, player_id: int, duel_id: int) -> DuelView:
        """Refuse what `change` would of whatever is chosen.

        Raises:
            As `change`.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, _ = changeable(work, player_id, duel_id)
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def change(
        self, player_id: int, duel_id: int, options: Options, text: str | None = None
    ) -> DuelView:
        """Let a challenge be another one, or a game against the bot that was not begun.

        Args:
            player_id: who has made it.
            duel_id: the duel.
            options: what it is to be.
            text: the challenger's new number; None for the old one.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to change.
            CannotBeRatedError: there is no such duel.
            NewNumberError: the old number does not fit.
            NumberRefusedError: nor does the new one.
            AlreadyUnderWayError, SecretFixedError: it is too late.
            EnoughGamesError: it would not be rated, and there may be no new one of those today.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = changeable(work, player_id, duel_id)
            after = changed(work, duel, seat, options, text)
            if after != duel:
                duel = work.touch(after)
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def accept(
        self, player_id: int, duel_id: int, pace: Pace | None = None, terms: int | None = None
    ) -> DuelView:
        """Take a challenge.

        Args:
            player_id: who is challenged.
            duel_id: the duel.
            pace: which is chosen; None where the challenge has one.
            terms: the version that was seen of what the challenge proposes.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to take.
            TermsChangedError: it proposes something else by now.
            NowPassedError: it is too late to play now.
            DuelOverError: it is over.
            TooManyDuelsError: the player has too many duels open.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = challenged(work, player_id, duel_id)
            if duel.state in {State.INVITED, State.OVER}:
                work.require(duel, Event.ACCEPT, seat)
                chosen = agreed(work, duel, pace, terms)
                work.about_players(duel)
                work.require_room(player_id)
                duel = work.accept(duel, chosen)
            return replace(work.view(duel), has_closed=work.has_closed(player_id))

        return await self._transactions.write(body, duel_id)

    async def decline(self, player_id: int, duel_id: int) -> DuelView:
        """Do not take a challenge.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to decline.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being declined.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = challenged(work, player_id, duel_id)
            return _ended(work, duel, seat, Event.DECLINE)

        return await self._transactions.write(body, duel_id)

    async def withdraw(self, player_id: int, duel_id: int) -> DuelView:
        """Take one's challenge back.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to take back.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being withdrawn.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = challengers(work, player_id, duel_id)
            return _ended(work, duel, seat, Event.WITHDRAW)

        return await self._transactions.write(body, duel_id)

    async def prepare_rematch(self, player_id: int, duel_id: int) -> DuelView | None:
        """Refuse what `rematch` would; the one that is asked for already, if any.

        Raises:
            As `rematch`.
        """

        def body(work: DuelTransaction) -> DuelView | None:
            duel, seat = _rematchable(work, player_id, duel_id)
            asked = _open_rematch(work, duel, duel.strength)
            if asked is None:
                opponent_id, is_rematch = (
                    duel.seats[1 - seat].player_id,
                    duel.playing_at is not None,
                )
                require_welcome(work, player_id, opponent_id, is_rematch=is_rematch)
                return None
            return as_invitation(work, asked)

        return await self._transactions.write(body, duel_id)

    async def rematch(
        self, player_id: int, duel_id: int, text: str = "", *, stronger: bool = False
    ) -> DuelView:
        """Challenge the same opponent in the same way; the other one moves first if it was played.

        After a race that is in equal turns.
        While a rematch of the duel is open, whoever asked for it, that is the answer.

        Args:
            player_id: who wants it.
            duel_id: the duel that is over.
            text: what the other player is to find.
            stronger: whether the bot is to play better this time, if it can.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
            DuelGoesOnError: it is not over.
            ForgottenOpponentError: there is nobody left to play with.
            NotWantedError, AskedTooSoonError: the other is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: too many are open.
            NumberRefusedError: the text is no number for another player.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, _ = _rematchable(work, player_id, duel_id)
            new = again(duel, player_id, stronger=stronger)
            if asked := _open_rematch(work, duel, new.strength):
                return as_invitation(work, asked)
            first, second = (stored.player_id for stored in duel.seats)
            # What was never played has used up nobody's first move.
            was_played = duel.playing_at is not None
            players = (second, first) if was_played else (first, second)
            opened = open_duel(work, new, players, text, is_rematch=was_played)
            return as_invitation(work, opened)

        view = await self._transactions.write(body, duel_id)
        return await answered(self._transactions, view)

    async def claim_posting(self, duel_id: int) -> bool:
        """Whether who asks is the one to post the challenge to a rematch.

        It is one at a time: whoever presses twice at once would post it twice. Where the bot
        has ended in between, it is the next to ask a minute later.
        """

        def body(work: DuelTransaction) -> bool:
            duel = work.duel(duel_id)
            is_free = duel.claimed_at is None or work.now >= duel.claimed_at + LEASE
            if duel.message_id is not None or duel.state is not State.INVITED or not is_free:
                return False
            work.save(duel.changed(claimed_at=work.now))
            return True

        return await self._transactions.write(body, duel_id)


def _rematchable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Duel, int]:
    """A duel that is over and of which both players are left, and a player's seat."""
    duel, seat = work.players_duel(player_id, duel_id)
    work.about_players(duel)
    work.require(duel, Event.REMATCH, seat)
    if is_forgotten(duel.seats[1 - seat].player_id or 0):
        raise ForgottenOpponentError(view=work.view(duel))
    return duel, seat


def _open_rematch(work: DuelTransaction, duel: Duel, strength: str | None) -> Duel | None:
    """The rematch of a duel that goes on, whoever asked for it, with the bot at a strength."""
    for other in store.rematches(work.tx, duel.id):
        if other.strength == strength and not work.is_late(other):
            return work.read(other)
    return None


def _ended(work: DuelTransaction, duel: Duel, seat: int, event: Event) -> DuelView:
    if duel.ending is not TRANSITIONS[State.INVITED, event].ending:  # else a second click
        work.require(duel, event, seat)
        duel = work.end(duel, Verdict(event, None))
    return work.view(duel)
