"""What duels refuse, in words."""

from collections.abc import Callable
from typing import Any, Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, mention, relative_time, small
from bot.presentation.duels.rows import name
from bot.services.duels.errors import (
    AlreadyUnderWayError,
    CannotBeRatedError,
    DuelGoesOnError,
    DuelOverError,
    DuelRefusedError,
    HasBegunError,
    NoDrawOfferedError,
    NoDrawWithBotError,
    NoRaceError,
    NoSuchDuelError,
    NotAcceptedYetError,
    NotBegunError,
    NotChallengedError,
    NotChallengerError,
    NotStartedError,
    NotYourDuelError,
    NowhereToPostError,
    OtherBotDuelError,
    SecretFixedError,
    SecretRefusedError,
    SecretsMissingError,
    SelfDuelError,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
    WrongDigitsError,
)
from bot.services.duels.model import DuelGame
from bot.services.duels.transitions import State
from engine import (
    BullsAndCows,
    EngineError,
    GameOverError,
    Mode,
    NotationError,
    NotYourTurnError,
    Problem,
    RepeatedGuessError,
)


def _wrong_digits(error: WrongDigitsError) -> str:
    return _("A number has {lowest} to {digits}, not {found}. Choose one of these.").format(
        lowest=error.lowest, digits=counts.digits(error.highest), found=error.found
    )


def _cannot_be_rated(error: CannotBeRatedError) -> str:
    if error.against_bot:
        return _("Duels with the bot are never rated. Leave `rated` out, or challenge a member.")
    return _(
        "Classic duels are never rated, because moving first wins too many of them. Leave `rated` "
        "out, or choose another mode."
    )


def _self_duel(_error: SelfDuelError) -> str:
    return _(
        "You cannot duel with yourself. Type `/duel` without an opponent to play against the bot."
    )


def _other_bot(_error: OtherBotDuelError) -> str:
    return _("Other bots do not play. Type `/duel` without an opponent to play against this one.")


def _too_many(error: TooManyDuelsError) -> str:
    return _(
        "You have {duels} open, which is as many as there may be. Finish one or call one off; "
        "`/games` lists them."
    ).format(duels=counts.duels(error.most))


def _too_many_of_pair(error: TooManyDuelsOfPairError) -> str:
    return _(
        "You and {player} have {duels} open, challenges among them, which is as many as two "
        "may have. Finish one first; `/games` lists them."
    ).format(player=mention(error.opponent_id), duels=counts.duels(error.most))


def _no_such_duel(_error: NoSuchDuelError) -> str:
    return _("That duel is no longer stored. Type `/duel` for a new one.")


def _not_your_duel(error: NotYourDuelError) -> str:
    if len(error.player_ids) == 1:
        return _("This is {player}'s duel with the bot. Type `/duel` for one of your own.").format(
            player=mention(error.player_ids[0])
        )
    players = _("{first} and {second}").format(
        first=mention(error.player_ids[0]), second=mention(error.player_ids[-1])
    )
    return _("This is a duel of {players}; watch as you like. Type `/duel` to play.").format(
        players=players
    )


def _not_challenged(error: NotChallengedError) -> str:
    return _("Only {player} can answer this challenge. Type `/duel` to challenge somebody.").format(
        player=mention(error.player_id)
    )


def _not_challenger(error: NotChallengerError) -> str:
    return _("Only {player}, who made this challenge, can withdraw it.").format(
        player=mention(error.player_id)
    )


def _duel_over(_error: DuelOverError) -> str:
    return _("This duel is over; nothing more counts in it.")


def _goes_on(_error: DuelGoesOnError) -> str:
    return _("This duel is not over yet. Finish it before you ask for a rematch.")


def _not_accepted(error: NotAcceptedYetError) -> str:
    return _("{player} has not accepted the challenge yet.").format(
        player=mention(error.game.opponent_id or 0)
    )


def _under_way(error: AlreadyUnderWayError) -> str:
    if error.game.state is State.SETTING:
        return _(
            "The challenge was accepted already. Until both numbers are set, either of you can "
            "call the duel off."
        )
    return _("The challenge was accepted already. Whoever wants to stop now can resign.")


def _has_begun(_error: HasBegunError) -> str:
    return _(
        "The duel has begun, so it can no longer be called off. You can still resign; then your "
        "opponent wins."
    )


def _not_begun(_error: NotBegunError) -> str:
    return _(
        "The duel has not begun, so there is nothing to resign. Call it off instead; then nobody "
        "wins."
    )


def _secrets_missing(error: SecretsMissingError) -> str:
    missing = [name(seat) for seat in error.game.seats if not seat.is_ready]
    return ngettext(
        "Nobody can guess yet: {players} has to set a number first.",
        "Nobody can guess yet: {players} have to set their numbers first.",
        len(missing),
    ).format(players=_(" and ").join(missing))


def _secret_fixed(error: SecretFixedError) -> str:
    if error.game.mode is Mode.RACE:
        return _("In a race the number is drawn by the bot; nobody sets one.")
    return _("Your number is set already and cannot be changed.")


def _no_race(_error: NoRaceError) -> str:
    return _("There is nothing to start: this duel is no race, you guess in turn.")


def _not_started(_error: NotStartedError) -> str:
    return _("Press **Start** first: your time in a race begins with it.")


def _no_draw_offered(error: NoDrawOfferedError) -> str:
    if error.game.draw_offered_by is not None:
        return _("The offer of a draw is your own; your opponent has to answer it.")
    return _("No draw is on offer, or no longer: a guess takes an offer off the table.")


def _no_draw_with_bot(_error: NoDrawWithBotError) -> str:
    return _("The bot agrees to no draw. Play on, or resign.")


def _nowhere(_error: NowhereToPostError) -> str:
    return _(
        "The board cannot be posted: the duel's channel is gone, or closed to the bot. Type "
        "`/games` in another channel of that server and press this there, or play on from here."
    )


def _secret_refused(error: SecretRefusedError) -> str:
    sentence = _mistake(error.text, error.cause, error.game)
    return f"{sentence}\n{small(_('Your number is not set yet.'))}"


def _guess_refused(error: DuelRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        if error.game.finished_at is not None:
            return _("The duel was over before this guess, which does not count.")
        return _("You have finished your part of the race; now wait for the other.")
    if isinstance(error.cause, NotYourTurnError):
        return _not_your_turn(error.game)
    return (
        f"{_mistake(error.text, error.cause, error.game)}\n{small(_('This guess cost nothing.'))}"
    )


def _not_your_turn(game: DuelGame) -> str:
    if game.to_move is None:
        return _("It is not your turn.")
    seat = game.seats[game.to_move]
    words = _("It is {player}'s turn, not yours.").format(player=name(seat))
    if seat.deadline_at is None:
        return words
    return (
        words + " " + _("Their time runs out {when}.").format(when=relative_time(seat.deadline_at))
    )


def _mistake(text: str, cause: EngineError, game: DuelGame) -> str:
    if isinstance(cause, RepeatedGuessError):
        return _("You have guessed {guess} already, as guess {turn}. Try another one.").format(
            guess=code(cause.guess), turn=cause.turn + 1
        )
    if isinstance(cause, NotationError):
        return _notation(text, cause, game.rules)
    # The engine has no other refusals; a new one must be worded here.
    raise TypeError(f"no words for {type(cause).__name__}") from cause


def _notation(text: str, error: NotationError, rules: BullsAndCows) -> str:
    return _notation_sentence(error).format(
        text=code(text),
        symbol=code(error.symbol),
        place=error.position + 1,
        found=error.found,
        wanted=error.wanted,
        difference=abs(error.found - error.wanted),
        digits=counts.digits(rules.digits),
    )


def _notation_sentence(error: NotationError) -> str:
    difference = abs(error.found - error.wanted)
    if error.problem is Problem.TOO_SHORT:
        return ngettext(
            "{text} has {found} of {wanted} digits: one is missing.",
            "{text} has {found} of {wanted} digits: {difference} are missing.",
            difference,
        )
    if error.problem is Problem.TOO_LONG:
        return ngettext(
            "{text} has {found} digits, this duel has {wanted}: one too many.",
            "{text} has {found} digits, this duel has {wanted}: {difference} too many.",
            difference,
        )
    return _(_NOTATION[error.problem])


_NOTATION: Final = {
    Problem.EMPTY: N_("Nothing was typed. Type {digits}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {place} is no digit. Type {digits} from 0 to 9."
    ),
    Problem.REPEATED_SYMBOL: N_(
        "{text} has {symbol} twice; in this duel all digits of a number are different."
    ),
}

DUEL_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    WrongDigitsError: _wrong_digits,
    CannotBeRatedError: _cannot_be_rated,
    SelfDuelError: _self_duel,
    OtherBotDuelError: _other_bot,
    TooManyDuelsError: _too_many,
    TooManyDuelsOfPairError: _too_many_of_pair,
    NoSuchDuelError: _no_such_duel,
    NotYourDuelError: _not_your_duel,
    NotChallengedError: _not_challenged,
    NotChallengerError: _not_challenger,
    DuelOverError: _duel_over,
    DuelGoesOnError: _goes_on,
    NotAcceptedYetError: _not_accepted,
    HasBegunError: _has_begun,
    NotBegunError: _not_begun,
    AlreadyUnderWayError: _under_way,
    SecretsMissingError: _secrets_missing,
    SecretFixedError: _secret_fixed,
    NoRaceError: _no_race,
    NotStartedError: _not_started,
    NoDrawOfferedError: _no_draw_offered,
    NoDrawWithBotError: _no_draw_with_bot,
    NowhereToPostError: _nowhere,
    SecretRefusedError: _secret_refused,
    DuelRefusedError: _guess_refused,
}
