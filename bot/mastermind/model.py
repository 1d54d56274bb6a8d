"""The nouns of Mastermind, and what is refused."""

import random
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Self

from bot.games.model import (
    MOST_HINTS,
    STANDARD_MASTERMIND,
    Commitment,
    Contradiction,
    Hint,
    Reason,
    commitment,
)
from bot.people.model import Face
from bot.refused import OthersGameError, Refused, TextRefusedError, written
from bot.text import counts
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import mention
from bot.text.tiles import colour_name
from engine import Code, Mastermind, Score, Turn


class Kind(StrEnum):
    """Who makes the code, and who breaks it."""

    PLAY = "play"
    """The bot's code, a player breaks it."""
    DEFEND = "defend"
    """A player's code, the bot breaks it."""
    CHALLENGE = "challenge"
    """A player's code, another player breaks it in public."""
    WATCH = "watch"
    """The bot's code, the bot breaks it while a player watches."""


class Stage(StrEnum):
    """How far a game has come."""

    INVITED = "invited"
    """A challenge that was neither accepted nor declined."""
    PLAYING = "playing"
    OVER = "over"


class Ending(StrEnum):
    """How a game ended."""

    SOLVED = "solved"
    """The Codebreaker, player or bot, found the code."""
    LOST = "lost"
    """The Codebreaker's guesses are used up."""
    SURRENDERED = "surrendered"
    """Its player gave up, as Codebreaker or as Codemaker against the bot, or watches no more."""
    RESIGNED = "resigned"
    """The challenged player gave up."""
    LAPSED = "lapsed"
    """A challenge that nobody answered, or guessed in, for a day."""
    DECLINED = "declined"
    """The challenged player did not want to."""
    WITHDRAWN = "withdrawn"
    """The challenger took the challenge back before it was accepted."""
    REPLACED = "replaced"
    """Its player entered the code before the bot had guessed, and the bot breaks it elsewhere; or
    chose another setting before the first guess, and plays that."""
    AT_STAKE = "at_stake"
    """A rated duel was accepted, in which the bot's guesses could help; an unsealed DEFEND."""
    CLOSED = "closed"
    """It was left alone for a week, where a player guesses since the last guess; any kind but a
    challenge. A ranked one with a guess counts as lost."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What the bot concludes from some turns.

    Attributes:
        remaining: how many codes explain them all.
        contradiction: why there is none, if so.
        guess: what to guess next; None if there is nothing more to guess, or no code.
    """

    remaining: int
    contradiction: Contradiction | None = None
    guess: Code | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A guess of the bot's, as the player who answers it saw it.

    The turn alone does not tell a guess: a corrected answer drops the turns after it.

    Attributes:
        turn: how many turns come before it.
        guess: its colours, in canonical letters.
        blacks: the blacks already answered for it.
    """

    turn: int
    guess: str
    blacks: int | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess, and what was answered to it, where the answer does not follow from a secret."""

    code: Code
    blacks: int | None = None
    whites: int | None = None


@dataclass(frozen=True, slots=True)
class NewMastermind:
    """What a game is opened with; fields as a `MastermindGame` has them."""

    kind: Kind
    rules: Mastermind
    owner_id: int
    codebreaker_id: int | None = None
    secret: Code | None = field(default=None, repr=False)
    guild_id: int | None = None
    channel_id: int | None = None
    salt: str | None = field(default=None, repr=False)
    ranked: bool = True
    relabelling: str | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether boards count it once it is over."""
        return _is_ranked(self)


@dataclass(frozen=True)
class MastermindGame:
    """A game as it stands: what is stored of it, and what follows from that.

    Attributes:
        id: what buttons call it by.
        kind: who makes the code and who breaks it.
        rules: its setting.
        hidden_code: the code, if the bot knows it, whether the game is over or not: for use cases
            alone. What is shown is `secret`.
        salt: of the commitment to it; None where there is none.
        owner_id: who opened it.
        codebreaker_id: the player who guesses; None for the bot.
        guild_id: where a challenge is played.
        channel_id: the channel of its board.
        message_id: the message of its board; None until it is published.
        revision: how often it has changed.
        shown: the revision that its public board shows.
        pending: the colours of the next guess that its player has put, in canonical letters.
        opened_at: when it was opened.
        moved_at: when its player last did anything.
        deadline_at: when it ends by itself unless somebody goes on; of no meaning when over.
        accepted_at: when a challenge was accepted.
        finished_at: when it ended; None while it goes on.
        ending: how it ended; None while it goes on.
        ranked: whether boards may count it; settled before its first guess.
        relabelling: what the solver's colours and places are called here; None if as they are.
        guesses: those made, in order, with the bot's guess that waits for an answer.
        hints: in PLAY, what its player was told, in order.
    """

    id: int
    kind: Kind
    rules: Mastermind
    hidden_code: Code | None = field(repr=False)  # no log may have it, nor the salt
    salt: str | None = field(repr=False)
    owner_id: int
    codebreaker_id: int | None
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    revision: int = field(compare=False)
    shown: int = field(compare=False)
    pending: str
    opened_at: datetime
    moved_at: datetime = field(compare=False)
    deadline_at: datetime
    accepted_at: datetime | None
    finished_at: datetime | None
    ending: Ending | None
    ranked: bool = field(compare=False)
    relabelling: str | None = None
    guesses: tuple[Guess, ...] = ()
    hints: tuple[Hint, ...] = ()

    @classmethod
    def stored(
        cls, *, kind: str, rules: str, secret: str | None, ending: str | None, **rest: Any
    ) -> Self:
        """The game of a row, whose rules and codes are in notation; the rest is as it is here."""
        return cls(
            kind=Kind(kind),
            rules=Mastermind.decode(rules),
            hidden_code=None if secret is None else Code(secret),
            ending=None if ending is None else Ending(ending),
            **rest,
        )

    @property
    def stage(self) -> Stage:
        """How far it has come."""
        if self.finished_at is not None:
            return Stage.OVER
        return Stage.PLAYING if self._was_tried else Stage.INVITED

    @property
    def _was_tried(self) -> bool:
        """Whether anybody could guess in it: a challenge has to be accepted first."""
        return self.kind is not Kind.CHALLENGE or self.accepted_at is not None

    @property
    def secret(self) -> Code | None:
        """The code, once the game is over; None before, for whomever.

        None also where no player told it: in an unsealed DEFEND, and in a challenge never
        accepted, whose code may be set again.
        """
        return self.hidden_code if self.stage is Stage.OVER and self._was_tried else None

    @property
    def sealed(self) -> bool:
        """In DEFEND, whether the code was entered first and the bot scores itself."""
        return self.kind is Kind.DEFEND and self.hidden_code is not None

    @cached_property
    def turns(self) -> tuple[Turn[Score], ...]:
        """The guesses that were answered, in order; answers follow from the code if it is known."""
        if (code := self.hidden_code) is not None:
            return tuple(
                Turn(each.code, self.rules.feedback(each.code, code)) for each in self.guesses
            )
        return tuple(
            Turn(each.code, Score(each.blacks, each.whites))
            for each in self.guesses
            if each.blacks is not None and each.whites is not None
        )

    @property
    def _waiting(self) -> Guess | None:
        if self.stage is Stage.OVER or self.hidden_code is not None:
            return None
        return next((each for each in self.guesses if each.whites is None), None)

    @property
    def guess(self) -> Code | None:
        """In an unsealed DEFEND, the bot's guess that waits for an answer."""
        return None if self._waiting is None else self._waiting.code

    @property
    def blacks(self) -> int | None:
        """The blacks already answered for `guess`, whites being still to come."""
        return None if self._waiting is None else self._waiting.blacks

    @property
    def commitment(self) -> Commitment | None:
        """What its boards show for a code that the bot knows, opened when `secret` is told."""
        is_over = self.stage is Stage.OVER
        if is_over and not self._was_tried:
            return None
        return commitment(f"mastermind {self.id}", self.hidden_code, self.salt, is_open=is_over)

    @property
    def is_ranked(self) -> bool:
        """Whether boards count it once it is over."""
        return _is_ranked(self)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done yet in a game that goes on."""
        is_begun = self.turns or self.pending or self.blacks is not None
        return self.stage is Stage.PLAYING and not is_begun

    @property
    def board_url(self) -> str | None:
        """Where the public board of a challenge is, if it has one."""
        if self.message_id is None:
            return None
        return f"https://discord.com/channels/{self.guild_id}/{self.channel_id}/{self.message_id}"

    @property
    def guesses_left(self) -> int:
        """How many guesses may still be made, were none of them right."""
        return self.rules.max_guesses - len(self.turns)

    @property
    def may_hint(self) -> bool:
        """Whether there is a hint to be had."""
        is_on = self.kind is Kind.PLAY and self.stage is Stage.PLAYING
        return is_on and bool(self.turns) and len(self.hints) < MOST_HINTS

    @property
    def question(self) -> Question | None:
        """What its player is asked now, in an unsealed DEFEND."""
        if self.guess is None:
            return None
        return Question(len(self.turns), self.guess, self.blacks)

    @property
    def choices(self) -> tuple[int, ...]:
        """What may be answered now: blacks of `guess`, or whites once they are; ascending."""
        if self.guess is None:
            return ()
        if self.blacks is None:
            return self.blacks_of(self.guess)
        return self.whites_with(self.guess, self.blacks)

    @property
    def is_correctable(self) -> bool:
        """Whether an answer may be corrected: until its player ends the game or leaves it alone.

        One that has ended by an answer goes on if that answer was a slip.
        """
        is_answered = self.kind is Kind.DEFEND and not self.sealed and bool(self.turns)
        return is_answered and self.ending in (None, Ending.SOLVED, Ending.LOST)

    def waits_for(self, player_id: int) -> bool:
        """Whether another player waits for this one: to answer a challenge, or to guess."""
        is_theirs = self.kind is Kind.CHALLENGE and self.codebreaker_id == player_id
        return is_theirs and self.stage is not Stage.OVER

    def blacks_of(self, guess: Code) -> tuple[int, ...]:
        """How many black pegs a guess can get, ascending."""
        return tuple(sorted({answer.bulls for answer in self.rules.answers(guess)}))

    def whites_with(self, guess: Code, blacks: int) -> tuple[int, ...]:
        """How many white pegs a guess can get beside so many blacks, ascending."""
        answers = self.rules.answers(guess)
        return tuple(sorted(answer.cows for answer in answers if answer.bulls == blacks))


def _is_ranked(game: MastermindGame | NewMastermind) -> bool:
    return game.ranked and game.kind is Kind.PLAY and game.rules == STANDARD_MASTERMIND


@dataclass(frozen=True, slots=True)
class SolverView:
    """A game in which the bot breaks the code, and what the solver says of it.

    Attributes:
        game: the game.
        remaining: how many codes explain all turns; 0 only with a contradiction.
        contradiction: in an unsealed DEFEND, why no code explains all turns.
        steps: in WATCH and a sealed DEFEND, the turns with their reasons.
    """

    game: MastermindGame
    remaining: int
    contradiction: Contradiction | None = None
    steps: tuple[Reason[Score], ...] = ()


@dataclass(frozen=True, slots=True)
class InvitationView:
    """A challenge as its two players see it.

    Attributes:
        game: the challenge.
        face: of who has made it, if that is known; None once it was answered.
        calls: whether it may ping whom it is for; of meaning only to who has just made it.
    """

    game: MastermindGame
    face: Face | None = None
    calls: bool = True


@dataclass(frozen=True, slots=True)
class SettingRecord:
    """What a Codebreaker has done at one setting, in finished games with at least one guess.

    Attributes:
        rules: the setting.
        games: how many games.
        solved: how many of them were solved.
        mean: guesses to solve, on average over the solved ones; None if there are none.
        best: the fewest guesses it took; None if none was solved.
    """

    rules: Mastermind
    games: int
    solved: int
    mean: float | None
    best: int | None


class WrongSettingError(Refused):
    """A number that no setting has."""

    field: str
    """``pegs``, ``colours`` or ``guesses``."""
    found: int
    lowest: int
    highest: int

    def told(self) -> str:
        messages = {
            "pegs": N_("A code has {lowest} to {pegs}, not {found}."),
            "colours": N_("There are {lowest} to {colours}, not {found}."),
            "guesses": N_("There are {lowest} to {guesses}, not {found}."),
        }
        return say(
            messages[self.field],
            pegs=counts.pegs(self.highest),
            colours=counts.colours(self.highest),
            guesses=counts.guesses(self.highest),
            **written(self),
        )


class PegsBeyondColoursError(Refused):
    """More pegs than colours, where no colour may be used twice."""

    pegs: int
    chosen: int
    """How many colours."""

    def told(self) -> str:
        message = N_("Without repeats, {pegs} need at least {colours}; you chose {chosen}.")
        return say(message, colours=counts.colours(self.pegs), **written(self))


class CodeRefusedError(TextRefusedError):
    """A text that is no code to be broken; no game was opened."""

    rules: Mastermind
    """What it should be a code of."""


class TooManyGamesError(Refused):
    """A player with as many open games as there may be."""

    games: int

    sentence = N_("You have {games} of Mastermind open. Finish one: `/games`.")


class SelfChallengeError(Refused):
    sentence = N_("You can't challenge yourself. Try `/mastermind play`.")


class BotChallengeError(Refused):
    sentence = N_("Bots take no challenges. Try `/mastermind defend`.")


class AlreadyInvitedError(Refused):
    """A second challenge to a member who has not answered the first yet."""

    game: MastermindGame
    """The first."""

    def told(self) -> str:
        message = N_("You challenged {player} already: {board}.")
        board = self.game.board_url
        if board is None:
            message = N_("You challenged {player} already: see `/games`.")
        return say(message, player=mention(self.game.codebreaker_id or 0), board=board)


class NoSuchGameError(Refused):
    sentence = N_("That game is gone. Type `/mastermind play` for a new one.")


class NotYourGameError(OthersGameError):
    """Somebody else's game."""

    player_id: int
    """Whose move it would be."""

    sentence = N_("Only {player} can do that here. Your own: `/mastermind play`.")


class NotInvitedError(OthersGameError):
    """A challenge to somebody else."""

    player_id: int
    """To whom."""
    is_challenger: bool = False
    """Whether it is the challenger who wants to answer it."""

    def told(self) -> str:
        message = N_("This challenge is for {player}. Type `/mastermind challenge` for your own.")
        if self.is_challenger:
            message = N_("{player} has to answer it. *Withdraw* takes it back.")
        return say(message, **written(self))


class NotWithdrawableError(Refused):
    """A challenge that the challenged wants to take back."""

    player_id: int
    """Who could."""

    sentence = N_("Only {player} can withdraw it. You can press *Decline*.")


class GameStateError(Refused):
    """Base of what cannot be done at a game's present stage."""

    game: MastermindGame
    """As it stands."""


class GameFinishedError(GameStateError):
    """The game is over; perhaps only just found to be."""

    #: Also instead of a guess that comes too late.
    sentence = N_("This game is over.")


class NotAcceptedError(GameStateError):
    """The challenge was not accepted yet."""

    def told(self) -> str:
        message = N_("{player} has to accept first.")
        return say(message, player=mention(self.game.codebreaker_id or 0))


class AlreadyAcceptedError(GameStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""

    def told(self) -> str:
        message = N_("It was accepted already. {player} can still resign.")
        return say(message, player=mention(self.game.codebreaker_id or 0))


class RowError(GameStateError):
    """Base of what cannot be done with the row."""


class RowFullError(RowError):
    """One more colour than there are pegs."""

    sentence = N_("The row is full. Press *Guess* or *Undo*.")


class RowIncompleteError(RowError):
    """A row submitted too early."""

    def told(self) -> str:
        found, wanted = len(self.game.pending), self.game.rules.pegs
        missing = wanted - found
        return ngettext(
            "The row has {found} of {wanted} pegs. Add one.",
            "The row has {found} of {wanted} pegs. Add {missing}.",
            missing,
        ).format(found=found, wanted=wanted, missing=missing)


class ColourUsedError(RowError):
    """A colour put twice, where none may be."""

    symbol: str
    """Its letter."""

    def told(self) -> str:
        message = N_("{symbol} ({colour}) is in the row already, and repeats are off.")
        return say(message, colour=colour_name(self.symbol), **written(self))


class MastermindRefusedError(GameStateError, TextRefusedError):
    """A guess that was not played, typed or put."""


class ImpossibleAnswerError(Refused):
    """An answer that no code could give to the guess."""

    guess: Code
    blacks: int
    whites: int | None
    """None if only blacks were answered."""

    def told(self) -> str:
        message = N_("No code gives {guess} {blacks} black and {whites} white.")
        if self.whites is None:
            message = N_("No code gives {guess} {blacks} black.")
        return say(message, **written(self))


class BoardUnpostableError(Refused):
    """A board that the bot could not post again."""

    channel_id: int
    """Where it would be."""
    is_gone: bool
    """Whether the channel is no longer there; else the bot may not post in it."""

    def told(self) -> str:
        if self.is_gone:
            return _("The channel is gone. Go on in `/games`.")
        return _(
            "I may not post in {channel}: somebody must let me see it and send messages. Go on in "
            "`/games`."
        ).format(**written(self))


# Other names for colours and places, so that no two games of the bot begin alike. Mastermind's
# rules know neither: whatever the bot does with the colours and places renamed is worth just as
# much. The engine guesses as ever; what it is told is renamed before, and what it guesses after.

_BETWEEN: Final = "/"


@dataclass(frozen=True, slots=True)
class Relabelling:
    """What the engine's colours and places are called in one game.

    Attributes:
        colours: for each colour of the engine's, in the order of the alphabet, the game's.
        places: for each place of the game's, counted from 0, the engine's.
    """

    colours: str
    places: tuple[int, ...]

    @classmethod
    def none(cls, rules: Mastermind) -> Self:
        """Everything is called what the engine calls it."""
        return cls(rules.alphabet, tuple(range(rules.pegs)))

    @classmethod
    def draw(cls, rules: Mastermind, rng: random.Random | None = None) -> Self:
        """One of all there are, each as likely.

        Args:
            rules: the setting.
            rng: what draws; None for what nobody can foresee.
        """
        rng = rng or secrets.SystemRandom()
        colours = rng.sample(rules.alphabet, len(rules.alphabet))
        return cls("".join(colours), tuple(rng.sample(range(rules.pegs), rules.pegs)))

    @classmethod
    def decode(cls, rules: Mastermind, stored: str | None) -> Self:
        """As it was stored; None for a game that was opened before there were any."""
        if stored is None:
            return cls.none(rules)
        colours, _, places = stored.partition(_BETWEEN)
        return cls(colours, tuple(map(int, places)))

    def encode(self) -> str:
        """What is stored: colours, then places in digits; no setting has ten."""
        return f"{self.colours}{_BETWEEN}{''.join(map(str, self.places))}"

    def to_game(self, rules: Mastermind, code: Code) -> Code:
        """A code of the engine's, as the game calls it."""
        return Code("".join(self.colours[rules.alphabet.index(code[n])] for n in self.places))

    def to_engine(self, rules: Mastermind, code: Code) -> Code:
        """A code of the game's, as the engine calls it."""
        pegs = dict(zip(self.places, code, strict=True))
        named = (rules.alphabet[self.colours.index(pegs[n])] for n in range(rules.pegs))
        return Code("".join(named))

    def turn_to_engine(self, rules: Mastermind, turn: Turn[Score]) -> Turn[Score]:
        """A turn of the game's, as the engine calls it; its answer is the same."""
        return Turn(self.to_engine(rules, turn.guess), turn.feedback)
