"""The question whether the daily post shall come."""

from typing import Final

from bot.text.language import N_

#: Asked of a manager after the first game in a server.
QUESTION: Final = N_("Post each new puzzle here, every morning?")
#: Has the bot post the day's puzzle in this channel.
YES_BUTTON: Final = N_("Yes")
#: Leaves it.
NO_BUTTON: Final = N_("No")
# What was answered holds.
SETTLED: Final = {
    True: N_("Every morning, here. `/settings` changes it."),
    False: N_("All right. `/settings` can turn it on."),
}
