"""What Mastermind refuses, in words."""

from typing import Final

from bot.mastermind.model import errors
from bot.mastermind.model.game import MastermindGame
from bot.mastermind.pages.rows import board_url, example
from bot.refused import RankedGameError
from bot.text import counts
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import code, mention, small
from bot.text.pegs import colour_name
from bot.text.refusals import Mistakes, Sentences, mistake, written
from engine import GameOverError, Mastermind, NotationError, Problem, RepeatedGuessError


def _wrong_setting(error: errors.WrongSettingError) -> str:
    messages = {
        "pegs": N_("A code has {lowest} to {pegs}, not {found}."),
        "colours": N_("There are {lowest} to {colours}, not {found}."),
        "guesses": N_("There are {lowest} to {guesses}, not {found}."),
    }
    return say(
        messages[error.field],
        pegs=counts.pegs(error.highest),
        colours=counts.colours(error.highest),
        guesses=counts.guesses(error.highest),
        **written(error),
    )


def _pegs_beyond_colours(error: errors.PegsBeyondColoursError) -> str:
    message = N_("Without repeats, {pegs} need at least {colours}; you chose {chosen}.")
    return say(message, colours=counts.colours(error.pegs), **written(error))


def _guess_refused(error: errors.MastermindRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        return _(_OVER)
    return f"{_mistake(error, error.game.rules)}\n{small(_('No guess was spent.'))}"


#: Instead of a guess that comes too late.
_OVER: Final = N_("This game is over.")


def _code_refused(error: errors.CodeRefusedError) -> str:
    return f"{_mistake(error, error.rules)}\n{small(_('No code is set yet.'))}"


def _mistake(
    error: errors.MastermindRefusedError | errors.CodeRefusedError, rules: Mastermind
) -> str:
    messages, colour = _MISTAKES, ""
    if isinstance(cause := error.cause, NotationError):
        if cause.meant:
            messages = {**_MISTAKES, cause.problem: _MEANT}
        if cause.problem in (Problem.COLOUR_NOT_IN_PLAY, Problem.REPEATED_SYMBOL):
            colour = colour_name(cause.symbol)
    return mistake(
        error,
        messages,
        colour=colour,
        code=counts.colours(rules.pegs),
        colours=code(" ".join(rules.alphabet)),
        example=code(example(rules)),
    )


#: A mistyped colour that is near another.
_MEANT: Final = N_("{text}: {symbol} at place {place} is no colour. Did you mean {meant}?")
_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You played {guess} as guess {turn}."),
    Problem.EMPTY: N_("Type {code}, such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {place} is no colour. Type letters ({colours}), names or emoji."
    ),
    Problem.COLOUR_NOT_IN_PLAY: N_(
        "{text}: {symbol} ({colour}) at place {place} is not in this game: {colours}."
    ),
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} ({colour}) twice, and repeats are off."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} pegs. Add one.",
        "{text} has {found} of {wanted} pegs. Add {difference}.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} pegs, this game {wanted}. Take one out.",
        "{text} has {found} pegs, this game {wanted}. Take {difference} out.",
        difference,
    ),
}


def _ranked_game(error: RankedGameError) -> str:
    sentence = _("Your ranked Mastermind has such codes. Finish it or give it up first.")
    return (
        f"{sentence} {_('Or seal a code: I guess afterwards.')}" if error.is_sealable else sentence
    )


def _already_invited(error: errors.AlreadyInvitedError) -> str:
    message = N_("You challenged {player} already: {board}.")
    board = board_url(error.game)
    if board is None:
        message = N_("You challenged {player} already: see `/games`.")
    return say(message, player=_codebreaker(error.game), board=board)


def _board_unpostable(error: errors.BoardUnpostableError) -> str:
    if error.is_gone:
        return _("The channel is gone. Go on in `/games`.")
    return _(
        "I may not post in {channel}: somebody must let me see it and send messages. Go on in "
        "`/games`."
    ).format(**written(error))


def _not_invited(error: errors.NotInvitedError) -> str:
    message = N_("This challenge is for {player}. Type `/mastermind challenge` for your own.")
    if error.is_challenger:
        message = N_("{player} has to answer it. *Withdraw* takes it back.")
    return say(message, **written(error))


def _not_accepted(error: errors.NotAcceptedError) -> str:
    message = N_("{player} has to accept first.")
    return say(message, player=_codebreaker(error.game))


def _already_accepted(error: errors.AlreadyAcceptedError) -> str:
    message = N_("It was accepted already. {player} can still resign.")
    return say(message, player=_codebreaker(error.game))


def _codebreaker(game: MastermindGame) -> str:
    return mention(game.codebreaker_id or 0)


def _row_full(error: errors.RowFullError) -> str:
    message = N_("The row is full. Press *Guess* or *Undo*.")
    return say(message, pegs=counts.pegs(error.game.rules.pegs))


def _row_incomplete(error: errors.RowIncompleteError) -> str:
    found, wanted = len(error.game.pending), error.game.rules.pegs
    missing = wanted - found
    return ngettext(
        "The row has {found} of {wanted} pegs. Add one.",
        "The row has {found} of {wanted} pegs. Add {missing}.",
        missing,
    ).format(found=found, wanted=wanted, missing=missing)


def _colour_used(error: errors.ColourUsedError) -> str:
    message = N_("{symbol} ({colour}) is in the row already, and repeats are off.")
    return say(message, colour=colour_name(error.symbol), **written(error))


def _impossible_answer(error: errors.ImpossibleAnswerError) -> str:
    message = N_("No code gives {guess} {blacks} black and {whites} white.")
    if error.whites is None:
        message = N_("No code gives {guess} {blacks} black.")
    return say(message, **written(error))


SENTENCES: Final[Sentences] = {
    errors.WrongSettingError: _wrong_setting,
    errors.PegsBeyondColoursError: _pegs_beyond_colours,
    errors.MastermindRefusedError: _guess_refused,
    errors.CodeRefusedError: _code_refused,
    errors.TooManyGamesError: N_("You have {games} of Mastermind open. Finish one: `/games`."),
    RankedGameError: _ranked_game,
    errors.SelfChallengeError: N_("You can't challenge yourself. Try `/mastermind play`."),
    errors.BotChallengeError: N_("Bots take no challenges. Try `/mastermind defend`."),
    errors.AlreadyInvitedError: _already_invited,
    errors.BoardUnpostableError: _board_unpostable,
    errors.NoSuchGameError: N_("That game is gone. Type `/mastermind play` for a new one."),
    errors.NotYourGameError: N_("Only {player} can do that here. Your own: `/mastermind play`."),
    errors.NotInvitedError: _not_invited,
    errors.NotWithdrawableError: N_("Only {player} can withdraw it. You can press *Decline*."),
    errors.GameFinishedError: _OVER,
    errors.NotAcceptedError: _not_accepted,
    errors.AlreadyAcceptedError: _already_accepted,
    errors.RowFullError: _row_full,
    errors.RowIncompleteError: _row_incomplete,
    errors.ColourUsedError: _colour_used,
    errors.ImpossibleAnswerError: _impossible_answer,
}
