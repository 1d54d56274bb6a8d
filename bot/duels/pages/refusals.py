"""What duels refuse, in words."""

from typing import Final

from bot.duels.model import errors
from bot.duels.model.duel import DuelGame
from bot.duels.model.transitions import State
from bot.duels.pages.rows import digits, name, options
from bot.refused import RatedDuelError
from bot.text import counts
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import mention, small
from bot.text.refusals import Mistakes, Sentences, mistake
from engine import GameOverError, Mode, NotYourTurnError, Problem, RepeatedGuessError


def _cannot_be_rated(error: errors.CannotBeRatedError) -> str:
    if error.against_bot:
        return _("Duels with the bot are never rated.")
    return _("Classic duels are never rated: moving first wins too many. Choose equal turns.")


def _not_your_duel(error: errors.NotYourDuelError) -> str:
    first, second = mention(error.player_ids[0]), mention(error.player_ids[-1])
    return _("This is a duel of {players}. Type `/duel` for your own.").format(
        players=_("{first} and {second}").format(first=first, second=second)
    )


def _not_challenged(error: errors.NotChallengedError) -> str:
    words = N_("This challenge is for {player}. Type `/duel` for your own.")
    if error.is_own:
        words = N_("{player} has to answer it. You can withdraw it.")
    return say(words, player=mention(error.player_id))


def _not_accepted(error: errors.NotAcceptedYetError) -> str:
    return _("The duel begins when {player} accepts it.").format(
        player=mention(error.game.opponent_id or 0)
    )


def _terms_changed(error: errors.TermsChangedError) -> str:
    return _("{player} changed the terms: {options}").format(
        player=mention(error.game.challenger_id or 0), options=options(error.game)
    )


def _new_number(error: errors.NewNumberError) -> str:
    return _("{numbers}: **set your number anew**.").format(numbers=digits(error.rules))


def _start_missing(error: errors.StartMissingError) -> str:
    return _("{player} has yet to press **Start**.").format(
        player=mention(error.game.challenger_id or 0)
    )


def _under_way(error: errors.AlreadyUnderWayError) -> str:
    if error.game.state is State.INVITED:
        return _("Only newer challenges can be changed. Withdraw this one and ask again.")
    if error.game.can_be_called_off:
        return _("It was accepted already. Until the first guess either of you can call it off.")
    return _("It was accepted already. You can still resign.")


def _secrets_missing(error: errors.SecretsMissingError) -> str:
    missing = [name(seat) for seat in error.game.seats if not seat.is_ready]
    return ngettext(
        "{players} has yet to set a number.",
        "{players} have yet to set their numbers.",
        len(missing),
    ).format(players=_(" and ").join(missing))


def _secret_fixed(error: errors.SecretFixedError) -> str:
    if error.game.mode is Mode.RACE:
        return _("In a race the bot draws the number.")
    return _("Your number is set already.")


def _no_draw_offered(error: errors.NoDrawOfferedError) -> str:
    if error.game.draw_offered_by is not None:
        return _("Your opponent has to answer your offer. **Decline** takes it back.")
    if error.game.draw_declined_by is not None:
        return _("The draw was declined.")
    return _("No draw is on offer any more.")


def _secret_refused(error: errors.SecretRefusedError) -> str:
    return f"{_mistake(error)}\n{small(_('No number is set yet.'))}"


def _guess_refused(error: errors.DuelRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        if error.game.finished_at is not None:
            return _("The duel was over before this guess.")
        return _("You are done; now wait for the other.")
    if isinstance(error.cause, NotYourTurnError):
        return _not_your_turn(error.game)
    return f"{_mistake(error)}\n{small(_('No guess was spent.'))}"


def _not_your_turn(game: DuelGame) -> str:
    if game.to_move is None:
        return _("It was not your turn.")
    words = N_("It is {player}'s turn, not yours.")
    return say(words, player=name(game.seats[game.to_move]))


def _mistake(error: errors.SecretRefusedError | errors.DuelRefusedError) -> str:
    return mistake(error, _MISTAKES, digits=counts.digits(error.game.rules.digits))


def _rated_duel(error: RatedDuelError) -> str:
    return _(
        "You are in a rated duel with {player}, {numbers}. Until it is over, I break only what I "
        "draw myself."
    ).format(player=mention(error.player_id), numbers=digits(error.numbers))


def _number_refused(error: errors.NumberRefusedError) -> str:
    return mistake(error, _NUMBER_MISTAKES, digits=counts.digits(error.rules.digits))


_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You have guessed {guess} already, as guess {turn}."),
    Problem.EMPTY: N_("Nothing was typed. Type {digits}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {position} is no digit. Type {digits} from 0 to 9."
    ),
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} twice; here all digits are different."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} digits. Add one.",
        "{text} has {found} of {wanted} digits. Add {difference}.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} digits, this duel {wanted}. Take one out.",
        "{text} has {found} digits, this duel {wanted}. Take {difference} out.",
        difference,
    ),
}

_NUMBER_MISTAKES: Final[Mistakes] = {
    **_MISTAKES,
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} twice; here all digits are different."),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} digits, not {wanted}. Take one out.",
        "{text} has {found} digits, not {wanted}. Take {difference} out.",
        difference,
    ),
}

SENTENCES: Final[Sentences] = {
    errors.WrongDigitsError: N_("A number has {lowest} to {digits}, not {found}."),
    errors.CannotBeRatedError: _cannot_be_rated,
    errors.SelfDuelError: N_("You can't duel yourself. `/duel` alone plays the bot."),
    errors.OtherBotDuelError: N_("Other bots don't play. `/duel` alone plays this one."),
    errors.TooManyDuelsError: N_("You have {duels} open, and no more fit. `/games` lists them."),
    errors.TooManyDuelsOfPairError: N_(
        "You and {player} have {duels} open, and no more fit. `/games` lists them."
    ),
    errors.NoSuchDuelError: N_("That duel is gone. Type `/duel` for a new one."),
    errors.NotYourDuelError: _not_your_duel,
    errors.NotChallengedError: _not_challenged,
    errors.NotChallengerError: N_("Only {player} can do that."),
    errors.DuelOverError: N_("This duel is over."),
    errors.DuelGoesOnError: N_("Ask for a rematch when this one is over."),
    errors.NotAcceptedYetError: _not_accepted,
    errors.TermsChangedError: _terms_changed,
    errors.NowPassedError: N_("The first 15 minutes are over: a move a day is left."),
    errors.NewNumberError: _new_number,
    errors.StartMissingError: _start_missing,
    errors.HasBegunError: N_("The duel has begun. You can still resign; then your opponent wins."),
    errors.NotBegunError: N_("The duel has not begun. Call it off instead; then nobody wins."),
    errors.AlreadyUnderWayError: _under_way,
    errors.SecretsMissingError: _secrets_missing,
    errors.SecretFixedError: _secret_fixed,
    errors.NoRaceError: N_("There is nothing to start: you guess in turn."),
    errors.NotStartedError: N_("Press **Start** first: your time begins with it."),
    errors.NoDrawOfferedError: _no_draw_offered,
    errors.NoDrawWithBotError: N_("I agree to no draw. Play on, or resign."),
    errors.NowhereToPostError: N_(
        "The duel's channel is gone, or closed to me. Type `/games` in another channel of that "
        "server, or play on from here."
    ),
    errors.ForgottenOpponentError: N_(
        "The other player has deleted their data. Type `/duel` to challenge somebody else."
    ),
    errors.SecretRefusedError: _secret_refused,
    errors.DuelRefusedError: _guess_refused,
    RatedDuelError: _rated_duel,
    errors.NumberRefusedError: _number_refused,
}
