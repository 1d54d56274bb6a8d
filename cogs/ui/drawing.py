"""Charts for who asks: drawn beside the bot."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from bot.pool.worker import Named
from bot.text.language import in_this_language
from cogs.ui.replies import Interaction, ask_to_wait, in_good_time, services_of

P = ParamSpec("P")
T = TypeVar("T")


@asynccontextmanager
async def in_turn(interaction: Interaction) -> AsyncGenerator[None]:
    """Read what is to be drawn when nobody else does: guesses go between.

    Discord is asked to wait where others do.

    Raises:
        WorkshopFullError: too many wait.
    """
    pool = services_of(interaction).pool
    if pool.is_crowded:
        await ask_to_wait(interaction)
    async with pool.in_turn():
        yield


async def drawn(
    interaction: Interaction,
    owner_id: int,
    draw: Named[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """What a function draws, in the current language.

    Args:
        interaction: who asks; they wait for one drawing of a kind at a time.
        owner_id: whose data it shows.
        draw: draws; its arguments can be pickled.
        args: what it is called with.
        kwargs: likewise.

    Raises:
        Refused: it cannot be drawn now; as `Pool.draw`.
    """
    return await services_of(interaction).pool.draw(
        in_this_language(draw, *args, **kwargs),
        kind=draw.module,
        asker_id=interaction.user.id,
        owner_id=owner_id,
    )


async def drawn_in_good_time(
    interaction: Interaction,
    owner_id: int,
    draw: Named[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The same; Discord is asked to wait where others do, or a process has to be started."""
    drawing = drawn(interaction, owner_id, draw, *args, **kwargs)
    is_soon = services_of(interaction).pool.draws_at_once
    return await in_good_time(interaction, drawing, is_soon=is_soon)
