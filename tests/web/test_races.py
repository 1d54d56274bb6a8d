"""Races over the page, at the same puzzle as in Discord."""

import asyncio
from pathlib import Path
from typing import Any

from bot.games.model import Channel
from bot.races.model import Rules
from engine import BullsAndCows, Focdle
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.web.conftest import ANN, BEN, GUILD, HERE, Browser, Host, id_of
from tests.web.test_live import socket

FIRST, SECRET = "12+34-5=41", "98-76+5=27"
CLEO = 44


async def opened(host: Host, tmp_path: Path, rules: Rules, rounds: int = 1) -> str:
    """Open a race in the channel from which everybody here has entered."""
    view = await host.services.races.open(ANN, HERE, rules, rounds)
    await host.services.races.posted(view, 99)
    secret = SECRET if isinstance(rules, Focdle) else "0123"
    sql(tmp_path, f"UPDATE races SET secret = '{secret}'")
    return f"race-{view.race.id}"


async def act(browser: Browser, place: str, name: str, **given: object) -> Any:
    seen = (await browser.get(place)).data
    answer = await browser.post(f"{place}/{name}", {"at": seen["at"], **given})
    assert answer.status == 200, answer.text
    return answer.data


async def test_a_race_is_joined_started_and_won_on_the_page(host: Host, tmp_path: Path) -> None:
    place = await opened(host, tmp_path, Focdle(10))
    async with host.player() as ann, host.player(BEN) as ben:
        assert [each["act"] for each in (await ben.get(place)).data["actions"]] == ["join"]
        await act(ben, place, "join")
        assert (await act(ben, place, "join"))["actions"] == []  # a second time changes nothing
        assert (await ben.post(f"{place}/start", {"at": 0})).status == 422
        await act(ann, place, "start")
        first = await act(ben, place, "guess", text=FIRST)
        assert first["rows"][0]["symbols"] == FIRST
        answer = await ann.get(place)
        assert SECRET not in answer.text
        assert first["rows"][0]["marks"] not in answer.text
        assert [other["rows"] for other in answer.data["others"]] == [[], []]
        asked = await ben.post(f"{place}/guess", {"text": "12+34-5=42", "at": 1})
        assert (asked.status, asked.data["ask"]) == (422, True)
        done = await act(ben, place, "guess", text=SECRET)
        assert (done["state"], done["actions"]) == ("open", [])
        await act(ann, place, "guess", text=FIRST)
        seen = (await ben.get(place)).data
        assert seen["others"][0]["rows"] == [{"marks": first["rows"][0]["marks"]}]
        over = await act(ann, place, "guess", text=SECRET)
        assert [each["act"] for each in over["actions"]] == ["again", "verdict"]
        assert (over["state"], over["said"][0]) == (
            "solved",
            "### \u2068p\u2069 and \u2068p\u2069 tie",
        )


async def test_again_opens_one_race_to_which_the_page_of_the_last_one_leads(
    host: Host, tmp_path: Path
) -> None:
    place = await opened(host, tmp_path, Focdle(10))
    async with host.player() as ann, host.player(BEN) as ben:
        await act(ann, place, "off")
        answers = [await each.post(f"{place}/again", {"at": 0}) for each in (ben, ann)]
        assert [answer.status for answer in answers] == [200, 422]
        following = answers[0].data
        assert following["others"][0]["is_own"]
        seen = answers[1].data["play"]
        assert [(each["act"], each["place"]) for each in seen["actions"]] == [
            ("go", following["place"])
        ]
        assert seen["next"] == ""  # it waits for a press
        assert [each["act"] for each in (await ann.get(following["place"])).data["actions"]] == [
            "join"
        ]
        await act(ben, following["place"], "off")
        late = (await ann.get(place)).data
        assert (late["version"], late["actions"][0]["act"]) == (seen["version"], "again")


async def test_the_page_of_a_round_goes_on_to_the_next_one_which_starts_once_all_are_ready(
    host: Host, tmp_path: Path
) -> None:
    place = await opened(host, tmp_path, Focdle(10), 3)
    async with host.player() as ann, host.player(BEN) as ben, host.player(CLEO, None) as cleo:
        await act(ben, place, "join")
        await act(ann, place, "start")
        first = await act(ben, place, "guess", text=FIRST)
        await act(ben, place, "guess", text=SECRET)
        over = await act(ann, place, "guess", text=SECRET)
        assert over["said"][0] == "### \u2068p\u2069 wins round 1"
        assert (over["podium"], [each["act"] for each in over["actions"]]) == ([], ["verdict"])
        pause = (await ben.get(over["next"])).data
        assert pause["said"][:2] == ["### \u2068p\u2069 wins round 1", f"It was `{SECRET}`."]
        assert "5, \u2068p\u2069 3" in pause["said"][2]
        assert [row["symbols"] for row in pause["rows"]] == [FIRST, SECRET]
        assert [bool(each["rows"]) for each in pause["others"]] == [True, False]
        assert first["rows"][0]["marks"] in (await ann.get(over["next"])).text
        assert [each["act"] for each in pause["actions"]] == ["start"]
        ready = await act(ann, over["next"], "start")
        assert (ready["actions"], ready["about"]) == ([], "10 symbols · round 1 of 3")
        assert ["Ready" in each["name"] for each in ready["others"]] == [True, False]
        begun = await act(ben, over["next"], "start")
        assert ([each["act"] for each in begun["actions"]], begun["rows"]) == (["guess"], [])
        assert [each["rows"] for each in begun["others"]] == [[], []]
        assert (await ann.get(place)).data["next"] == over["next"]
        assert (await cleo.get(place)).status == 404


async def test_an_evening_ends_on_its_podium(host: Host, tmp_path: Path) -> None:
    place = await opened(host, tmp_path, Focdle(10), 3)
    members = host.services.standings.members
    async with host.player() as ann, host.player(BEN, None) as ben:
        await members.seen(BEN, "Ben", "0" * 32, guild_id=GUILD, guild_name="Ben")
        await act(ann, place, "off")
        assert (await ann.get(place)).data["podium"] == []
        first = place = await opened(host, tmp_path, Focdle(10), 3)
        await host.services.races.join(BEN, id_of(place), HERE)
        await act(ann, place, "start")
        for number in (1, 2, 3):
            sql(tmp_path, f"UPDATE races SET secret = '{SECRET}'")
            for each in (ben, ann):
                over = await act(each, place, "guess", text=FIRST if each is ann else SECRET)
            over = await act(ann, place, "guess", text=SECRET)
            if number < 3:
                place = over["next"]
                await act(ann, place, "start")
                await act(ben, place, "start")  # from wherever a player's page was opened
        assert (over["next"], over["actions"][0]["act"]) == ("", "again")
        await host.services.races.open(CLEO, HERE, Focdle(10))
        assert (await ann.get(first)).data["next"] == place
        podium = [(each["name"], each["place"], each["points"]) for each in over["podium"]]
        assert podium == [("Ben", 1, 15), ("p", 2, 9)]
        assert over["said"][0].endswith(" wins the evening")
        assert over["round"] == "round 3 of 3"
        assert "🏆" not in str(over["said"])
        assert [bool(each["face"]) for each in over["podium"]] == [True, False]


async def test_a_double_click_spends_one_guess_while_others_guess_too(
    host: Host, tmp_path: Path
) -> None:
    place = await opened(host, tmp_path, BullsAndCows(max_guesses=12))
    async with host.player() as ann, host.player(BEN) as ben:
        await act(ben, place, "join")
        await act(ann, place, "start")
        at = (await ben.get(place)).data["at"]
        await act(ann, place, "guess", text="9876")
        given = {"text": "4567", "at": at}
        answers = await asyncio.gather(*(ben.post(f"{place}/guess", given) for _ in range(3)))
        assert sorted(answer.status for answer in answers) == [200, 409, 409]
        for answer in answers:
            assert len(answer.data.get("play", answer.data)["rows"]) == 1
        assert "0123" not in "".join(answer.text.replace("0123456789", "") for answer in answers)


async def test_whoever_leaves_a_lobby_by_a_deletion_leaves_it_on_the_page(
    host: Host, tmp_path: Path
) -> None:
    place = await opened(host, tmp_path, Focdle(10))
    async with host.player() as ann, host.player(BEN) as ben:
        await act(ben, place, "join")
        before = (await ann.get(place)).data["version"]
        watching = await socket(ann, place, "place")
        assert {(await watching.receive_json())["changed"] for _ in "12"} == {place, "place"}
        await host.services.privacy.players.delete(BEN, "delete")
        heard = {each["changed"]: each for each in [await watching.receive_json() for _ in "12"]}
        assert heard[place]["version"] > before
        assert len((await ann.get(place)).data["others"]) == 1
        assert (await ben.post(f"{place}/join", {"at": 0})).status == 401
        await watching.close()


async def test_nobody_joins_or_repeats_a_race_of_a_server_that_was_deleted(
    host: Host, tmp_path: Path
) -> None:
    place = await opened(host, tmp_path, Focdle(10))
    sql(tmp_path, "UPDATE races SET guild_id = NULL, channel_id = NULL")
    async with host.player(BEN, None) as ben:
        answers = [await ben.post(f"{place}/{name}", {"at": 0}) for name in ("join", "again")]
        assert [answer.status for answer in answers] == [404, 404]


async def test_a_race_of_another_channel_is_not_found_and_one_without_time_is_over(
    host: Host, tmp_path: Path, clock: FakeClock
) -> None:
    place = await opened(host, tmp_path, Focdle(10))
    elsewhere = (await host.services.races.open(CLEO, Channel(GUILD, 999), Focdle(10))).race.id
    async with host.player() as ann, host.player(BEN) as ben:
        answers = [await ann.get(each) for each in (f"race-{elsewhere}", "race-99")]
        for name in ("join", "start", "off", "guess"):
            typed = {"text": FIRST} if name == "guess" else {}
            answers += [await ann.post(f"race-{elsewhere}/{name}", {"at": 0, **typed})]
        assert {answer.status for answer in answers} == {404}
        assert len({answer.text for answer in answers}) == 1
        await act(ben, place, "join")
        async with host.player(55) as dan:
            assert (await dan.get(place)).status == 200
            await host.services.standings.members.gone(GUILD, 55)
            assert (await dan.get(place)).status == 404
        clock.advance(seconds=61)
        assert [each["act"] for each in (await ben.get(place)).data["actions"]] == ["guess"]
        clock.advance(minutes=11)
        late = (await ben.get(place)).data
        assert (late["state"], late["until"]) == ("lost", None)
        assert [each["act"] for each in late["actions"]] == ["again"]
        assert (await host.services.races.look(id_of(place), HERE)).finished_at
