"""What every command, button, list and form costs."""

from collections.abc import Callable
from typing import Any

from discord import app_commands

from bot.people.game import Cost
from cogs.ui.routes import find_handler
from tests.support.ids import SAMPLES
from tests.support.table import Table

FREE = {
    *("fd:form:1:2", "fd:probe:1:12+34-5=42", "mm:form:p:1", "mm:form:c:1", "du:form:guess:1"),
    *("du:form:secret:1", "priv:form", "priv:ask", "priv:confirm", "priv:export"),
    *("mm:p:submit:1:RROY", "mm:c:submit:1:RROY", "mm:c:accept:1:4x6r/12", "du:accept:1:2"),
    "du:form:accept:1:2",
    *("du:agree:1", "du:refuse:1"),
    *("fd:send:1:12+34-5=42", "fd:today:x", "mm:p:send:1:RGBY", "du:send:1:0123"),
    *("ra:form:1", "ra:submit:1:4312", "ra:send:1:12+34", "ra:probe:1:12+34-5=42"),
    *("set:delete", "set:confirm", "set:form:delete"),
}
"""Typed guesses, submitted rows, moves, answers that somebody waits for, one's own data."""
HEAVY = {
    *(
        "fd:practice:10",
        "fd:length:1",
        "fd:resume:1",
        "fd:beside",
        "eq:play:1",
        "fd:open:1/10",
        "post:play:1/10",
        "run:play:1/10",
        "stats:show:1:1",
        "stats:show:1:rating:1",
        "stats:look:1:guesses",
        "stats:year:2026",
    ),
    *(
        "games:look:focdle:1",
        "games:look:play:1",
        "games:look:defend:1",
        "games:look:challenge:1",
        "games:look:duel:1",
        "games:look:race:1",
        "games:dismiss:focdle:1:1",
        "mm:s:step:1:2",
        "mm:s:all:1",
        "mm:d:again:1",
    ),
    *("mm:d:view:1", "mm:d:back:1:0:RROY:1", "mm:d:pick:1:2"),
    *("mm:d:fix:2:1:0:RROY:1-2", "mm:d:fix:2:1:0:RROY:1"),
    *("mm:d:choose:1", "mm:d:ask:1", "mm:d:end:1", "mm:d:more:1"),
    *("du:page:1", "play:today", "play:mastermind:defend"),
    *("mm:d:new:4x6r/12", "mm:form:change:d:1"),
    *(
        "play:hunt",
        "bc:d:4:1:baa",
        "bc:choose:4r:1:ba",
    ),
    *("bc:pick:4:1:ba:1", "bc:new:4", "bc:form:4", "bc:k:4:1:0123:2"),
    *("bc:draw:4r", "bc:w:4:1:2"),
}
"""Solvers, charts, pictures."""
COACH = {
    "coach:see:duel:1:m:0",
    "coach:turn:play:1:0:3",
    "coach:turn:duel:1:1:0:details",
    *("coach:form:play:1:2", "coach:best:play:1:2"),
}
LIGHT = {
    *("hint:p:show:1:2:0", "mm:p:put:1:R", "mm:p:undo:1", "mm:c:decline:1", "mm:c:withdraw:1"),
    *("du:decline:1", "du:withdraw:1", "du:offer:1", "mm:d:blacks:1:0:RROY:2"),
}
"""Some of those that cost what most cost."""


def cost_of(custom_id: str) -> Cost:
    found = [find_handler(custom_id, is_form=is_form) for is_form in (True, False)]
    (handler,) = [each[0] for each in found if each is not None]
    return handler.cost


async def test_every_button_and_list_and_form_has_the_intended_cost_for_the_rate_limit() -> None:
    for custom_ids, cost in ((FREE, Cost.FREE), (HEAVY, Cost.HEAVY), (COACH, Cost.COACH)):
        assert {each for each in custom_ids if cost_of(each) is not cost} == set()
    others = LIGHT.union(SAMPLES) - FREE - HEAVY - COACH
    assert {each: cost_of(each) for each in others} == dict.fromkeys(others, Cost.LIGHT)


async def test_every_command_has_the_intended_cost_for_the_rate_limit(table: Table) -> None:
    bot = table.bot
    named = dict.fromkeys(("practice", "mastermind defend", "stats", "Game stats"), Cost.HEAVY)
    found: dict[str, Any] = {}
    for command in bot.tree.get_commands():
        inside = command.commands if isinstance(command, app_commands.Group) else [command]
        found |= {each.qualified_name: each.extras.get("cost", Cost.LIGHT) for each in inside}
    of_focdle: Callable[[object], Cost] = found.pop("focdle")
    assert {name: cost for name, cost in found.items() if cost is not Cost.LIGHT} == named
    assert of_focdle(_Options(None)) is Cost.HEAVY
    assert of_focdle(_Options("12+34-5=41")) is Cost.FREE


class _Options:
    def __init__(self, guess: str | None) -> None:
        self.guess = guess
