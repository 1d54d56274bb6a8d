"""What is open in the channel where the page was opened, and what the page opens there."""

import asyncio

from bot.games.model import Channel
from bot.races.game import Races
from engine import Focdle
from tests.support.clock import FakeClock
from tests.web.conftest import ANN, BEN, GUILD, HERE, Host, id_of
from tests.web.test_live import socket

CLEO = 44
GAMES = {
    "focdle": "Race: FoCdle",
    "mastermind": "Race: Mastermind",
    "bulls": "Race: Bulls and Cows",
}


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
        assert (await ann.get("place")).data == {"here": True, "races": [], "games": GAMES}
        assert (await ann.get("place?guild=7777")).status == 400
        await members.gone(GUILD, ANN)
        assert (await ann.get("place")).data == {"here": False, "races": [], "games": {}}
    async with host.player(CLEO, guild=None) as cleo:
        assert (await cleo.get("place")).data == {"here": False, "races": [], "games": {}}


async def test_a_race_that_the_page_opens_is_seen_once_it_is_posted(host: Host) -> None:
    races = host.services.races
    async with host.player() as ann, host.player(BEN) as ben:
        assert (await ben.get("place")).data["games"]["bulls"] == "Race: Bulls and Cows"
        pressed = [ann.post("race", {"game": "mastermind"}) for _ in range(2)]
        answers = sorted(await asyncio.gather(*pressed), key=lambda answer: answer.status)
        assert [answer.status for answer in answers] == [200, 422]
        mine = answers[0].data
        assert (mine["title"], mine["state"]) == ("Race: Mastermind", "open")
        assert (await ben.get("place")).data["races"] == []
        watching = await socket(ben, "place")
        assert (await watching.receive_json())["version"] == 0
        (due,) = await races.stale()
        view = await races.claim(due)
        assert view is not None
        await races.shown(view, 1_001)
        assert (await watching.receive_json())["version"] == 1
        await watching.close()
        seen = (await ben.get("place")).data
        assert ([each["place"] for each in seen["races"]], seen["games"]) == ([mine["place"]], {})


async def test_a_race_that_the_bot_may_not_post_is_over_and_says_so(host: Host) -> None:
    races = host.services.races
    async with host.player() as ann:
        place = (await ann.post("race", {"game": "bulls"})).data["place"]
        view = await races.claim(id_of(place))
        assert view is not None
        await races.lost(view)
        seen = (await ann.get(place)).data
        assert seen["said"][:2] == [
            "### The race was called off",
            "It could not be posted in the channel.",
        ]
        assert (await ann.post("race", {"game": "bulls"})).status == 200


async def test_only_races_that_can_be_are_opened_and_only_where_the_player_is_known(
    host: Host,
) -> None:
    async with host.player() as ann, host.player(CLEO, guild=None) as cleo:
        bodies: list[tuple[dict[str, object], int]] = [
            ({"game": "chess"}, 400),
            ({"game": "focdle", "length": "10"}, 400),
            ({"game": "focdle", "length": 99}, 422),
            ({"game": "bulls", "length": 10}, 422),
            ({"game": "focdle", "channel": 4}, 400),
        ]
        for body, status in bodies:
            assert (await ann.post("race", body)).status == status, body
        assert (await cleo.post("race", {"game": "focdle"})).status == 400
        await host.services.standings.members.gone(GUILD, ANN)
        assert (await ann.post("race", {"game": "focdle"})).status == 400
        place = await posted(host.services.races, BEN)
        assert (await ann.post(f"{place}/join", {"at": 0})).status == 404
    assert await host.services.races.open_in(Channel(GUILD, 0)) == []
