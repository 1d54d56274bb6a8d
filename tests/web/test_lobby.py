"""What is open in the channel where the page was opened, and what the page opens there."""

import asyncio
import random

import pytest

from bot.duels.position import DuelOptions
from bot.games.model import Channel
from bot.races.game import Races
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.web.conftest import ANN, BEN, GUILD, HERE, Browser, Framed, Host, id_of
from tests.web.test_live import socket

CLEO, OLD, OLDER = 44, 55, 66
NUMBER, THERE = "2841", Channel(GUILD, 4)
NOWHERE: dict[str, object] = {
    "here": False,
    "races": [],
    "games": {},
    "rounds": [],
    "seek": None,
    "ask": [],
}
ASKED = {"rounds": [1, 3, 5], "seek": None, "ask": ["**Bulls and Cows duel**", "Find an opponent"]}
GAMES = {
    "focdle": "FoCdle",
    "mastermind": "Mastermind",
    "bulls": "Bulls and Cows",
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
        assert theirs["lines"][2] == "Already in: \u2068p\u2069"
        watching = await socket(ann, "place")
        assert (await watching.receive_json())["version"] == 0
        assert (await ben.post(f"{place}/join", {"at": 0})).data["place"] == place
        assert (await watching.receive_json())["version"] == 1
        (theirs,) = (await ben.get("place")).data["races"]
        assert (theirs["join"], theirs["lines"][2]) == (
            "",
            "Already in: \u2068p\u2069, \u2068p\u2069",
        )
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
        assert (await ann.get("place")).data == {"here": True, "races": [], "games": GAMES, **ASKED}
        assert (await ann.get("place?guild=7777")).status == 400
        await members.gone(GUILD, ANN)
        assert (await ann.get("place")).data == NOWHERE
    async with host.player(CLEO, guild=None) as cleo:
        assert (await cleo.get("place")).data == NOWHERE


async def test_a_race_that_the_page_opens_is_seen_once_it_is_posted(host: Host) -> None:
    races = host.services.races
    async with host.player() as ann, host.player(BEN) as ben:
        assert (await ben.get("place")).data["games"]["bulls"] == "Bulls and Cows"
        pressed = [ann.post("race", {"game": "mastermind", "rounds": 3}) for _ in range(2)]
        answers = sorted(await asyncio.gather(*pressed), key=lambda answer: answer.status)
        assert [answer.status for answer in answers] == [200, 422]
        mine = answers[0].data
        assert (mine["title"], mine["state"]) == ("Race: Mastermind", "open")
        assert mine["about"].endswith("round 1 of 3")
        assert (await ben.get("place")).data["races"] == []
        watching = await socket(ben, "place")
        assert (await watching.receive_json())["version"] == 0
        (due,) = await races.outdated()
        view = await races.claim(due)
        assert view is not None
        await races.shown(view, 1_001)
        assert (await watching.receive_json())["version"] == 1
        await watching.close()
        seen = (await ben.get("place")).data
        assert ([each["place"] for each in seen["races"]], seen["rounds"]) == ([mine["place"]], [])


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
            "I couldn't post it in the channel.",
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
            ({"game": "focdle", "rounds": 2}, 400),
        ]
        for body, status in bodies:
            assert (await ann.post("race", body)).status == status, body
        assert (await cleo.post("race", {"game": "focdle"})).status == 400
        await host.services.standings.members.gone(GUILD, ANN)
        assert (await ann.post("race", {"game": "focdle"})).status == 400
        place = await posted(host.services.races, BEN)
        assert (await ann.post(f"{place}/join", {"at": 0})).status == 404
    assert await host.services.races.open_in(Channel(GUILD, 0)) == []


async def test_whoever_finds_nobody_plays_the_bot(host: Host) -> None:
    async with host.player() as ann:
        pressed = [ann.post("seek-0/bot", {"at": 0}) for _ in range(2)]
        first, second = [each.data for each in await asyncio.gather(*pressed)]
        assert [each["act"] for each in first["actions"]] == ["secret"]
        assert second["place"] == first["place"]
        assert (await ann.post(f"{first['place']}/secret", {"text": NUMBER, "at": 1})).status == 200


async def asked(host: Host, browser: Browser, act: str = "rated", number: str = NUMBER) -> str:
    """Ask for an opponent on the page, and have the bot post the card."""
    made = (await browser.post(f"seek-0/{act}", {"text": number, "at": 0})).data
    seeking = host.services.duels.seeking
    (due,) = await seeking.due()
    assert (made["place"], made["posted"]) == (f"seek-{due}", False)
    view = await seeking.claim(due)
    assert view is not None
    await seeking.shown(view, 2_001)
    return f"seek-{due}"


@pytest.mark.parametrize(("act", "kind"), [("rated", "rated"), ("friendly", "friendly")])
async def test_whoever_is_in_the_channel_accepts_a_card_with_a_number(
    host: Host, act: str, kind: str
) -> None:
    async with host.player(OLD) as ann, host.player(OLDER) as ben:
        new = (await ann.get("seek-0")).data
        assert [(each["act"], each.get("types")) for each in new["actions"]] == [
            ("rated", True),
            ("friendly", True),
            ("bot", None),
        ]
        assert new["symbols"] == "0123456789"
        watching = await socket(ben, "place")
        assert (await watching.receive_json())["version"] == 0
        place = await asked(host, ann, act)
        assert (await watching.receive_json())["changed"] == "place"
        await watching.close()
        mine, theirs = [(await each.get("place")).data for each in (ann, ben)]
        assert (mine["seek"]["label"], mine["ask"]) == ("", [])
        assert (theirs["seek"]["label"], theirs["seek"]["place"]) == ("Accept", place)
        assert theirs["seek"]["lines"][1].startswith("-# Bulls and Cows duel")
        assert theirs["seek"]["lines"][1].endswith(kind)
        offered = await ben.get(place)
        assert [each["act"] for each in offered.data["actions"]] == ["accept"]
        wrong = await ben.post(f"{place}/accept", {"text": "9", "at": 0})
        assert wrong.status == 422
        begun = await ben.post(f"{place}/accept", {"text": "9876", "at": 0})
        assert begun.data["place"].startswith("duel-")
        assert (await ann.get(begun.data["place"])).data["own"]
        again = await ben.post(f"{place}/accept", {"text": "9876", "at": 0})
        assert (again.status, again.data["said"]) == (404, ["That game is gone."])
        answers = [offered, wrong, begun, again, await ben.get("place")]
        assert not any(NUMBER in answer.text for answer in answers)


async def test_a_second_asker_is_offered_the_card_and_of_two_at_once_one_has_it(
    host: Host,
) -> None:
    async with host.player() as ann, host.player(BEN) as ben:
        pressed = [
            each.post("seek-0/friendly", {"text": NUMBER, "at": 0}) for each in (ann, ben, ann, ben)
        ]
        answers = await asyncio.gather(*pressed)
        assert [answer.status for answer in answers].count(200) == 2  # both of the owner's
        ((owner,),) = [
            [each] for each in (ann, ben) if (await each.get("place")).data["seek"] is not None
        ]
        other = ben if owner is ann else ann
        waiting = (await owner.get("seek-0")).data
        assert (waiting["place"], waiting["said"][0]) == (
            "seek-1",
            "**You're looking for an opponent.**",
        )
        assert (await other.get("seek-0")).status == 404  # until it is posted
        seeking = host.services.duels.seeking
        view = await seeking.claim(1)
        assert view is not None
        await seeking.shown(view, 2_001)
        assert (await other.get("seek-0")).data["place"] == "seek-1"
        offered = await other.post("seek-0/rated", {"text": "1234", "at": 0})
        assert offered.data["place"] == "seek-1"
        taken = [other.post("seek-1/accept", {"text": "9876", "at": 0}) for _ in range(2)]
        assert sorted(a.status for a in await asyncio.gather(*taken)) == [200, 404]


async def test_nobody_accepts_a_card_of_elsewhere(host: Host) -> None:
    async with host.player() as ann, host.player(BEN) as ben, host.player(CLEO, None) as cleo:
        place, number = await asked(host, ann), {"text": "9876", "at": 0}
        options = DuelOptions(friendly=True)
        there = await host.services.duels.seeking.seek(CLEO, THERE, options, NUMBER)
        await host.services.duels.seeking.shown(there, 2_002)
        elsewhere = f"seek-{there.seek.id}"
        assert (await ben.get(elsewhere)).status == 404
        assert (await ben.post(f"{elsewhere}/accept", number)).status == 404
        assert (await cleo.get(place)).status == 400
        assert (await cleo.post(f"{place}/accept", number)).status == 400
        assert (await cleo.post("seek-0/rated", number)).status == 400
        for card in (place, elsewhere, "seek-99"):  # and nobody learns whose it is
            refused = await ben.post(f"{card}/withdraw")
            assert (refused.status, refused.data) == (404, {"said": ["That game is gone."]})
        assert (await ann.post(f"{place}/accept", number)).status == 422
        assert (await ann.post(f"{place}/withdraw", {"at": 0})).data == {"place": ""}
        seen = (await ann.get("place")).data
        assert (seen["seek"], seen["ask"]) == (None, ASKED["ask"])
        assert (await ann.get(place)).status == 404
        assert (await ben.post(f"{place}/accept", number)).status == 404


async def test_whoever_waits_at_their_card_is_told_when_it_is_taken_and_sees_the_duel(
    host: Host,
) -> None:
    async with host.player(OLD) as ann, host.player(OLDER) as ben:
        place = await asked(host, ann)
        waiting = (await ann.get(place)).data
        assert ([each["act"] for each in waiting["actions"]], waiting["posted"]) == (
            ["withdraw"],
            True,
        )
        watching = await socket(ann, "place")
        assert (await watching.receive_json())["version"] == 0
        duel = (await ben.post(f"{place}/accept", {"text": "9876", "at": 0})).data["place"]
        assert (await watching.receive_json())["changed"] == "place"
        await watching.close()
        assert (await ann.get(place)).data["place"] == duel
        assert (await ben.get(place)).status == 404
        for each in (ben, ann, ben):  # whoever is to move
            at = (await each.get(duel)).data["version"]
            await each.post(f"{duel}/guess", {"text": "1234", "at": at})
        assert (await ann.get(place)).status == 404  # the duel has a place of its own


async def test_those_in_the_activity_of_a_channel_open_and_join_there_and_nowhere_else(
    framed: Framed,
) -> None:
    races, there = framed.services.races, framed.launch(ANN, BEN)
    async with framed.frame(instance=there) as ann, framed.frame("ben", instance=there) as ben:
        place = (await ann.post("race", {"game": "mastermind"})).data["place"]
        view = await races.claim(id_of(place))
        assert view is not None
        assert view.race.channel == HERE
        await races.shown(view, 1_001)
        (seen,) = (await ben.get("place")).data["races"]
        assert (seen["place"], seen["join"]) == (place, "Join")
        assert (await ben.post(f"{place}/join", {"at": 0})).status == 200
    async with framed.frame("ben") as alone:
        assert (await alone.get("place")).data == NOWHERE
        assert (await alone.post("seek-0/friendly", {"text": NUMBER})).status == 400


@pytest.mark.long
async def test_whatever_is_sent_breaks_nothing_and_tells_no_number(
    host: Host, clock: FakeClock
) -> None:
    rng = random.Random(7)
    async with host.player() as ann, host.player(BEN) as ben:
        place = await asked(host, ann)
        paths = ["race", "seek-0/rated", "seek-0/accept", "seek-0/withdraw", "seek-99/accept"]
        paths += [f"{place}/{act}" for act in ("accept", "withdraw", "rated")]
        values: list[object] = [None, True, -1, 2**70, "", "\0", "x" * 900, "9876", "bulls", [], {}]
        for _ in range(either(60, 10_000)):
            clock.advance(milliseconds=500)
            names = rng.sample(["text", "at", "game", "length", "x"], rng.randint(0, 3))
            body = {name: rng.choice(values) for name in names}
            for answer in (await ben.post(rng.choice(paths), body), await ben.get("place")):
                assert answer.status < 500 or "does not answer" in answer.text, (body, answer.text)
                assert NUMBER not in answer.text
