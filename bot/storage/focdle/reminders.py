"""Who has asked for reminders, and which were claimed and sent."""

from datetime import date
from typing import Final

from bot.model.posts import Claim, ReminderPlan
from bot.storage.keyed import Agenda, Keyed
from bot.storage.schema import reminder_plans, reminders

plans: Final = Keyed[ReminderPlan, int](ReminderPlan, reminder_plans)
"""When to look at a player; nothing if they want no reminders."""

agenda: Final = Agenda(reminder_plans.c.look_at)
"""The players to look at now."""

claims: Final = Keyed[Claim, int, date](Claim, reminders)
"""A date's reminder, by player and date, and what came of it."""
