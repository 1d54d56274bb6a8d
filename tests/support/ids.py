"""Ids of buttons, lists and forms: one of every kind that there is, and those on a page."""

from typing import Final

from discord import ui

from cogs.base.routes import find_handler

SAMPLES: Final = (
    "fd:guess:1",
    "fd:edit:1:fd:guess:1",
    "fd:probe:1:12+34-5=42",
    "fd:length:1",
    "fd:ask:1",
    "fd:end:1",
    "fd:keep:1",
    "fd:share:1",
    "fd:copy:1",
    "mm:p:share:1",
    "du:share:1",
    "fd:practice:10",
    "fd:resume:1",
    "fd:open:1/10",
    "help:focdle",
    "topics:focdle",
    "play:card",
    "play:today",
    "play:games",
    "play:mastermind:defend",
    "play:bot:sharp",
    "play:opponent",
    "pref:tiles:shapes:1",
    "pref:zone:1",
    "pref:zones:1",
    "pref:all",
    "pref:challenges",
    "pref:nochallenges:on",
    "pref:unblock:1",
    "pref:block:1",
    "set:nochannel",
    "set:duels:on",
    "set:back",
    "set:posts",
    "set:preview",
    "set:again",
    "set:norole",
    "set:threads:off",
    "set:results:on",
    "set:recap:off",
    "set:restore",
    "set:hour",
    "set:days",
    "set:role:1",
    "set:form:restore",
    "post:play:1/10",
    "post:thread:1",
    "remind:on:1",
    "remind:stop:1",
    "set:zone",
    "set:channel:1",
    "set:zones",
    "set:length",
    "fd:form:1:2",
    "pref:form:zone:1",
    "set:form:zone",
    "games:1",
    "games:over:1",
    "games:tidy:1",
    "games:ask:play:1:1",
    "games:dismiss:focdle:1:1",
    "games:look:duel:1",
    "lb:page:focdle.week.1.2:-1:3",
    "lb:place:focdle.week.1.2:3",
    "lb:game:streak.all.0.0:3",
    "lb:period:duels.day.0.2:3",
    "stats:show:1",
    "mm:p:put:1:R",
    "mm:p:type:1:mm:p:put:1:R",
    "mm:p:undo:1",
    "mm:c:clear:1",
    "mm:p:submit:1:RROY",
    "mm:p:ask:1",
    "mm:c:keep:1",
    "mm:p:again:1",
    "mm:p:new:4x6r/12",
    "mm:c:end:1",
    "mm:d:again:1",
    "mm:d:new:4x6r/12",
    "mm:d:view:1",
    "mm:d:choose:1",
    "mm:d:ask:1",
    "mm:d:end:1",
    "mm:d:whites:1:0:RROY:1-2",
    "mm:d:fix:2:1:0:RROY:1",
    "mm:d:blacks:1:0:RROY:2",
    "mm:d:back:1:0:RROY:1",
    "mm:d:pick:1",
    "mm:d:pick:1:2",
    "mm:d:fix:2:1:0:RROY:1-2",
    "mm:w:again:1",
    "mm:w:view:1",
    "mm:w:step:1:2",
    "mm:s:all:1",
    "mm:seal:4x6r/12:1",
    "mm:c:accept:1",
    "mm:c:decline:1",
    "mm:c:withdraw:1",
    "mm:c:own:1",
    "mm:c:retry:2:4x6r/12",
    "mm:c:post:1",
    "mm:form:p:1",
    "mm:form:seal:4x6/12:1",
    "mm:form:challenge:2:4x6r/12",
    "coach:see:duel:1:m:0",
    "coach:turn:play:1:0:3",
    "hint:p:count:1:2",
    "hint:p:play:1:12+34-5=41",
    "hint:m:play:1:RGBY",
    "hint:m:ask:1:2",
    "du:accept:1",
    "du:decline:1",
    "inv:nomore:2",
    "du:withdraw:1",
    "du:secret:1",
    "du:start:1",
    "du:offer:1",
    "du:agree:1",
    "du:refuse:1",
    "du:guess:1:du:start:1",
    "du:page:1",
    "du:post:1",
    "du:ask:1",
    "du:leave:1",
    "du:resign:1",
    "du:keep:1",
    "du:rematch:1",
    "du:stronger:1",
    "du:form:challenge:1",
    "du:form:guess:1",
    "du:form:secret:1",
    "verify:play:1",
    "priv:export",
    "priv:ask",
    "priv:confirm",
    "priv:keep",
    "priv:form",
)


LARGEST_ID: Final = 8_999_999_999_999_999_999
"""The largest number that an id has."""


_USABLE: Final = (ui.Button, ui.Select, ui.UserSelect, ui.RoleSelect, ui.ChannelSelect)


def ids_on(page: ui.LayoutView) -> list[str]:
    """The ids of what can be used on a page, top to bottom; each is known and within the limit."""
    items = [item for item in page.walk_children() if isinstance(item, _USABLE)]
    found = [item.custom_id for item in items if item.custom_id is not None]
    assert [each for each in found if len(each) > 100 or not is_known(each)] == []
    return found


def is_known(custom_id: str, *, is_form: bool = False) -> bool:
    """Whether the bot knows an id, and would write it so."""
    found = find_handler(custom_id, is_form=is_form)
    if found is None:
        return False
    route = found[0].route
    return route(**(route.read(custom_id) or {})) == custom_id
