"""What Mastermind refuses, in words."""

from collections.abc import Callable
from typing import Any, Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, mention, small
from bot.presentation.base.pegs import colour_name
from bot.presentation.mastermind.rows import board_url, example
from bot.services.mastermind.errors import (
    AlreadyAcceptedError,
    AlreadyInvitedError,
    BoardUnpostableError,
    BotChallengeError,
    CodeRefusedError,
    ColourUsedError,
    GameFinishedError,
    ImpossibleAnswerError,
    MastermindRefusedError,
    NoSuchGameError,
    NotAcceptedError,
    NotInvitedError,
    NotWithdrawableError,
    NotYourGameError,
    PegsBeyondColoursError,
    RankedGameError,
    RowFullError,
    RowIncompleteError,
    SelfChallengeError,
    TooManyGamesError,
    WrongSettingError,
)
from engine import (
    EngineError,
    GameOverError,
    Mastermind,
    NotationError,
    Problem,
    RepeatedGuessError,
)


def _wrong_setting(error: WrongSettingError) -> str:
    sentences = {
        "pegs": _("A code has {lowest} to {pegs}, not {found}. Choose one of these."),
        "colours": _("There are {lowest} to {colours}, not {found}. Choose one of these."),
        "guesses": _("There are {lowest} to {guesses}, not {found}. Choose one of these."),
    }
    return sentences[error.field].format(
        lowest=error.lowest,
        pegs=counts.pegs(error.highest),
        colours=counts.colours(error.highest),
        guesses=counts.guesses(error.highest),
        found=error.found,
    )


def _pegs_beyond_colours(error: PegsBeyondColoursError) -> str:
    return _(
        "Repeats are off, so {pegs} need at least {colours}; you chose {chosen}. "
        "Take more colours, take fewer pegs, or switch repeats on."
    ).format(
        pegs=counts.pegs(error.pegs),
        colours=counts.colours(error.pegs),
        chosen=error.colours,
    )


def _guess_refused(error: MastermindRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        return _over()
    return (
        f"{_mistake(error.text, error.cause, error.game.rules)}\n{small(_('This cost no guess.'))}"
    )


def _code_refused(error: CodeRefusedError) -> str:
    sentence = _mistake(error.text, error.cause, error.rules)
    return f"{sentence}\n{small(_('Your code is not set yet.'))}"


def _mistake(text: str, cause: EngineError, rules: Mastermind) -> str:
    if isinstance(cause, RepeatedGuessError):
        return _("You have played {guess} already, as guess {turn}. Try another one.").format(
            guess=code(cause.guess), turn=cause.turn + 1
        )
    if isinstance(cause, NotationError):
        return _notation(text, cause, rules)
    # The engine has no other refusals; a new one must be worded here.
    raise TypeError(f"no words for {type(cause).__name__}") from cause


def _notation(text: str, error: NotationError, rules: Mastermind) -> str:
    is_colour = error.problem in (Problem.COLOUR_NOT_IN_PLAY, Problem.REPEATED_SYMBOL)
    return _notation_sentence(error).format(
        text=code(text),
        symbol=code(error.symbol),
        meant=code(error.meant),
        colour=colour_name(error.symbol) if is_colour else "",
        place=error.place + 1,
        found=error.found,
        wanted=error.wanted,
        difference=abs(error.found - error.wanted),
        code=counts.colours(rules.pegs),
        colours=code(" ".join(rules.alphabet)),
        example=code(example(rules)),
    )


def _notation_sentence(error: NotationError) -> str:
    difference = abs(error.found - error.wanted)
    if error.problem is Problem.TOO_SHORT:
        return ngettext(
            "{text} has {found} of {wanted} pegs: one is missing.",
            "{text} has {found} of {wanted} pegs: {difference} are missing.",
            difference,
        )
    if error.problem is Problem.TOO_LONG:
        return ngettext(
            "{text} has {found} pegs, this game has {wanted}: one too many.",
            "{text} has {found} pegs, this game has {wanted}: {difference} too many.",
            difference,
        )
    if error.meant:
        return _("{text}: {symbol} at place {place} is no colour. Did you mean {meant}?")
    return _(_NOTATION[error.problem])


_NOTATION: Final = {
    Problem.EMPTY: N_("Nothing was typed. Type {code}, such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {place} is no colour. Type letters ({colours}), "
        "English colour names or emoji."
    ),
    Problem.COLOUR_NOT_IN_PLAY: N_(
        "{text}: {symbol} ({colour}) at place {place} is not in this game. "
        "Its colours are {colours}."
    ),
    Problem.REPEATED_SYMBOL: N_(
        "{text} has {symbol} ({colour}) a second time, at place {place}; repeats are off in this "
        "game, so each colour is used at most once."
    ),
}


def _too_many_games(error: TooManyGamesError) -> str:
    return _(
        "You have {games} of Mastermind open, which is as many as there may be. "
        "Finish one or give one up; `/games` lists them."
    ).format(games=counts.games(error.most))


def _ranked_game(error: RankedGameError) -> str:
    sentence = _(
        "You have a game of this kind open that counts on leaderboards. Until it is over, the bot "
        "does not guess at such a code for you."
    )
    instead = _("Finish that game or give it up first.")
    if error.is_sealable:
        instead = _(
            "Finish that game or give it up first. Or seal a code now, and the bot breaks it "
            "afterwards."
        )
    return f"{sentence} {instead}"


def _self_challenge(_error: SelfChallengeError) -> str:
    return _(
        "You cannot challenge yourself. To break a code alone, type `/mastermind play`; "
        "to have yours broken by the bot, `/mastermind defend`."
    )


def _bot_challenge(_error: BotChallengeError) -> str:
    return _("Bots take no challenges. To have your code broken by a bot: `/mastermind defend`.")


def _already_invited(error: AlreadyInvitedError) -> str:
    player, board = mention(error.game.codebreaker_id or 0), board_url(error.game)
    if board is None:
        return _(
            "You have challenged {player} already, and they have not answered yet. `/games` shows "
            "that challenge; withdraw it there to make another one."
        ).format(player=player)
    return _(
        "You have challenged {player} already, and they have not answered yet: {board}. Withdraw "
        "that challenge to make another one."
    ).format(player=player, board=board)


def _board_unpostable(error: BoardUnpostableError) -> str:
    if error.is_gone:
        return _(
            "The channel of this challenge is gone, so its board cannot be posted again. Type "
            "`/games` to go on in private."
        )
    return _(
        "The bot may not post in {channel}. Ask somebody who can change that channel's settings to "
        "let it see the channel and send messages there, then try again. Until then, `/games` lets "
        "you go on in private."
    ).format(channel=f"<#{error.channel_id}>")


def _no_such_game(_error: NoSuchGameError) -> str:
    return _("That game is no longer stored. Type `/mastermind play` for a new one.")


def _not_your_game(error: NotYourGameError) -> str:
    return _(
        "Only {player} can do that here. Type `/mastermind play` for a board of your own."
    ).format(player=mention(error.player_id))


def _not_invited(error: NotInvitedError) -> str:
    if error.is_challenger:
        return _("This challenge is for {player} to answer. *Withdraw* takes it back.").format(
            player=mention(error.player_id)
        )
    return _(
        "This challenge is for {player}. Type `/mastermind challenge` to challenge somebody."
    ).format(player=mention(error.player_id))


def _not_withdrawable(error: NotWithdrawableError) -> str:
    return _("Only {player} can withdraw this challenge. Press *Decline* not to take it.").format(
        player=mention(error.player_id)
    )


def _game_finished(_error: GameFinishedError) -> str:
    return _over()


def _over() -> str:
    return _("This game is over; nothing more counts.")


def _not_accepted(error: NotAcceptedError) -> str:
    return _("{player} has to accept the challenge first.").format(
        player=mention(error.game.codebreaker_id or 0)
    )


def _already_accepted(error: AlreadyAcceptedError) -> str:
    return _(
        "The challenge was accepted already, and the game has begun. {player} can only resign."
    ).format(player=mention(error.game.codebreaker_id or 0))


def _row_full(error: RowFullError) -> str:
    return _("The row has all its {pegs}. Submit it, or take one back with *Undo*.").format(
        pegs=counts.pegs(error.game.rules.pegs)
    )


def _row_incomplete(error: RowIncompleteError) -> str:
    found, wanted = len(error.game.pending), error.game.rules.pegs
    missing = wanted - found
    return ngettext(
        "The row has {found} of {wanted} pegs. Put one more, then submit it.",
        "The row has {found} of {wanted} pegs. Put {missing} more, then submit it.",
        missing,
    ).format(found=found, wanted=wanted, missing=missing)


def _colour_used(error: ColourUsedError) -> str:
    return _(
        "There is {symbol} ({colour}) in the row already; repeats are off in this game, so each "
        "colour is used at most once."
    ).format(symbol=code(error.symbol), colour=colour_name(error.symbol))


def _impossible_answer(error: ImpossibleAnswerError) -> str:
    if error.whites is None:
        return _("No code gives {guess} {blacks} black. Choose another number.").format(
            guess=code(error.guess), blacks=error.blacks
        )
    return _(
        "No code gives {guess} {blacks} black and {whites} white. Choose another number."
    ).format(guess=code(error.guess), blacks=error.blacks, whites=error.whites)


MASTERMIND_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    WrongSettingError: _wrong_setting,
    PegsBeyondColoursError: _pegs_beyond_colours,
    MastermindRefusedError: _guess_refused,
    CodeRefusedError: _code_refused,
    TooManyGamesError: _too_many_games,
    RankedGameError: _ranked_game,
    SelfChallengeError: _self_challenge,
    BotChallengeError: _bot_challenge,
    AlreadyInvitedError: _already_invited,
    BoardUnpostableError: _board_unpostable,
    NoSuchGameError: _no_such_game,
    NotYourGameError: _not_your_game,
    NotInvitedError: _not_invited,
    NotWithdrawableError: _not_withdrawable,
    GameFinishedError: _game_finished,
    NotAcceptedError: _not_accepted,
    AlreadyAcceptedError: _already_accepted,
    RowFullError: _row_full,
    RowIncompleteError: _row_incomplete,
    ColourUsedError: _colour_used,
    ImpossibleAnswerError: _impossible_answer,
}
