"""What is open in the channel where the page was opened, and what the page opens there."""

from bot.games.model import Channel
from bot.races.game import Races
from engine import Focdle
from tests.support.clock import FakeClock
from tests.web.conftest import ANN, BEN, GUILD, HERE, Host
from tests.web.test_live import socket

CLEO = 44


async def posted(races: Races, player: int = ANN, place: Channel = HERE) -> str:
    view = await races.open(player, place, Focdle(10))
    await races.posted(view, 1_000 + view.race.id)
    return f"race-{view.race.id}"


async def test_a_channels_race_is_joined_with_one_press_by_whoever_is_there(
    host: Host, clock: FakeClock
) -> None:
    races = host.services.races
    place = await posted(races)
    async with host.player() as ann, host.player(BEN) as ben:
        (mine,) = (await ann.get("place")).data["races"]
        assert (mine["place"], mine["join"]) == (place, "")
        (theirs,) = (await ben.get("place")).data["races"]
        assert theirs["join"] == "Join"
        assert theirs["lines"][2] == "In: \u2068p\u2069"
        watching = await socket(ann, "place")
        assert (await watching.receive_json())["version"] == 0
        assert (await ben.post(f"{place}/join", {"at": 0})).data["place"] == place
        assert (await watching.receive_json())["version"] == 1
        (theirs,) = (await ben.get("place")).data["races"]
        assert (theirs["join"], theirs["lines"][2]) == ("", "In: \u2068p\u2069, \u2068p\u2069")
        await ann.post(f"{place}/start", {"at": 0})
        assert (await watching.receive_json())["version"] == 2
        assert "ends" in (await ann.get("place")).data["races"][0]["lines"][1]
        clock.advance(minutes=11)
        assert (await ann.get("place")).data["races"] == []
        assert (await watching.receive_json())["version"] == 3
        await watching.close()


async def test_nothing_is_listed_of_other_channels_servers_and_members_nor_without_a_post(
    host: Host,
) -> None:
    races, members = host.services.races, host.services.standings.members
    for elsewhere in (Channel(GUILD, 4), Channel(7_777, HERE.channel_id)):
        await posted(races, CLEO, elsewhere)
    await races.open(BEN, HERE, Focdle(10))
    async with host.player() as ann:
        assert (await ann.get("place")).data == {"here": True, "races": []}
        assert (await ann.get("place?guild=7777")).status == 400
        await members.gone(GUILD, ANN)
        assert (await ann.get("place")).data == {"here": False, "races": []}
    async with host.player(CLEO, guild=None) as cleo:
        assert (await cleo.get("place")).data == {"here": False, "races": []}
