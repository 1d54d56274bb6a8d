"""FoCdle over the page, on the same boards as in Discord."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.people.model import Asking
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.table import SECRET
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, Browser, Host, ask_anything, id_of

TRIED = ("41-3+27=65", "12+34-5=41", "98-76+5=27")
FALSE = "12+34-5=42"


async def guess(browser: Browser, play: dict[str, Any], text: str, **more: object) -> Any:
    given = {"text": text, "at": play["version"], **more}
    return (await browser.post(f"{play['place']}/guess", given)).data


async def test_a_board_can_be_played_in_discord_and_on_the_page_in_turns(host: Host) -> None:
    daily = host.services.daily
    async with host.player() as ann:
        begun = (await ann.post("today")).data
        assert (begun["title"], begun["length"], begun["most"]) == ("FoCdle #324", 10, 6)
        assert [each["act"] for each in begun["actions"]] == ["guess", "hard"]
        await daily.guess(ANN, id_of(begun["place"]), TRIED[0])
        seen = (await ann.get(begun["place"])).data
        assert [row["symbols"] for row in seen["rows"]] == [TRIED[0]]
        after = await guess(ann, seen, TRIED[1])
        assert after["version"] == 2
        assert {each["act"] for each in after["actions"]} == {"guess", "hint"}
        asked = await ann.post(f"{begun['place']}/hint", {"at": 2})
        assert (asked.status, asked.data["asks"]) == (422, "hint")
        assert asked.data["said"] == ["**Take a hint?** It shows a symbol in its place."]
        hinted = (await ann.post(f"{begun['place']}/hint", {"at": 2, "sure": True})).data
        ((place, symbol),) = hinted["shown"].items()
        assert SECRET[int(place)] == symbol
        assert hinted["noted"] == [f"💡 `{symbol}` is in place {int(place) + 1}."]
        assert hinted["keys"][symbol] == "g"
        over = await daily.guess(ANN, id_of(begun["place"]), SECRET)
        assert over.ending.streak
        ended = (await ann.get(begun["place"])).data
        assert (ended["state"], ended["rows"][-1]["symbols"]) == ("solved", SECRET)
        assert "1 hint" in ended["about"]
        acts = [each["act"] for each in ended["actions"]]
        assert acts == ["post", "verdict", "practice", "share"]
        shared = (await ann.get(f"{begun['place']}/share")).data["text"]
        assert shared.startswith("FoCdle #324 3/6 · 1 hint")
        assert SECRET not in shared


async def test_a_double_click_spends_one_guess_and_shows_the_played_board(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data
        given = {"text": TRIED[0], "at": 0}
        answers = await asyncio.gather(
            *(ann.post(f"{play['place']}/guess", given) for _ in range(4))
        )
        assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
        for answer in answers:
            shown = answer.data.get("play", answer.data)
            assert [row["symbols"] for row in shown["rows"]] == [TRIED[0]]
        for path in ("hint", "give_up"):
            assert (await ann.post(f"{play['place']}/{path}", {"at": 0})).status == 409
        assert len((await host.services.daily.view(ANN, id_of(play["place"]))).game.turns) == 1


async def test_an_invalid_guess_is_refused_and_a_false_equation_needs_a_confirmation(
    host: Host,
) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data
        path = f"{play['place']}/guess"
        short = await ann.post(path, {"text": "1+1", "at": 0})
        assert (short.status, short.data["ask"]) == (422, False)
        assert short.data["said"][-1] == "-# No guess was spent."
        asked = await ann.post(path, {"text": FALSE, "at": 0})
        assert (asked.status, asked.data["ask"]) == (422, True)
        assert asked.data["said"][0].endswith("Spend a guess on it anyway?")
        played = await ann.post(path, {"text": FALSE, "at": 0, "sure": True})
        assert played.data["rows"][0]["symbols"] == FALSE
        await host.services.preferences.set_asking(ANN, Asking.NOTHING)
        assert (await guess(ann, played.data, "12+34-5=43"))["version"] == 2


async def test_a_typed_row_without_a_result_is_completed_but_not_yet_played(host: Host) -> None:
    async with host.player() as ann, host.player(BEN) as ben:
        play = (await ann.post("today")).data
        path = f"{play['place']}/complete"
        filled = await ann.post(path, {"text": "12+34-5"})
        assert (filled.status, filled.data) == (200, {"row": "12+34-5=41"})
        assert (await ann.get(play["place"])).data["rows"] == []
        assert (await ann.post(path, {"text": "12+34"})).status == 422
        assert (await ben.post(path, {"text": "12+34-5"})).status == 404


async def test_hard_mode_is_chosen_before_the_first_guess(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data
        path = f"{play['place']}/hard"
        hard = (await ann.post(path, {"at": 0, "on": True})).data
        assert "hard mode" in hard["about"]
        assert hard["noted"] == ["Hard mode is on for every game from now on."]
        begun = await guess(ann, hard, TRIED[0])
        assert (await ann.post(path, {"at": 1, "on": False})).data == begun


async def test_the_next_practice_has_the_level_of_the_one_before(
    host: Host, tmp_path: Path
) -> None:
    async with host.player() as ann:
        play = (await ann.post("practice", {"level": "very hard", "length": 9})).data
        assert "very hard" in play["about"]
        ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles ORDER BY id DESC LIMIT 1")
        over = await guess(ann, play, secret)
        (again,) = [each for each in over["actions"] if each["act"] == "practice"]
        assert (again["length"], again["level"]) == (9, "very hard")
        play = (await ann.post("practice", {"level": again["level"], "length": 9})).data
        assert "very hard" in play["about"]
        for wrong in ("", "very_hard", "HARD", 1, None):
            assert (await ann.post("practice", {"level": wrong})).status == 400


async def test_a_board_says_by_midnight_whose_day_it_is(host: Host, clock: FakeClock) -> None:
    clock.advance(hours=11)
    async with host.player() as ann:
        play = (await ann.post("today")).data
        assert play["until"] == (await ann.get("start")).data["today"]["until"]
        clock.advance(hours=1, minutes=1)
        late = await guess(ann, play, TRIED[0])
        assert late["until"] == "2026-11-21T00:30:00+00:00"
        assert late["said"][1].startswith("-# Yesterday's puzzle. It stops counting <t:")
        clock.advance(minutes=30)
        old = (await ann.get(play["place"])).data
        assert (old["until"], "from the archive" in old["about"]) == (None, True)
        assert "Yesterday" not in "".join(old["said"])


async def test_the_archive_is_a_calendar_with_what_has_come_of_each_day(
    host: Host, tmp_path: Path
) -> None:
    async with host.player() as ann:
        places = [(await ann.post("open", {"puzzle": day})).data["place"] for day in ("1", "30")]
        lost = f"outcome = 'lost', finished_at = opened_at WHERE id = {id_of(places[0])}"
        sql(tmp_path, f"UPDATE plays SET {lost}")
        first = (await ann.get("archive?month=2026-01")).data
        assert (first["title"], first["later"]["month"]) == ("January 2026", "2026-02")
        assert "earlier" not in first
        states = {each["day"]: each["state"] for each in first["days"]}
        assert states == dict.fromkeys(range(1, 32), "new") | {1: "lost", 30: "open"}
        assert first["states"] == {"lost": "not solved", "open": "under way"}
        assert first["days"][0]["weekday"] == 4
        assert first["days"][0]["label"] == "#1 · Jan 1, 2026 · 10 symbols · ❌ not solved"
        await guess(ann, (await ann.post("today")).data, SECRET)
        last = (await ann.get("archive")).data
        assert (last["earlier"]["month"], "later" in last) == ("2026-10", False)
        assert [each["state"] for each in last["days"]] == ["new"] * 19 + ["solved"]
        for wrong in ("2025-12", "2026-12", "0001-01", "9999-12", "2026-13", "x"):
            assert (await ann.get(f"archive?month={wrong}")).status == 400
        assert (await ann.get("archive?typed=12")).status == 400


async def test_practices_and_archived_puzzles_can_be_played_on_the_page(host: Host) -> None:
    async with host.player() as ann:
        practice = (await ann.post("practice", {"length": 8})).data
        assert practice["length"] == 8
        path = f"{practice['place']}/length"
        longer = (await ann.post(path, {"length": 12})).data
        assert (longer["length"], longer["state"]) == (12, "open")
        practice = (await ann.post(f"{longer['place']}/length", {"length": 8})).data
        assert (await ann.post(path, {"length": 16})).status == 422
        assert (await ann.post("practice", {"length": 99})).status == 422
        first = await guess(ann, practice, "8-12+7=3")
        assert (await ann.get("start")).data["games"][0]["lines"][1] == "-# 8 symbols · 1/6"
        given_up = (await ann.post(f"{first['place']}/give_up", {"at": 1})).data
        assert given_up["state"] == "lost"
        assert [each["act"] for each in given_up["actions"]] == ["today", "practice", "verdict"]
        assert (await ann.post("practice", {"length": 8})).data["place"] != first["place"]
        old = (await ann.post("open", {"puzzle": "12/10"})).data
        assert (old["title"], old["state"]) == ("FoCdle #12", "open")
        assert "from the archive" in old["about"]
        assert (await ann.post("open", {"puzzle": "9999"})).status == 422
        assert (await ann.post("open", {"puzzle": "12/10"})).data["place"] == old["place"]


async def test_the_page_shows_the_coach_and_finds_a_better_guess(
    host: Host, clock: FakeClock
) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data
        assert (await ann.get(f"{play['place']}/verdict")).status == 422
        assert (await ann.get(f"{play['place']}/share")).status == 422
        for text in ("11+11+1=23", "22+22+2=46", "33+33+3=69"):
            play = await guess(ann, play, text)
        await guess(ann, play, SECRET)
        told: dict[str, Any] = {"waits": True}
        while told.get("waits"):
            clock.advance(seconds=1)
            told = (await ann.get(f"{play['place']}/verdict")).data
        assert told["said"]
        heads = [remark[0] for remark in told["remarks"]]
        assert [head[:3] for head in heads] == ["**1", "**2", "**3", "**4"]
        assert any("** · slip · " in head for head in heads)
        path = f"{play['place']}/better"
        lesson, made = told["lesson"], play["rows"]
        turn = lesson["turn"]
        assert lesson["rows"] == made[:turn]
        assert lesson["keys"].keys() == set("".join(row["symbols"] for row in made[:turn]))
        tried = (await ann.post(path, {"turn": turn, "text": "12+34-5=41"})).data
        assert tried["said"]
        best = (await ann.post(path, {"turn": turn})).data
        assert best["done"]
        turns = [turn]
        while "then" in best:  # through all mistakes
            lesson = best["then"]
            assert lesson["rows"] == made[: lesson["turn"]]
            turns.append(lesson["turn"])
            best = (await ann.post(path, {"turn": turns[-1]})).data
        assert 1 < len(turns) == len({*turns})
        for turn in (-1, 4, 10**12):
            assert (await ann.post(path, {"turn": turn})).status == 404


async def test_a_player_who_has_left_the_server_plays_as_in_direct_messages(host: Host) -> None:
    async with host.player() as ann:
        await host.services.standings.members.gone(GUILD, ANN)
        practice = (await ann.post("practice")).data
        assert (await host.services.daily.view(ANN, id_of(practice["place"]))).guild_id is None
    async with host.player(BEN) as ben:
        practice = (await ben.post("practice")).data
        assert (await host.services.daily.view(BEN, id_of(practice["place"]))).guild_id == GUILD


@pytest.mark.parametrize("length", [10, 12, 15])
async def test_no_answer_about_an_open_game_reveals_its_secret(host: Host, length: int) -> None:
    async with host.player() as ann:
        play = (await ann.post("practice", {"length": length})).data
        secret = (await host.services.daily.view(ANN, id_of(play["place"]))).game.secret
        given = [{}, {"at": 7}, {"at": 0, "text": "x"}, {"turn": 0}, {"at": 9, "on": True}]
        acts = ("guess", "hint", "give_up", "hard", "better")
        tried = [await ann.post(f"{play['place']}/{act}", body) for act in acts for body in given]
        paths = [f"{play['place']}{path}" for path in ("", "/verdict", "/share", "/secret")]
        tried += [await ann.get(path) for path in (*paths, "me", "start", "archive")]
        texts = [json.dumps(play), *(answer.text for answer in tried)]
        for text in texts:
            assert secret not in text
            assert "salt" not in text


@pytest.mark.long
async def test_random_requests_to_the_page_cause_no_error(host: Host, clock: FakeClock) -> None:
    async with host.player() as ann:
        await ask_anything(ann, clock, either(300, 10_000))


async def test_a_player_who_hurries_is_told_to_wait(host: Host) -> None:
    async with host.player() as ann, host.player(BEN) as ben:
        found = [(await ann.get("me")).status for _ in range(60)]
        assert found.count(429) == 60 - found.index(429)
        assert (await ben.get("me")).status == 200


async def test_two_browsers_of_one_player_may_open_the_daily_at_once(
    host: Host,
) -> None:
    async with host.player() as phone, host.player() as desk:
        for _ in range(2):
            found = await asyncio.gather(phone.post("today"), desk.post("today"))
            assert [answer.status for answer in found] == [200, 200]


async def test_the_page_opens_the_daily_of_the_date_in_the_server_of_its_session(
    host: Host,
) -> None:
    settings = host.services.settings
    await settings.change(GUILD, zone="Pacific/Kiritimati")
    for guild, title in ((GUILD, "FoCdle #325"), (None, "FoCdle #324")):
        async with host.player(guild=guild) as ann:
            assert (await ann.post("today")).data["title"] == title


async def test_the_daily_of_the_page_stays_the_same_until_midnight(
    host: Host, clock: FakeClock
) -> None:
    async with host.player() as ann:
        today = (await ann.post("today")).data
        clock.advance(hours=11, minutes=59)
        assert (await ann.post("today")).data["place"] == today["place"]


async def test_a_result_is_asked_to_be_shared_only_where_the_page_was_opened_and_by_its_player(
    host: Host,
) -> None:
    host.services.posting.patience = 0.1
    async with host.player() as ann, host.player(BEN, guild=None) as ben:
        today = (await ann.post("today")).data
        assert (await ann.post(f"{today['place']}/share", {})).status == 422  # it goes on
        over = await guess(ann, today, SECRET)
        assert "post" in [each["act"] for each in over["actions"]]
        asked = await ann.post(f"{over['place']}/share", {})
        assert (asked.data["came"], asked.data["text"][:11]) == ("waits", "FoCdle #324")
        assert (await ann.get(f"{over['place']}/share")).data == {"text": asked.data["text"]}
        assert (await ann.post(f"{over['place']}/share", {"channel": "4"})).status == 400
        assert (await ben.post(f"{over['place']}/share", {})).status == 404
        alone = await guess(ben, (await ben.post("today")).data, SECRET)
        assert "post" not in [each["act"] for each in alone["actions"]]
        assert (await ben.post(f"{alone['place']}/share", {})).status == 400
        assert (await ben.get(f"{alone['place']}/share")).data["text"].startswith("FoCdle")
    assert await host.services.posting.due() == [(ANN, over["place"], CHANNEL)]
