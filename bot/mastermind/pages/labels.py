"""Short texts on Mastermind's buttons and forms, and the questions before a game is given up."""

from typing import Final

from bot.games.pages.hints import HINT_BUTTON, HINT_FOR_GUESS_BUTTON
from bot.mastermind.model.game import MastermindGame
from bot.mastermind.pages.rows import all_rows, alphabet, setting
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import small
from bot.text.pegs import Pegs
from engine import Code, Mastermind

#: From breaking the bot's code to having the bot break one, and back.
SWAP_BUTTON: Final = N_("Swap sides")
#: From seeing the bot break a code to breaking one.
YOUR_TURN_BUTTON: Final = N_("Now you")
#: Guesses a row that is full; else opens the form for a guess.
GUESS_BUTTON: Final = N_("Guess")
#: Takes one peg back.
UNDO_BUTTON: Final = N_("Undo")

#: Opens the form with a setting, where nothing was done in a game yet.
SETTING_BUTTON: Final = N_("Other pegs or colours")
#: The title of that form; at most 45 characters.
SETTING_TITLE: Final = N_("Your Mastermind")
#: Above the choice of how many pegs a code has; at most 45 characters.
PEGS_LABEL: Final = N_("Pegs in the code")
#: Above the list of how many colours there are; at most 45 characters.
COLOURS_LABEL: Final = N_("Colours")
#: Beside the box that allows repeats; at most 45 characters.
REPEATS_LABEL: Final = N_("Repeats")
#: Below it; at most 100 characters.
REPEATS_HINT: Final = N_("A colour may be in the code more than once.")
#: Above the list of how many guesses there are; at most 45 characters.
GUESSES_LABEL: Final = N_("Guesses")

# Buttons beside the bot that breaks a code: to its board, one guess, all, another code.
STEP_BUTTONS: Final = {
    "view": N_("Open"),
    "step": N_("Next"),
    "all": N_("All"),
    "again": N_("Watch again"),
}

# Buttons of a game in which the bot breaks a player's code.
DEFEND_BUTTONS: Final = {
    "view": N_("Open"),
    "back": N_("Change black"),
    "choose": N_("Correct an answer"),
    "ask": N_("End game"),
    "end": N_("Yes, end it"),
    "again": N_("Play again"),
}

#: Does not end a game.
KEEP_BUTTON: Final = N_("Keep playing")
#: Corrects no answer.
KEEP_ANSWERS_BUTTON: Final = N_("Back to the game")
#: Does not correct this answer.
KEEP_ANSWER_BUTTON: Final = N_("Keep it")
#: Opens the form for a code that the bot is not to look at.
SEAL_BUTTON: Final = N_("Enter my code instead")
#: Opens the form for a code again, where the bot is not to look at it.
SEAL_AGAIN_BUTTON: Final = N_("Enter another code")
#: What the list of a player's answers says before one is chosen; at most 150 characters.
CORRECT_PLACEHOLDER: Final = N_("Which one was wrong?")
#: Opens the form for a code again.
RETRY_BUTTON: Final = N_("Enter the code again")
#: Leads to a public board.
LINK_BUTTON: Final = N_("Go there")
#: Posts a public board anew.
POST_AGAIN_BUTTON: Final = N_("Post the board again")
#: Asked before a game is given up.
SURRENDER_QUESTION: Final = N_("**Give up?** You will see the code, and the game is over.")
#: Asked before a player ends the bot's game.
END_QUESTION: Final = N_("**End this game?** The bot stops guessing.")
#: Asked before a challenge is given up.
RESIGN_QUESTION: Final = N_("**Resign?** Everybody will see the code, and the game is over.")
#: After a challenge was given up.
RESIGNED: Final = N_("You have resigned.")
#: After a challenge was not given up after all.
KEPT: Final = N_("The game goes on.")
#: Opens the ranked game that goes on; at most 80 characters.
OPEN_RANKED_BUTTON: Final = N_("Open that game")
#: Lets a code be sealed where the bot may not guess now; at most 80 characters.
SEAL_INSTEAD_BUTTON: Final = N_("Seal a code instead")
#: Lets the bot break a code that it draws where it may break none of the player's; at most 80.
DRAW_INSTEAD_BUTTON: Final = N_("Let it draw a code")
#: The title of the form that asks for a code; at most 45 characters.
CODE_FORM_TITLE: Final = N_("Your secret code")

# Answers to a challenge, and what takes it back.
INVITATION_BUTTONS: Final = {
    "accept": N_("Accept"),
    "decline": N_("Decline"),
    "withdraw": N_("Withdraw"),
}


def end_button(act: str, *, is_public: bool) -> str:
    """Asks whether to end a game, ends it, goes on with it, or opens another one like it."""
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
    """Under a private copy of a public board: where the board is."""
    if game.message_id is not None:
        return small(_("Everybody sees this board in {channel}.")).format(
            channel=f"<#{game.channel_id}>"
        )
    if game.ending is not None:
        return small(_("The board in the channel is gone, so only you see this one."))
    return small(
        _(
            "The board in the channel is gone, but the game goes on. `/games` can post the board "
            "again."
        )
    )


def post_again_note(game: MastermindGame) -> str:
    """Beside the button that posts a public board anew."""
    if game.message_id is None:
        return small(_("The board in the channel is gone, but the game goes on."))
    return small(
        _(
            "Everybody sees this board in {channel}. If it is gone there, post it again; a new "
            "board takes the place of the old one."
        )
    ).format(channel=f"<#{game.channel_id}>")


def own_code(code: Code, pegs: Pegs) -> str:
    """The code that a player has set, for that player alone."""
    return _("🔒 {code} is your code; only you see it here.").format(code=pegs.lettered_row(code))


def guess_form_title(game: MastermindGame) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("Mastermind · guess {turn} of {guesses}").format(
        turn=len(game.turns) + 1, guesses=game.rules.max_guesses
    )


def guess_form_label(rules: Mastermind) -> str:
    """The label of its one field; at most 45 characters."""
    return _("Your guess: {colours}").format(colours=counts.colours(rules.pegs))


def form_description(rules: Mastermind) -> str:
    """What to type in a form; at most 100 characters."""
    return alphabet(rules)


def guess_form_reminder(game: MastermindGame, pegs: Pegs) -> str:
    """The guesses so far, to be read while the form covers the board; empty at first."""
    return "\n".join(all_rows(game, pegs))


def code_form_label(rules: Mastermind) -> str:
    """The label of its one field; at most 45 characters."""
    if rules.repeats:
        return _("{colours}, repeats allowed").format(colours=counts.colours(rules.pegs))
    return _("{colours}, all different").format(colours=counts.colours(rules.pegs))


def challenge_form_text(rules: Mastermind) -> str:
    """What will become of the code."""
    sentence = _(
        "Nobody but you sees it until the game is over. Your opponent will have {guesses}."
    ).format(guesses=counts.guesses(rules.max_guesses))
    return f"{sentence}\n{small(setting(rules))}"


def sealed_form_text(rules: Mastermind) -> str:
    """What will become of the code."""
    sentence = _("The code is used only to score the bot's guesses, never to choose them.")
    return f"{sentence}\n{small(setting(rules, with_guesses=False))}"


def hint_button(game: MastermindGame) -> str:
    """The label of what takes a hint where a player breaks the bot's code."""
    return say(HINT_FOR_GUESS_BUTTON if game.is_ranked else HINT_BUTTON)
