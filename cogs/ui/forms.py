"""Forms: a title, texts and fields, and what was put into them.

discord.py forgets its form objects at a restart, and keeps only one for each id. So ours stop
listening before they are shown, and every submission is understood by its id.
"""

from collections.abc import Iterable
from typing import Any, Final

import discord
from discord import ui

from cogs.ui.replies import Interaction

TICKED: Final = "yes"
"""What a box that is ticked has for a text."""


class Form(ui.Modal):
    """A form whose submission is understood from its id alone.

    Args:
        custom_id: a route's.
        title: at most 45 characters.
        parts: texts and fields, from top to bottom; empty texts are left out.
    """

    def __init__(self, custom_id: str, title: str, *parts: str | ui.Item[Any]) -> None:
        super().__init__(title=title, custom_id=custom_id)
        for part in filter(None, parts):
            self.add_item(ui.TextDisplay[Any](part) if isinstance(part, str) else part)

    async def present(self, interaction: Interaction) -> None:
        """Open the form as the answer to an interaction."""
        self.stop()  # discord.py does not remember a form that has stopped listening
        await interaction.response.send_modal(self)


def field(
    name: str, label: str, description: str = "", *, placeholder: str = "", draft: str = ""
) -> ui.Label[Any]:
    """A line to type in. It sets no minimum length: our own sentences say what is missing.

    Args:
        name: by which the submission calls it.
        label: what is asked for, at most 45 characters.
        description: what to type, at most 100 characters.
        placeholder: what stands in it while it is empty.
        draft: what stands in it already.
    """
    line = ui.TextInput[Any](
        custom_id=name, placeholder=placeholder or None, default=draft or None, required=False
    )
    return ui.Label[Any](text=label, description=description or None, component=line)


def choice(name: str, label: str, options: list[discord.SelectOption]) -> ui.Label[Any]:
    """A list to choose from, within a form."""
    return ui.Label[Any](text=label, component=ui.Select[Any](custom_id=name, options=options))


def radio(name: str, label: str, options: list[discord.RadioGroupOption]) -> ui.Label[Any]:
    """Choices of which all are seen at once, within a form; one of them is taken."""
    return ui.Label[Any](text=label, component=ui.RadioGroup[Any](custom_id=name, options=options))


def tick(name: str, label: str, description: str, *, default: bool) -> ui.Label[Any]:
    """A box to tick, within a form."""
    box = ui.Checkbox[Any](custom_id=name, default=default)
    return ui.Label[Any](text=label, description=description, component=box)


def typed_values(components: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The texts and choices in a submission's components, by the id of the field.

    What was left empty is an empty text, and so is a box that is not ticked.
    """
    values: dict[str, str] = {}
    for component in components:
        if "component" in component:
            values |= typed_values([component["component"]])
        elif "components" in component:
            values |= typed_values(component["components"])
        elif "value" in component:
            value = component["value"]
            values[component["custom_id"]] = TICKED if value is True else value or ""
        elif "values" in component:
            values[component["custom_id"]] = ",".join(component["values"])
    return values
