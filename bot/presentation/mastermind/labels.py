"""Short texts on Mastermind's buttons and forms, and the questions before a game is given up."""

from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import small
from bot.presentation.base.pegs import Pegs
from bot.presentation.mastermind.rows import all_rows, alphabet, setting
from bot.services.mastermind.model import MastermindGame
from engine import Code, Mastermind


def submit_button() -> str:
    """Guesses the row."""
    return _("Submit")


def undo_button() -> str:
    """Takes one peg back."""
    return _("Undo")


def clear_button() -> str:
    """Takes all pegs back."""
    return _("Clear")


def type_button() -> str:
    """Opens the form for a guess."""
    return _("Type it")


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


def step_button(act: str) -> str:
    """Has the bot guess once, or to the end, or break another code; or shows the board."""
    labels = {
        "view": _("Open"),
        "step": _("Next"),
        "all": _("All"),
        "again": _("Watch again"),
    }
    return labels[act]


def defend_button(act: str) -> str:
    """Does something with a game in which the bot breaks a player's code."""
    labels = {
        "view": _("Open"),
        "back": _("Change black"),
        "choose": _("Correct an answer"),
        "ask": _("End game"),
        "end": _("Yes, end it"),
        "again": _("Play again"),
    }
    return labels[act]


def keep_button() -> str:
    """Does not end a game."""
    return _("Keep playing")


def keep_answers_button() -> str:
    """Corrects no answer."""
    return _("Back to the game")


def keep_answer_button() -> str:
    """Does not correct this answer."""
    return _("Leave it as it is")


def seal_button() -> str:
    """Opens the form for a code that the bot is not to look at."""
    return _("Enter my code instead")


def seal_again_button() -> str:
    """Opens the form for another one."""
    return _("Enter another code")


def correct_placeholder() -> str:
    """What the list of answers says before one is chosen."""
    return _("Which answer was wrong?")


def retry_button() -> str:
    """Opens the form for a code again."""
    return _("Enter the code again")


def link_button() -> str:
    """Leads to a public board."""
    return _("Go there")


def post_again_button() -> str:
    """Posts a public board anew."""
    return _("Post the board again")


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
    return _("🔒 Your code is {code}; only you see it here.").format(code=pegs.lettered_row(code))


def surrender_question() -> str:
    """Asked before a game is given up."""
    return _("**Give up?** You will see the code, and the game is over.")


def end_question() -> str:
    """Asked before a player ends the bot's game."""
    return _("**End this game?** The bot stops guessing.")


def resign_question() -> str:
    """Asked before a challenge is given up."""
    return _("**Resign?** Everybody will see the code, and the game is over.")


def resigned() -> str:
    """After it was."""
    return _("You have resigned.")


def kept() -> str:
    """After it was not."""
    return _("The game goes on.")


def guess_form_title(game: MastermindGame) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("Mastermind · guess {turn} of {guesses}").format(
        turn=len(game.turns) + 1, guesses=game.rules.max_guesses
    )


def open_ranked_button() -> str:
    """Opens the ranked game that goes on; at most 80 characters."""
    return _("Open that game")


def seal_instead_button() -> str:
    """Lets a code be sealed where the bot may not guess now; at most 80 characters."""
    return _("Seal a code instead")


def guess_form_label(rules: Mastermind) -> str:
    """The label of its one field; at most 45 characters."""
    return _("Your guess: {colours}").format(colours=counts.colours(rules.pegs))


def form_description(rules: Mastermind) -> str:
    """What to type in a form; at most 100 characters."""
    return alphabet(rules)


def guess_form_reminder(game: MastermindGame, pegs: Pegs) -> str:
    """The guesses so far, to be read while the form covers the board; empty at first."""
    return "\n".join(all_rows(game, pegs))


def code_form_title() -> str:
    """The title of the form that asks for a code; at most 45 characters."""
    return _("Your secret code")


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


def invitation_button(act: str) -> str:
    """Answers a challenge, or takes it back."""
    labels = {
        "accept": _("Accept"),
        "decline": _("Decline"),
        "never": _("Decline, and no more from them"),
        "withdraw": _("Withdraw"),
    }
    return labels[act]
