"""Forms whose submission is understood from their id alone.

discord.py forgets its form objects at a restart, and keeps only one for each id.
So ours stop listening before they are shown, and every submission is dispatched
here by the id it carries.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Self, cast

import discord
from discord import ui

from bot.presentation.refusals import outdated
from bot.services.base.allowance import Cost
from bot.services.base.errors import NothingChosenError
from cogs.base.admission import is_admitted
from cogs.base.pages import Notice
from cogs.base.persistent import compile_template
from cogs.base.replies import Interaction, answering, whisper

FORMS: Final[list[type["Form"]]] = []
"""All forms that have ids, in the order in which they were imported."""


class Form(ui.Modal):
    """A form that outlives the process.

    A subclass with a template, a pattern for its whole `custom_id`, is one of the `FORMS` and
    implements `submitted`; one without is a base for others.

    Attributes:
        cost: what it takes to do what is asked for by sending it.
    """

    cost: ClassVar[Cost] = Cost.LIGHT
    template: ClassVar[re.Pattern[str]]

    def __init_subclass__(cls, *, template: str | None = None) -> None:
        super().__init_subclass__()
        if template is not None:
            cls.template = compile_template(template)
            FORMS.append(cls)

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Act on a submission.

        Args:
            interaction: the submission, not yet answered.
            match: of `template` with the form's id.
            values: what was typed, by the id of the field.
        """
        raise NotImplementedError

    async def present(self, interaction: Interaction) -> Self:
        """Open the form as the answer to an interaction."""
        self.stop()  # discord.py does not remember a form that has stopped listening
        await interaction.response.send_modal(self)
        return self


async def dispatch_form(interaction: Interaction) -> None:
    """Hand a submission to the form whose template its id matches."""
    data = cast("dict[str, Any]", interaction.data)
    async with answering(interaction):
        for form in FORMS:
            if match := form.template.fullmatch(data["custom_id"]):
                if not await is_admitted(interaction, form.cost):
                    return
                await form.submitted(interaction, match, typed_values(data["components"]))
                return
        if await is_admitted(interaction, Cost.LIGHT):
            await whisper(interaction, Notice(outdated()))


def typed_values(components: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The texts and choices in a submission's components, by the id of the field."""
    values: dict[str, str] = {}
    for component in components:
        if "component" in component:
            values |= typed_values([component["component"]])
        elif "components" in component:
            values |= typed_values(component["components"])
        elif "value" in component:
            values[component["custom_id"]] = component["value"]
        elif "values" in component:
            values[component["custom_id"]] = ",".join(component["values"])
    return values


def choice_in(values: Mapping[str, str], field: str) -> str:
    """What was chosen in a list of a form.

    Raises:
        NothingChosenError: nothing.
    """
    if not (value := values.get(field)):
        raise NothingChosenError
    return value


def is_submission(interaction: Interaction) -> bool:
    """Whether an interaction is a form that was sent."""
    return interaction.type is discord.InteractionType.modal_submit
