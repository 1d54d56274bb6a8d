"""Mastermind over the page, on the same boards as in Discord."""

import asyncio
from pathlib import Path
from typing import Any

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import Kind
from tests.support.sql import sql
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, Browser, Host, id_of


async def begun(host: Host, tmp_path: Path, player: int = ANN) -> str:
    game = await host.services.mastermind.solo.open(player, Setting())
    sql(tmp_path, "UPDATE masterminds SET secret = 'RGBY'")
    return f"mastermind-{game.id}"


async def guess(browser: Browser, game: dict[str, Any], text: str) -> Any:
    given = {"text": text, "at": game["version"]}
    return (await browser.post(f"{game['place']}/guess", given)).data


async def test_a_mastermind_is_played_in_discord_and_on_the_page_in_turns(
    host: Host, tmp_path: Path
) -> None:
    place, solo = await begun(host, tmp_path), host.services.mastermind.solo
    async with host.player() as ann:
        assert (await ann.get("start")).data["games"][0]["place"] == place
        await solo.guess(ANN, id_of(place), "RROO")
        seen = (await ann.get(place)).data
        assert [row["score"] for row in seen["rows"]] == [[1, 0]]
        after = await guess(ann, seen, "gggg")
        assert (after["rows"][1]["symbols"], after["keys"]["G"]) == ("GGGG", "y")
        at = {"at": after["version"]}
        assert (await ann.post(f"{place}/hint", at)).data["asks"] == "hint"
        hinted = (await ann.post(f"{place}/hint", at | {"sure": True})).data
        assert hinted["noted"] == ["💡 red is in place 1."]
        assert hinted["shown"] == {"0": "R"}
        over = await guess(ann, hinted, "RGBY")
        assert over["state"] == "solved"
        assert (await ann.get(f"{place}/share")).data["text"].startswith("Mastermind 3/12")
        review: Any = {"waits": True}
        while review.get("waits"):
            review = (await ann.get(f"{place}/verdict")).data
        assert len(review["remarks"]) == 3
        again = (await ann.post(f"{place}/again", {"at": over["version"]})).data
        assert (again["rows"], again["place"] == place) == ([], False)
        wanted = {"pegs": 3, "colours": 4, "repeats": 0, "guesses": 6, "at": again["version"]}
        small = (await ann.post(f"{again['place']}/change", wanted)).data
        assert (small["length"], small["symbols"]) == (3, "ROYG")
        refused = await ann.post(f"{small['place']}/change", wanted | {"pegs": 7})
        assert refused.status == 422


async def test_a_double_click_spends_one_guess_and_a_mistake_none(
    host: Host, tmp_path: Path
) -> None:
    place = await begun(host, tmp_path)
    async with host.player() as ann:
        game = (await ann.get(place)).data
        given = {"text": "RROO", "at": game["version"]}
        answers = await asyncio.gather(*(ann.post(f"{place}/guess", given) for _ in range(3)))
        assert sorted(answer.status for answer in answers) == [200, 409, 409]
        for answer in answers:
            shown = answer.data.get("play", answer.data)
            assert [row["symbols"] for row in shown["rows"]] == ["RROO"]
        late = await ann.post(f"{place}/give_up", {"at": game["version"]})
        assert (late.status, late.data["play"]["state"]) == (409, "open")
        now = late.data["play"]["version"]
        wrong = await ann.post(f"{place}/guess", {"text": "RR", "at": now})
        assert (wrong.status, "play" in wrong.data) == (422, False)
        over = (await ann.post(f"{place}/give_up", {"at": now})).data
        assert over["state"] == "lost"
        past = await ann.post(f"{place}/guess", {"text": "GGGG", "at": over["version"]})
        assert (past.status, past.data["play"]["state"]) == (422, "lost")


async def test_others_and_unknown_games_and_a_code_to_be_defended_are_alike_not_found(
    host: Host, tmp_path: Path
) -> None:
    place = await begun(host, tmp_path)
    defence = await host.services.mastermind.defence.open(BEN, Setting())
    async with host.player(BEN) as ben:
        answers = [
            await ben.post(f"{name}/guess", {"text": "RGBY", "at": 0})
            for name in (place, f"mastermind-{defence.game.id}", "mastermind-99")
        ]
        answers.append(await ben.get(place))
        answers.append(await ben.get(f"mastermind-{defence.game.id}"))
        assert {answer.status for answer in answers} == {404}
        assert len({answer.text for answer in answers}) == 1
        assert defence.game.kind is Kind.DEFEND


async def test_a_challenge_is_broken_on_the_page_while_its_maker_watches(host: Host) -> None:
    challenges = host.services.mastermind.challenges
    game = (await challenges.invite(Invitation(ANN, BEN, GUILD, CHANNEL), Setting(), "RGBY")).game
    async with host.player() as ann, host.player(BEN) as ben:
        place = f"mastermind-{game.id}"
        asked = (await ben.get(place)).data
        assert [each["act"] for each in asked["actions"]] == ["accept", "decline"]
        begun = (await ben.post(f"{place}/accept", {"at": asked["version"]})).data
        theirs = await guess(ben, begun, "RROO")
        assert theirs["names"] == {"11": "P11", "22": "P22"}
        watched = await ann.get(place)
        assert watched.data["rows"] == theirs["rows"]
        assert "RGBY" not in watched.text
        assert (await ann.post(f"{place}/guess", {"text": "RGBY", "at": 0})).status == 404
        assert (await ann.post(f"{place}/accept", {"at": theirs["version"]})).status == 422
        resigned = (await ben.post(f"{place}/give_up", {"at": theirs["version"]})).data
        assert resigned["state"] == "lost"
