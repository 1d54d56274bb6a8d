"""Short texts on FoCdle's buttons."""

from typing import Final

from bot.presentation.base.language import N_

#: Opens the form for a guess.
GUESS_BUTTON: Final = N_("Guess")
#: Plays a false equation after all.
PROBE_BUTTON: Final = N_("Play as probe")
#: Asks whether to give up a practice.
GIVE_UP_BUTTON: Final = N_("Give up")
#: Gives up a practice, once asked.
YES_GIVE_UP_BUTTON: Final = N_("Yes, give up")
#: Goes on with a practice after all.
KEEP_BUTTON: Final = N_("Keep playing")
#: Asked before a practice is given up.
GIVE_UP_QUESTION: Final = N_("**Give up?** You will see the equation, and this practice is over.")
#: Opens a game that counts for nothing.
PRACTICE_BUTTON: Final = N_("Practice")
#: Offered beside a first board: opens a short game that counts for nothing.
WARM_UP_BUTTON: Final = N_("Warm up with a short one")
#: Posts the result to the channel.
SHARE_BUTTON: Final = N_("Share")
#: Shows the result as plain text, to be copied.
COPY_BUTTON: Final = N_("Copy")
#: Opens the presser's own board of a puzzle.
PLAY_BUTTON: Final = N_("Play #{number}")
