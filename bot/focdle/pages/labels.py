"""Short texts on FoCdle's buttons."""

from typing import Final

from bot.focdle.model.play import Play
from bot.focdle.pages.board import example
from bot.games.pages.hints import HINT_BUTTON, POINT_BUTTON
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _

#: Opens the form for a guess.
GUESS_BUTTON: Final = N_("Guess")
#: Asks whether to give up a practice.
GIVE_UP_BUTTON: Final = N_("Give up")
#: Gives up a practice, once asked.
YES_GIVE_UP_BUTTON: Final = N_("Yes, give up")
#: Goes on with a practice after all.
KEEP_BUTTON: Final = N_("Keep playing")
#: Asked before a practice is given up.
GIVE_UP_QUESTION: Final = N_("**Give up?** You will see the equation.")
#: Plays a guess after all that cannot be the answer.
ANYWAY_BUTTON: Final = N_("Play it anyway")
# Turn hard mode on, or off again, before the first guess of a game.
HARD_BUTTONS: Final = {True: N_("Hard mode on"), False: N_("Hard mode off")}
#: Shows who leads today, beside a board that is over; at most 80 characters.
LEADERS_BUTTON: Final = N_("Today's board")
#: Opens a game that counts for nothing.
PRACTICE_BUTTON: Final = N_("Practice")
#: Offered to who is new: opens a short game that counts for nothing.
WARM_UP_BUTTON: Final = N_("Warm up")
#: Opens the presser's own board of a puzzle.
PLAY_BUTTON: Final = N_("Play #{number}")
#: Above a date's puzzle and a number's, where a text could mean both.
WHICH: Final = N_("Which one?")
#: The puzzle of a date, where a text could mean a date or a number: "September 12 · #255".
OF_DATE_BUTTON: Final = N_("{day} · #{number}")
#: The puzzle of a number and a length, in the same place: "#12 · 9 symbols".
OF_NUMBER_BUTTON: Final = N_("#{number} · {symbols}")
#: After a loss: opens a practice of the length at which the player wins most.
TRY_ONE_MORE_BUTTON: Final = N_("Try one more")
#: Opens another practice of the same length.
NEXT_BUTTON: Final = N_("Next one")
#: Opens the day's puzzle, from the end of another one.
TODAY_BUTTON: Final = N_("Today's puzzle")


def length_button(length: int) -> str:
    """Opens a practice of another length; at most 80 characters."""
    return _("Try {symbols}").format(symbols=counts.symbols(length))


def length_choice(length: int) -> str:
    """A length in a list of them; at most 100 characters."""
    return counts.symbols(length)


def length_example(length: int) -> str:
    """What an equation of a length looks like; at most 100 characters."""
    return _("such as {example}").format(example=example(length))


def hint_button(play: Play) -> str:
    """The label of what takes a hint in a FoCdle."""
    return say(POINT_BUTTON if play.is_hint_priced else HINT_BUTTON)
