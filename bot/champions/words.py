"""Texts about a server's champions and their role."""

from typing import Final

from bot.champions.model import ChampionChoice
from bot.leaderboards.boards import Period
from bot.text.language import N_, _
from bot.text.markup import heading, small

#: Opens the page of the champion's role; at most 80 characters.
CHAMPION_BUTTON: Final = N_("Champion's role")
#: What the list of roles says before one is chosen; at most 150 characters.
ROLE_PLACEHOLDER: Final = N_("Choose a role")
#: Has the bot give no role, and take back what it gave; at most 80 characters.
NO_ROLE_BUTTON: Final = N_("Take it back")
#: Why a member got the role, or lost it, in Discord's own log.
REASON: Final = N_("FoCdle champion")


def panel(choice: ChampionChoice) -> list[str]:
    """The texts of the champions' page: title and explanation, then the server's choice."""
    remark = _("With each recap, this role goes to whoever leads in points.")
    title = f"{heading(_('Champion'))}\n{small(remark)}"
    if choice.champion_role_id is None:
        state = _("**Champion's role: none**")
        weekly = _("Choose a role for each week's leader.")
        monthly = _("Choose a role for each month's leader.")
    else:
        state = _("**Champion's role:** {role}").format(role=f"<@&{choice.champion_role_id}>")
        weekly = _("Last week's leader has this role.")
        monthly = _("Last month's leader has this role.")
    meaning = monthly if choice.period is Period.MONTH else weekly
    return [title, f"{state}\n{small(meaning)}"]


def period_button(choice: ChampionChoice) -> str:
    if choice.period is Period.MONTH:
        return _("Make it weekly")
    return _("Make it monthly")
