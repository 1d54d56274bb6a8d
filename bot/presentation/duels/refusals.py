"""What duels refuse, in words."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import mention, small
from bot.presentation.base.refusals import Mistakes, Sentences, mistake
from bot.presentation.duels.rows import digits, name
from bot.services.base.errors import RatedDuelError
from bot.services.duels import errors
from bot.services.duels.model import DuelGame
from bot.services.duels.transitions import State
from engine import GameOverError, Mode, NotYourTurnError, Problem, RepeatedGuessError


def _cannot_be_rated(error: errors.CannotBeRatedError) -> str:
    if error.against_bot:
        return _("Duels with the bot are never rated. Leave `rated` out, or challenge a member.")
    return _(
        "Classic duels are never rated, because moving first wins too many of them. Leave `rated` "
        "out, or choose equal turns."
    )


def _not_your_duel(error: errors.NotYourDuelError) -> str:
    first, second = mention(error.player_ids[0]), mention(error.player_ids[-1])
    return _("This is a duel of {players}; watch as you like. Type `/duel` to play.").format(
        players=_("{first} and {second}").format(first=first, second=second)
    )


def _not_challenged(error: errors.NotChallengedError) -> str:
    words = N_("Only {player} can answer this challenge. Type `/duel` to challenge somebody.")
    if error.is_own:
        words = N_("This is your own challenge: {player} has to answer it. You can withdraw it.")
    return say(words, player=mention(error.player_id))


def _not_accepted(error: errors.NotAcceptedYetError) -> str:
    return _("The duel begins when {player} accepts it.").format(
        player=mention(error.game.opponent_id or 0)
    )


def _under_way(error: errors.AlreadyUnderWayError) -> str:
    if error.game.state is State.SETTING:
        return _(
            "The challenge was accepted already. Until both numbers are set, either of you can "
            "call the duel off."
        )
    return _("The challenge was accepted already. Whoever wants to stop now can resign.")


def _secrets_missing(error: errors.SecretsMissingError) -> str:
    missing = [name(seat) for seat in error.game.seats if not seat.is_ready]
    return ngettext(
        "Guessing begins when both numbers are set; {players} had not set one.",
        "Guessing begins when both numbers are set; {players} had not set theirs.",
        len(missing),
    ).format(players=_(" and ").join(missing))


def _secret_fixed(error: errors.SecretFixedError) -> str:
    if error.game.mode is Mode.RACE:
        return _("In a race the number is drawn by the bot; nobody sets one.")
    return _("Your number is set already and cannot be changed.")


def _no_draw_offered(error: errors.NoDrawOfferedError) -> str:
    if error.game.draw_offered_by is not None:
        return _(
            "The offer of a draw is your own; your opponent has to answer it. **No draw** takes it "
            "back."
        )
    if error.game.draw_declined_by is not None:
        return _("That offer is gone: the draw was declined.")
    return _("No draw is on offer, or no longer: it was taken back, or a guess was made since.")


def _secret_refused(error: errors.SecretRefusedError) -> str:
    return f"{_mistake(error)}\n{small(_('This one was not taken.'))}"


def _guess_refused(error: errors.DuelRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        if error.game.finished_at is not None:
            return _("The duel was over before this guess, which does not count.")
        return _("You have finished your part of the race; now wait for the other.")
    if isinstance(error.cause, NotYourTurnError):
        return _not_your_turn(error.game)
    return f"{_mistake(error)}\n{small(_('It did not count.'))}"


def _not_your_turn(game: DuelGame) -> str:
    if game.to_move is None:
        return _("It was not your turn.")
    words = N_("It is {player}'s turn, not yours. You are told when it is.")
    return say(words, player=name(game.seats[game.to_move]))


def _mistake(error: errors.SecretRefusedError | errors.DuelRefusedError) -> str:
    return mistake(error, _MISTAKES, digits=counts.digits(error.game.rules.digits))


def _rated_duel(error: RatedDuelError) -> str:
    return _(
        "You are in a rated duel with {player}, {numbers}: the bot's guesses here could help you "
        "there. Until it is over, the bot breaks only what it has drawn itself."
    ).format(player=mention(error.player_id), numbers=digits(error.numbers))


def _number_refused(error: errors.NumberRefusedError) -> str:
    return mistake(error, _NUMBER_MISTAKES, digits=counts.digits(error.rules.digits))


_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You have guessed {guess} already, as guess {turn}. Try another one."),
    Problem.EMPTY: N_("Nothing was typed. Type {digits}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {position} is no digit. Type {digits} from 0 to 9."
    ),
    Problem.REPEATED_SYMBOL: N_(
        "{text} has {symbol} twice; in this duel all digits of a number are different."
    ),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} digits: one is missing.",
        "{text} has {found} of {wanted} digits: {difference} are missing.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} digits, this duel has {wanted}: one too many.",
        "{text} has {found} digits, this duel has {wanted}: {difference} too many.",
        difference,
    ),
}

_NUMBER_MISTAKES: Final[Mistakes] = {
    **_MISTAKES,
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} twice; here all digits are different."),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} digits, not {wanted}: one too many.",
        "{text} has {found} digits, not {wanted}: {difference} too many.",
        difference,
    ),
}

SENTENCES: Final[Sentences] = {
    errors.WrongDigitsError: N_(
        "A number has {lowest} to {digits}, not {found}. Choose one of these."
    ),
    errors.CannotBeRatedError: _cannot_be_rated,
    errors.SelfDuelError: N_(
        "You can't duel yourself. Type `/duel` without an opponent to play against the bot."
    ),
    errors.OtherBotDuelError: N_(
        "Other bots do not play. Type `/duel` without an opponent to play against this one."
    ),
    errors.TooManyDuelsError: N_(
        "You have {duels} open, which is as many as there may be. Finish one or call one off; "
        "`/games` lists them."
    ),
    errors.TooManyDuelsOfPairError: N_(
        "You and {player} have {duels} open, challenges among them, which is as many as two "
        "may have. Finish one first; `/games` lists them."
    ),
    errors.NoSuchDuelError: N_("That duel is no longer stored. Type `/duel` for a new one."),
    errors.NotYourDuelError: _not_your_duel,
    errors.NotChallengedError: _not_challenged,
    errors.NotChallengerError: N_("Only {player}, who made this challenge, can withdraw it."),
    errors.DuelOverError: N_("This duel is over; nothing more counts in it."),
    errors.DuelGoesOnError: N_("You can ask for a rematch when this duel is over."),
    errors.NotAcceptedYetError: _not_accepted,
    errors.HasBegunError: N_(
        "The duel has begun, so it can no longer be called off. You can still resign; then your "
        "opponent wins."
    ),
    errors.NotBegunError: N_(
        "The duel has not begun, so there is nothing to resign. Cancel it instead; then nobody "
        "wins."
    ),
    errors.AlreadyUnderWayError: _under_way,
    errors.SecretsMissingError: _secrets_missing,
    errors.SecretFixedError: _secret_fixed,
    errors.NoRaceError: N_("There is nothing to start: this duel is no race, you guess in turn."),
    errors.NotStartedError: N_("Press **Start** first: your time in a race begins with it."),
    errors.NoDrawOfferedError: _no_draw_offered,
    errors.NoDrawWithBotError: N_("The bot agrees to no draw. Play on, or resign."),
    errors.NowhereToPostError: N_(
        "The board cannot be posted: the duel's channel is gone, or closed to the bot. Type "
        "`/games` in another channel of that server and press this there, or play on from here."
    ),
    errors.ForgottenOpponentError: N_(
        "The other player has deleted all their data, so there is nobody to ask for a rematch. "
        "Type `/duel` to challenge somebody else."
    ),
    errors.SecretRefusedError: _secret_refused,
    errors.DuelRefusedError: _guess_refused,
    RatedDuelError: _rated_duel,
    errors.NumberRefusedError: _number_refused,
}
