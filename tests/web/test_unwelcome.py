"""What the page answers those who are blocked, kept out, off boards, or have deleted their data."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.games.model import Channel
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.page.model import Came
from bot.refused import Refused
from bot.services import Services
from engine import Focdle
from tests.support.table import SECRET
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until_so
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Answer, Browser, Host

CLEO, MANAGER = 44, 99
CLOSED = "Sorry, this bot is closed to you. `/privacy` still works."
GONE = "That game is gone."
ANN_TAKES_NONE = "<@11> isn't taking challenges. Try somebody else, or play me."
JUST_DELETED = "You deleted your data recently. You can post here <t:1795780800:R>."
NUMBER: Final = {"text": "9876"}

TO_DO: Final[Mapping[str, Mapping[str, object]]] = {
    "race-1": {},
    "race-1/join": {},
    "race-2/guess": {"text": "12+34-5=41", "at": 0},
    "duel-1": {},
    "duel-1/resign": {},
    "duel-2/secret": NUMBER,
    "duel-3/rematch": NUMBER,
    "mastermind-1/accept": {},
    "seek-1/accept": NUMBER,
    "seek-0/friendly": NUMBER,
    "race": {"game": "bulls"},
    "play-1/share": {},
}
"""What Ben would do, with the fields of what he sends besides the version."""
CARD: Final = ("seek-1/accept", "seek-0/friendly")
FORGED: Final = ("play-2", "mastermind-2", "mastermind-3", "duel-4/secret", "duel-4/rematch")
"""Games of Ann's alone and with Cleo; of a duel in his channel Ben sees the board."""


async def begin(services: Services) -> None:
    """Let Ann and Ben have games of all kinds with each other, and Ann some with others."""
    duels, races, mastermind = services.duels, services.races, services.mastermind
    for player in (ANN, BEN, CLEO):
        await services.standings.members.seen(player, f"P{player}", guild_id=GUILD, guild_name="p")
    posted = await races.open(ANN, HERE, Focdle(10))
    await races.posted(posted, 1_001)
    there = Channel(GUILD, CHANNEL + 1)
    running = (await races.open(ANN, there, Focdle(10))).race.id
    await races.join(BEN, running, there)
    await races.start(ANN, running)
    for to in (BEN, BEN, BEN, CLEO):
        challenge = Challenge(ANN, to, GUILD, CHANNEL)
        duel = (await duels.inviting.challenge(challenge, DuelOptions(), "0123")).duel
        if duel.id in {1, 3}:
            await duels.inviting.accept(BEN, duel.id, duel.terms, "4567")
        if duel.id == 3:
            await duels.playing.resign(ANN, duel.id)
    for to in (BEN, CLEO):
        invitation = Invitation(ANN, to, GUILD, CHANNEL)
        await mastermind.challenges.invite(invitation, Setting(), "RGBY")
    await mastermind.solo.open(ANN, Setting())
    card = await duels.seeking.seek(ANN, HERE, DuelOptions(friendly=True), "0123")
    await duels.seeking.shown(card, 2_001)
    for player in (BEN, ANN):
        await services.daily.open(player, GUILD, guess=SECRET)


async def answers(host: Host, ben: Browser) -> dict[str, Answer]:
    """Let Ben do all that he would do."""
    found = dict[str, Answer]()
    for path, given in TO_DO.items():
        if path == "race":
            with suppress(Refused):  # one a channel
                await host.services.races.call_off(ANN, 1, is_manager=True)
        place, _, act = path.partition("/")
        host.services.posting.patience = 0.1 if act == "share" else AMPLE_SECONDS  # nobody posts
        seen = await ben.get(place)
        at = {"at": seen.data.get("version", 0)} if act not in {"", "share"} else {}
        found[path] = await ben.post(path, at | given) if act or path == "race" else seen
    return found


async def forge(ben: Browser) -> dict[str, Answer]:
    given = NUMBER | {"at": 1}
    return {
        path: await (ben.post(path, given) if "/" in path else ben.get(path)) for path in FORGED
    }


Change = Callable[[Host], Awaitable[object]]


async def blocked(host: Host) -> None:
    await host.services.blocking.block(ANN, BEN)


async def blocks(host: Host) -> None:
    await host.services.blocking.block(BEN, ANN)


async def takes_none(host: Host) -> None:
    await host.services.preferences.set_no_challenges(ANN, on=True)


async def off_boards(host: Host) -> None:
    await host.services.settings.take_off(MANAGER, GUILD, BEN)


async def kept_out(host: Host, what: str = "user", number: int = BEN) -> None:
    await host.services.privacy.keeping_out.keep_out(what, number)
    await host.services.moderation.refresh()


async def ann_kept_out(host: Host) -> None:
    await kept_out(host, number=ANN)


async def server_kept_out(host: Host) -> None:
    await kept_out(host, "server", GUILD)
    host.bot.says[BEN] = Came.REFUSED  # it has left


async def ann_deleted(host: Host) -> None:
    await host.services.privacy.players.delete(ANN, "delete")


async def deleted(host: Host) -> None:
    await host.services.privacy.players.delete(BEN, "delete")


EVERYTHING: Final = (*TO_DO, *FORGED)
OVER = "This duel is over."
SIGNED_OUT = "You're signed out. In Discord, type `/play`, open a game and press *Keypad*."
NO_LEAVE, NOWHERE = "You can't write there.", "Reload the page."
ANSWERS: Final[dict[Change, dict[str, str]]] = {
    blocked: {"duel-3/rematch": ANN_TAKES_NONE} | dict.fromkeys(CARD, ANN_TAKES_NONE),
    blocks: {"duel-2/secret": OVER, "mastermind-1/accept": "This game is over."}
    | dict.fromkeys(CARD, "You aren't taking challenges from <@11>."),
    takes_none: {"duel-3/rematch": ANN_TAKES_NONE},
    off_boards: {},
    kept_out: dict.fromkeys(
        EVERYTHING, "Sorry, this bot is closed to you. `/privacy` still works."
    ),
    ann_kept_out: {"duel-3/rematch": ANN_TAKES_NONE} | dict.fromkeys(CARD, ANN_TAKES_NONE),
    server_kept_out: {
        **dict.fromkeys(("race-1", "race-1/join"), GONE),
        **dict.fromkeys(("duel-2/secret", "duel-3/rematch", "mastermind-1/accept"), NO_LEAVE),
        **dict.fromkeys((*CARD, "race", "play-1/share"), NOWHERE),
    },
    ann_deleted: {
        "race-1/join": "This race is over. The post shows its result.",
        **dict.fromkeys(("duel-1/resign", "duel-2/secret"), OVER),
        "duel-3/rematch": "Your opponent has deleted their data. Challenge somebody else!",
        "mastermind-1/accept": "This game is over.",
        "seek-1/accept": GONE,
    },
    deleted: dict.fromkeys(EVERYTHING, SIGNED_OUT),
}
"""What is refused, and how; all else is done, and what is forged is gone."""


@pytest.mark.parametrize("change", ANSWERS)
async def test_each_is_answered_what_they_can_do_nothing_about_and_no_more(
    host: Host, change: Change
) -> None:
    await begin(host.services)
    async with host.player(BEN) as ben:
        await change(host)
        told = {path: "".join(a.data.get("said", "")) for path, a in (await forge(ben)).items()}
        for path, answer in (await answers(host, ben)).items():
            told[path] = "" if answer.status == 200 else "".join(answer.data["said"])
    assert told == dict.fromkeys(TO_DO, "") | dict.fromkeys(FORGED, GONE) | ANSWERS[change]


async def test_whoever_has_just_deleted_their_data_joins_and_asks_for_nothing(host: Host) -> None:
    await begin(host.services)
    await deleted(host)
    async with host.player(BEN) as ben:
        found = await answers(host, ben)
    assert found["race-1/join"].status == 200
    for path in (*CARD, "race"):
        assert found[path].data["said"] == [JUST_DELETED], path
    assert {found[path].status for path in ("duel-1/resign", "duel-2/secret", "race-2/guess")} == {
        404
    }


async def test_whoever_deletes_their_data_while_discord_is_asked_is_in_no_game(host: Host) -> None:
    services = host.services
    await begin(services)
    host.bot.says[BEN] = None
    async with host.player(BEN) as ben:
        joining = asyncio.create_task(ben.post("race-1/join", {"at": 0}))
        await until_so(services.posting.due)
        await deleted(host)
        services.posting.changed(None)
        host.bot.says.clear()
        await host.bot.round()
        assert (await joining).status == 404  # as the channel is
    assert len((await services.races.look(1, HERE)).seats) == 1
