"""Words of Mastermind: rows, labels, refusals, help."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.feature import Topic
from bot.games import words as games_words
from bot.games.model import STANDARD_MASTERMIND, shown_by
from bot.games.words import BAD, BULB, GOOD, unspent
from bot.mastermind import model
from bot.mastermind.game import SOLO_PATIENCE
from bot.mastermind.model import Ending, FinishedMastermind, MastermindGame
from bot.refused import Mistakes, RankedGameError, Sentences, TextRefusedError, mistake
from bot.text import counts
from bot.text.language import N_, _, ngettext, say
from bot.text.markup import bullets, code, heading, mention, small
from bot.text.tiles import PLAIN, Pegs, colour_name, score_in_words
from engine import (
    Code,
    GameOverError,
    Mastermind,
    NotationError,
    Problem,
    RepeatedGuessError,
    Score,
    Turn,
    score,
)

_GAP: Final = "\u2002"  # no wider than needed: six pegs and a note must fit a phone
_NONE: Final = Score(0, 0)


#: What lists and the coach call the game.
NAME: Final = N_("Mastermind")
#: A game in which the bot breaks a player's code.
DEFEND_NAME: Final = N_("Mastermind: the bot breaks your code")
#: The same with a code that the bot scores itself.
SEALED_NAME: Final = N_("Mastermind: the bot breaks your sealed code")


def setting(rules: Mastermind, *, with_guesses: bool = True) -> str:
    parts = [
        counts.pegs(rules.pegs),
        counts.colours(len(rules.alphabet)),
        repeats_in_words(rules.repeats),
    ]
    if with_guesses:
        parts.append(counts.guesses(rules.max_guesses))
    return " · ".join(parts)


def repeats_in_words(on: int) -> str:
    return _("with repeats") if on else _("no repeats")


def title(words: str, rules: Mastermind, note: str = "") -> str:
    return f"{heading(words)}\n{small(' · '.join(filter(None, (setting(rules), note))))}"


def first_step(rules: Mastermind) -> str:
    return _("Find the hidden code: press {colours}, then **Guess**.").format(
        colours=counts.colours(rules.pegs)
    )


def row(number: int, code: str, pegs: Pegs, places: int = 0, after: str = "") -> str:
    """A numbered row of pegs, with empty ones up to `places`; `after` is a note behind it."""
    line = f"`{number:2}`{_GAP}{pegs.row(code, places)}"
    return f"{line}{_GAP}{after}" if after else line


def turn_row(index: int, turn: Turn[Score], pegs: Pegs, after: str = "") -> str:
    """The row of a guess with its key pegs; `index` is 0-based."""
    key = pegs.key(turn.feedback)
    return row(index + 1, turn.guess, pegs, after=f"{key}{_GAP}{after}" if after else key)


def turn_rows(turns: Iterable[tuple[int, Turn[Score]]], pegs: Pegs) -> str:
    return "\n".join(turn_row(index, turn, pegs) for index, turn in turns)


def all_rows(game: MastermindGame, pegs: Pegs) -> list[str]:
    return [turn_row(index, turn, pegs) for index, turn in enumerate(game.turns)]


def hint_row(game: MastermindGame, pegs: Pegs) -> list[str]:
    """The row of pegs that hints have shown, each in its place; no row without hints."""
    shown = {each.place: pegs.peg(each.symbol) for each in shown_by(game.hints)}
    places = range(game.rules.pegs)
    row = "".join(shown.get(place, pegs.empty) for place in places)
    return [f"{BULB}{_GAP}{row}"] if shown else []


def legend(turns: Sequence[Turn[Score]], pegs: Pegs) -> str:
    """The meanings of black and white key pegs; also of no key peg, once a guess has got none."""
    black, white, none = _("black"), _("white"), _("none")
    if pegs.has_letters:
        black = f"{pegs.key(Score(1, 0))} {black}"
        white = f"{pegs.key(Score(0, 1))} {white}"
        none = f"{pegs.key(_NONE)} {none}"
    lines = [
        _("{black}: right colour, right place").format(black=black),
        _("{white}: right colour, wrong place").format(white=white),
    ]
    if any(turn.feedback == _NONE for turn in turns):
        lines.append(_("{none}: no colour is right").format(none=none))
    return "\n".join(map(small, lines))


def palette(rules: Mastermind, pegs: Pegs) -> str:
    return pegs.row(rules.alphabet)


def example(rules: Mastermind) -> Code:
    return (rules.alphabet * 2)[: rules.pegs]


def revealed(game: MastermindGame, pegs: Pegs) -> str:
    """The sentence with the code; empty while `secret` is None, and in a solved game."""
    if game.secret is None or game.ending is Ending.SOLVED:
        return ""
    return _("The code was\n{code}").format(code=pegs.lettered_row(game.secret))


#: From breaking the bot's code to having the bot break one, and back.
SWAP_BUTTON: Final = N_("Swap sides")
#: Guesses a row that is full; else opens the form for a guess.
GUESS_BUTTON: Final = N_("Guess")
#: Takes one peg back.
UNDO_BUTTON: Final = N_("Undo")

#: Opens the form with pegs, colours, repeats and guesses, where nothing was done in a game yet.
CHANGE_BUTTON: Final = N_("Other settings")
#: The same where the bot breaks no code of the present pegs and colours; at most 80 characters.
OTHERS_BUTTON: Final = N_("Other pegs or colours")
#: The title of that form; at most 45 characters.
CHANGE_TITLE: Final = N_("Your Mastermind")
#: Above the choice of how many pegs a code has; at most 45 characters.
PEGS_LABEL: Final = N_("Pegs in the code")
#: Above the list of how many colours there are; at most 45 characters.
COLOURS_LABEL: Final = N_("Colours")
#: Beside the box that allows repeats; at most 45 characters.
REPEATS_LABEL: Final = N_("Repeats")
#: Below it; at most 100 characters.
REPEATS_HINT: Final = N_("A colour can be in the code more than once.")
#: Above the list of how many guesses there are; at most 45 characters.
GUESSES_LABEL: Final = N_("Guesses")
#: Above the field for another code of a challenge; at most 45 characters.
NEW_CODE_LABEL: Final = N_("Another code")
#: Below it; at most 100 characters.
NEW_CODE_HINT: Final = N_("Leave it empty to keep yours.")

# Buttons beside the bot that breaks a sealed code: one guess, all guesses.
STEP_BUTTONS: Final = {"step": N_("Next"), "all": N_("All")}

# Buttons of a game in which the bot breaks a player's code.
DEFEND_BUTTONS: Final = {
    "view": N_("Open"),
    "back": N_("Change black"),
    "choose": N_("Correct an answer"),
    "ask": N_("End game"),
    "end": N_("Yes, end it"),
    "again": N_("Play again"),
}

#: After a challenge: opens the form in which its presser sets a code for the other player.
SET_NEXT_BUTTON: Final = N_("Set a code")
#: Does not end a game.
KEEP_BUTTON: Final = N_("Keep playing")
#: Does not correct this answer.
KEEP_ANSWER_BUTTON: Final = N_("Keep it")
#: Opens the form for a code that the bot is not to look at.
SEAL_BUTTON: Final = N_("Enter my code instead")
#: Opens the form for a code again, where the bot is not to look at it.
SEAL_AGAIN_BUTTON: Final = N_("Enter another code")
#: Opens the form for a code again.
RETRY_BUTTON: Final = N_("Enter the code again")
#: Leads to a public board.
LINK_BUTTON: Final = N_("Go there")
#: Asked before a game is given up.
SURRENDER_QUESTION: Final = N_("**Give up?** You'll see the code, and the game ends.")
#: Asked before a player ends the bot's game.
END_QUESTION: Final = N_("**End this game?** The bot will stop guessing.")
#: Asked before a challenge is given up.
RESIGN_QUESTION: Final = N_("**Resign?** Everybody will see the code, and the game ends.")
#: After a challenge was given up.
RESIGNED: Final = N_("You resigned.")
#: After a challenge was not given up after all.
KEPT: Final = N_("The game goes on.")
#: Opens the ranked game that goes on; at most 80 characters.
OPEN_RANKED_BUTTON: Final = N_("Open that game")
#: Lets a code be sealed where the bot may not guess now; at most 80 characters.
SEAL_INSTEAD_BUTTON: Final = N_("Seal a code instead")
#: The title of the form that asks for a code; at most 45 characters.
CODE_FORM_TITLE: Final = N_("Your secret code")

# Buttons that answer a challenge, or withdraw it.
INVITATION_BUTTONS: Final = {
    "accept": N_("Accept"),
    "decline": N_("Decline"),
    "withdraw": N_("Withdraw"),
}


def end_button(act: str, *, is_public: bool) -> str:
    """The label of a button for an act: ask to end, end, keep the game, or begin again."""
    labels = {
        "ask": _("Give up"),
        "end": _("Yes, give up"),
        "keep": _("Keep playing"),
        "again": _("Play again"),
    }
    if is_public:
        labels |= {"ask": _("Resign"), "end": _("Yes, resign")}
    return labels[act]


def copy_note(game: MastermindGame) -> str:
    """The note under a private copy of a public board: the board's channel, or that it is gone."""
    if game.message_id is not None:
        return small(_("Everybody sees this board in {channel}.")).format(
            channel=f"<#{game.channel_id}>"
        )
    if game.ending is not None:
        return small(_("The board in the channel is gone, so only you can see this one."))
    return small(_("The board in the channel is gone, but the game goes on in `/play`."))


def post_again_note(game: MastermindGame) -> str:
    """The note beside the button that posts a public board again."""
    if game.message_id is None:
        return small(_("The board in the channel is gone."))
    return small(_("Everybody sees this board in {channel}. Is it gone? Post it again.")).format(
        channel=f"<#{game.channel_id}>"
    )


def own_code(code: Code, pegs: Pegs) -> str:
    return _("🔒 {code} is your code. Only you can see it here.").format(
        code=pegs.lettered_row(code)
    )


def guess_form_title(game: MastermindGame) -> str:
    """The title of the guess form; Discord takes 45 characters."""
    return _("Mastermind · guess {turn} of {guesses}").format(
        turn=len(game.turns) + 1, guesses=game.rules.max_guesses
    )


def guess_form_label(rules: Mastermind) -> str:
    """The label of the guess form's field; Discord takes 45 characters."""
    return _("Your guess: {colours}").format(colours=counts.colours(rules.pegs))


def form_description(rules: Mastermind) -> str:
    """The colours by letter and name, below a form's field; Discord takes 100 characters."""
    return ", ".join(f"{letter} {colour_name(letter)}" for letter in rules.alphabet)


def guess_form_reminder(game: MastermindGame, pegs: Pegs) -> str:
    """The guesses so far, for the form that covers the board; empty before the first."""
    return "\n".join(all_rows(game, pegs))


def code_form_label(rules: Mastermind) -> str:
    """The label of the code form's field; Discord takes 45 characters."""
    words = _("{colours}, repeats allowed") if rules.repeats else _("{colours}, all different")
    return words.format(colours=counts.colours(rules.pegs))


def challenge_form_text(rules: Mastermind) -> str:
    sentence = _("Only you can see it until the end. Your opponent gets {guesses}.").format(
        guesses=counts.guesses(rules.max_guesses)
    )
    return f"{sentence}\n{small(setting(rules))}"


def sealed_form_text(rules: Mastermind) -> str:
    sentence = _("The bot uses your code only to score its guesses.")
    return f"{sentence}\n{small(setting(rules, with_guesses=False))}"


def ranked_setting() -> str:
    """The note in the form of a game of one player: which setting is ranked."""
    return small(_("Ranked: {setting}").format(setting=setting(STANDARD_MASTERMIND)))


def _guess_refused(error: model.MastermindRefusedError) -> str:
    if isinstance(error.cause, GameOverError):
        return say(model.GameFinishedError.sentence)
    return unspent(code_mistake(error, error.game.rules))


def _code_refused(error: model.CodeRefusedError) -> str:
    return f"{code_mistake(error, error.rules)}\n{small(_('No code is set yet.'))}"


def code_mistake(error: TextRefusedError, rules: Mastermind) -> str:
    """The sentence that says what is wrong with a typed code."""
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
        colours=code(" ".join(rules.alphabet)).replace(" ", "\N{NO-BREAK SPACE}"),
        example=code(example(rules)),
    )


#: A mistyped colour that is near another.
_MEANT: Final = N_("{text}: {symbol} in place {place} isn't a colour. Did you mean {meant}?")
_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("You played {guess} as guess {turn}."),
    Problem.EMPTY: N_("Type {code}, such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} in place {place} isn't a colour. Type letters ({colours}), "
        "names or emoji."
    ),
    Problem.COLOUR_NOT_IN_PLAY: N_(
        "{text}: {symbol} ({colour}) in place {place} isn't in this game. Use {colours}."
    ),
    Problem.REPEATED_SYMBOL: N_("{text} has {symbol} ({colour}) twice, but repeats are off."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} pegs. Add one.",
        "{text} has {found} of {wanted} pegs. Add {difference}.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} pegs, not {wanted}. Take one out.",
        "{text} has {found} pegs, not {wanted}. Take {difference} out.",
        difference,
    ),
}


def _ranked_game(error: RankedGameError) -> str:
    sentence = _("You're in a ranked game with the same kind of code. Finish it or give up first.")
    if error.is_sealable:
        later = _("Or seal a code, and I'll guess later.")
        sentence = f"{sentence} {later}"
    return sentence


SENTENCES: Final[Sentences] = {
    model.MastermindRefusedError: _guess_refused,
    model.CodeRefusedError: _code_refused,
    RankedGameError: _ranked_game,
}


HIDDEN: Final = "GRBG"
GUESSES: Final = ("RRGG", "GRYG", "GRBG")

#: The rules of Mastermind, above their example.
_RULES: Final = N_(
    "Guess the hidden code of coloured pegs. Every guess gets key pegs:\n- **black**: "
    "right colour, right place\n- **white**: right colour, wrong place\nThey don't say "
    "which peg is meant."
)


def _help(*_look: object) -> list[str]:
    rows = (f"{PLAIN.row(guess)} {score_in_words(score(guess, HIDDEN))}" for guess in GUESSES)
    explanation = _(
        "The code is {code}. The first guess has a red and a green in place: 2 black. Its other "
        "green belongs elsewhere: 1 white. The code has no second red."
    ).format(code=PLAIN.row(HIDDEN))
    return [
        say(_RULES),
        "\n".join((*rows, explanation)),
        _("You have 12 guesses."),
    ]


def _rules_help(*_look: object) -> list[str]:
    details = (
        _(
            "`/mastermind defend`: the bot breaks your code, and you give the key pegs. Or "
            "enter your code first: the bot won't peek."
        ),
        _("`/mastermind challenge`: a member breaks your code, and everybody can watch."),
        _("Press *More*, then *Other settings*, to change pegs, colours or guesses."),
        _("Type a guess as letters (`rygb`), names or emoji."),
        _(
            "**Ranked**: `/mastermind play` with default settings. Two can be open "
            "at once. Games idle for {days} count as lost."
        ).format(days=counts.days(SOLO_PATIENCE.days)),
    )
    return [bullets(details)]


HELP_TOPIC: Final = Topic("mastermind", N_("How Mastermind is played"), _help)
RULES_TOPIC: Final = Topic("mastermind-rules", N_("Mastermind: good to know"), _rules_help)
#: What the command does, in the help.
COMMAND: Final = N_("`/mastermind play`: break a code of coloured pegs.")

#: How a game ended that nobody went on with.
_CLOSED: Final = N_("closed after a week")


def listed(game: MastermindGame, player_id: int) -> str:
    name = list_name(game, player_id)
    if game.stage is model.Stage.INVITED:
        details = f"{setting(game.rules)} · {_('not accepted yet')}"
    else:
        made = f"{len(game.turns)}/{game.rules.max_guesses}"
        details = f"{setting(game.rules, with_guesses=False)} · {made}"
    return f"**{name}**\n{small(details)}"


def list_name(game: MastermindGame | FinishedMastermind, player_id: int) -> str:
    """Name a Mastermind from one player's point of view; for a challenge, name the other player."""
    names = {
        model.Kind.PLAY: say(NAME),
        model.Kind.DEFEND: say(DEFEND_NAME),
        model.Kind.CHALLENGE: _("Mastermind: your challenge to {player}"),
    }
    if game.sealed:
        names[model.Kind.DEFEND] = say(SEALED_NAME)
    other = game.codebreaker_id
    if game.owner_id != player_id:
        names[model.Kind.CHALLENGE] = _("Mastermind: {player}'s challenge to you")
        other = game.owner_id
    return names[game.kind].format(player=mention(other or 0))


def finished_line(game: FinishedMastermind, player_id: int) -> str:
    """Write a finished game's entry in a list from a player's point of view, without its code."""
    details = [setting(game.rules, with_guesses=False)]
    if game.hints:
        details.append(counts.hints(game.hints))
    sign, name = _sign(game, player_id), list_name(game, player_id)
    result = _result(game, player_id)
    return games_words.finished_line(sign, name, result, game.finished_at, details)


def _sign(game: FinishedMastermind, player_id: int) -> str:
    """Choose the sign of a game's end for a player; a code that the bot broke is no defeat."""
    is_ended = game.kind is model.Kind.DEFEND and game.ending is Ending.SURRENDERED
    if game.ending in {Ending.CLOSED, Ending.AT_STAKE} or is_ended:
        return "▫️"
    was_broken = game.ending is Ending.SOLVED
    if was_broken and game.kind is model.Kind.DEFEND:
        return "🤖"
    return GOOD if was_broken == (game.codebreaker_id == player_id) else BAD


def _result(game: FinishedMastermind, player_id: int) -> str:
    if game.codebreaker_id is None:
        return _bots_result(game)
    if game.ending is Ending.SOLVED and game.codebreaker_id == player_id:
        return games_words.solved(game.guesses, game.rules.max_guesses)
    results = {
        Ending.SOLVED: ngettext("broken at once", "broken in {guesses} of {most}", game.guesses),
        Ending.LOST: _("your code held"),
        Ending.RESIGNED: _("they resigned"),
        Ending.LAPSED: _("lapsed"),
    }
    if game.codebreaker_id == player_id:
        results |= {
            Ending.LOST: _("out of guesses"),
            Ending.SURRENDERED: _("given up"),
            Ending.RESIGNED: _("you resigned"),
            Ending.CLOSED: say(_CLOSED),
        }
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


def _bots_result(game: FinishedMastermind) -> str:
    results = {
        Ending.SOLVED: ngettext(
            "I broke it at once",
            "I broke it in {guesses} of {most}",
            game.guesses,
        ),
        Ending.LOST: _("your code held"),
        Ending.SURRENDERED: _("ended by you"),
        Ending.AT_STAKE: _("ended by a rated duel"),
        Ending.CLOSED: say(_CLOSED),
    }
    return results[game.ending].format(guesses=game.guesses, most=game.rules.max_guesses)


# Command descriptions; Discord takes them at start, in English.
#: What Discord lists of a command or an option; at most 100 characters.
MASTERMIND = N_("Break codes of coloured pegs, or have yours broken")
MASTERMIND_PLAY = N_("Break the bot's code")
MASTERMIND_DEFEND = N_("Think of a code for the bot to break, and say how close its guesses are")
MASTERMIND_CHALLENGE = N_("Set a code for a member to break in front of everybody")
MASTERMIND_MEMBER = N_("The member who has to break your code")
