"""Duels over the page, on the same boards as in Discord."""

import asyncio
import json
from typing import Any

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from tests.support.duels import wrong
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, Browser, Host

ANNS, BENS = "0123", "4567"
CLEO = 44


async def invited(host: Host) -> str:
    inviting = host.services.duels.inviting
    view = await inviting.challenge(Challenge(ANN, BEN, GUILD, CHANNEL), DuelOptions(), ANNS)
    return f"duel-{view.duel.id}"


async def act(browser: Browser, place: str, name: str, **given: object) -> Any:
    """Do something on the board as it is now."""
    at = (await browser.get(place)).data["version"]
    answer = await browser.post(f"{place}/{name}", {"at": at, **given})
    assert answer.status == 200, answer.text
    return answer.data


async def test_a_duel_is_accepted_played_and_repeated_on_the_page_alone(host: Host) -> None:
    place = await invited(host)
    async with host.player(ANN) as ann, host.player(BEN) as ben:
        assert (await ben.get("start")).data["games"][0]["place"] == place
        assert "**<@11> challenges <@22>!**" in (await ben.get(place)).data["said"]
        await act(ben, place, "secret", text=BENS)
        boards = {each: (await each.get(place)).data for each in (ann, ben)}
        for each, board in boards.items():
            other = BENS if each is ann else ANNS
            assert other not in json.dumps(board | {"symbols": ""})
            assert board["names"] == {"11": "P11", "22": "P22"}
        first, second = (ann, ben) if boards[ann]["own"]["is_next"] else (ben, ann)
        early = await second.post(f"{place}/guess", {"text": wrong(0), "at": 99})
        assert (early.status, early.data["play"]["waits"]) == (409, True)
        at = (await second.get(place)).data["version"]
        early = await second.post(f"{place}/guess", {"text": wrong(0), "at": at})
        assert (early.status, "to move" in "".join(early.data["play"]["said"])) == (422, False)
        await act(first, place, "guess", text=wrong(0))
        await act(second, place, "guess", text=wrong(1))
        shown = [(await each.get(place)).data for each in (first, second)]
        assert shown[0]["rows"] == shown[1]["other"]["rows"]
        await act(first, place, "draw")
        await act(second, place, "decline")
        await act(second, place, "draw")
        over = await act(first, place, "draw")
        assert over["state"] == "drawn"
        regretted = await act(first, place, "rematch", text=wrong(4))
        assert [each["label"] for each in regretted["actions"]] == ["Withdraw"]
        assert (await act(first, regretted["place"], "decline"))["state"] == "drawn"
        asked = await act(first, place, "rematch", text=wrong(5))
        assert asked["place"] != place
        player = ANN if first is ann else BEN
        assert (player, asked["place"], CHANNEL) in await host.services.posting.due()
        go, coach = (await second.get(place)).data["actions"]
        assert coach["act"] == "verdict"
        assert (go["act"], go["place"]) == ("go", asked["place"])
        declined = await act(second, asked["place"], "decline")
        assert declined["state"] == "drawn"


async def test_a_double_click_spends_one_guess_and_a_mistake_none(host: Host) -> None:
    place = await invited(host)
    async with host.player(ANN) as ann, host.player(BEN) as ben:
        await act(ben, place, "secret", text=BENS)
        board = (await ann.get(place)).data
        mover = ann if board["own"]["is_next"] else ben
        given = {"text": wrong(0), "at": board["version"]}
        answers = await asyncio.gather(*(mover.post(f"{place}/guess", given) for _ in range(3)))
        assert sorted(answer.status for answer in answers) == [200, 409, 409]
        for answer in answers:
            assert len(answer.data.get("play", answer.data)["rows"]) == 1
        other = ben if mover is ann else ann
        now = (await other.get(place)).data["version"]
        short = await other.post(f"{place}/guess", {"text": "12", "at": now})
        assert (short.status, "play" in short.data) == (422, False)
        assert (await other.post(f"{place}/resign", {"at": now - 1})).status == 409
        called_off = await act(other, place, "resign")  # not yet: a guess was made
        assert called_off["state"] == "lost"


async def test_those_who_are_in_a_duels_channel_watch_it_and_see_no_number(host: Host) -> None:
    place = await invited(host)
    async with host.player(CLEO) as cleo, host.player(BEN) as ben:
        before = await cleo.get(place)
        assert "own" not in before.data
        await act(ben, place, "secret", text=BENS)
        mover = ben if (await ben.get(place)).data["own"]["is_next"] else None
        if mover is not None:
            await act(ben, place, "guess", text=wrong(0))
        seen = await cleo.get(place)
        assert seen.data["actions"] == []
        sides = [seen.data["own"], seen.data["other"]]
        assert sorted(len(side["rows"]) for side in sides) == [0, int(mover is not None)]
        assert {side["target"] for side in sides} == {""}
        for answer in (before, seen):
            told = answer.text.replace("0123456789", "")
            assert not [each for each in (ANNS, BENS) if each in told]
        refused = await cleo.post(f"{place}/guess", {"text": ANNS, "at": seen.data["version"]})
        assert refused.status == 404


async def test_strangers_find_no_duel(host: Host) -> None:
    challenge = Challenge(ANN, BEN, GUILD, CHANNEL + 1)
    view = await host.services.duels.inviting.challenge(challenge, DuelOptions(), ANNS)
    place = f"duel-{view.duel.id}"
    async with host.player(CLEO) as cleo:
        answers = [await cleo.get(each) for each in (place, "duel-99")]
        answers += [await cleo.get(f"{each}/verdict") for each in (place, "duel-99")]
        for name in ("secret", "guess", "draw", "decline", "resign", "rematch"):
            typed = {"text": BENS} if name in {"secret", "guess"} else {}
            answers += [await cleo.post(f"{place}/{name}", {"at": 1, **typed})]
        assert {answer.status for answer in answers} == {404}
        assert len({answer.text for answer in answers}) == 1


async def test_a_duel_with_the_bot_is_played_on_the_page(host: Host) -> None:
    view = await host.services.duels.inviting.challenge(Challenge(ANN, None), DuelOptions())
    place = f"duel-{view.duel.id}"
    async with host.player(ANN) as ann:
        begun = (await ann.get(place)).data
        assert [each["act"] for each in begun["actions"]] == ["secret"]
        board = await act(ann, place, "secret", text=ANNS)
        assert board["other"]["target"] == ANNS
        after = await act(ann, place, "guess", text=wrong(0))
        assert (len(after["rows"]), after["own"]["is_next"]) == (1, True)
        assert after["version"] > board["version"]
        over = await act(ann, place, "resign")
        assert [each["act"] for each in over["actions"]] == [
            *("rematch", "post", "verdict", "share")
        ]
        assert "Bulls and Cows" in (await ann.get(f"{place}/share")).data["text"]
        again = await act(ann, place, "rematch")
        assert again["place"] != place
