"""Who has asked for reminders, and which were claimed and sent."""

from datetime import date
from typing import Final

from bot.db.keyed import Agenda, Keyed
from bot.db.tables import reminder_plans, reminders
from bot.games.model.claims import Claim
from bot.posts.model.posts import ReminderPlan

plans: Final = Keyed[ReminderPlan, int](ReminderPlan, reminder_plans)
"""When to look at a player; nothing if they want no reminders."""

agenda: Final = Agenda(reminder_plans.c.look_at)
"""The players to look at now."""

claims: Final = Keyed[Claim, int, date](Claim, reminders)
"""A date's reminder, by player and date, and what came of it."""
