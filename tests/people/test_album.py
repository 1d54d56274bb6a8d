"""Avatars are fetched in small files from one place, once, within a second, or not at all."""

import asyncio
import io
import logging
import struct
import zlib

import pytest
from aiohttp import web
from PIL import Image

from bot.people import album as kept
from bot.people.album import LARGEST_AVATAR, Album
from bot.people.model import Face
from bot.text.pictures.boards import AVATAR, Avatar, decode_avatar
from bot.text.pictures.drawing import GROUND
from tests.support.cdn import ENDLESS, Answer, Cdn, opened, png

ANN, BEN, CLEO = (Face(7000 + n, f"{n:032x}") for n in range(3))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb() -> bytes:
    """A small file that says it is a picture of 900 million pixels."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    rows = chunk(b"IDAT", zlib.compress(bytes(1_000_000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + rows + chunk(b"IEND", b"")


def file_of(kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (AVATAR, AVATAR)).save(file, kind)
    return file.getvalue()


def say(body: bytes = b"", status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, status=status, headers=headers)

    return answer


def colour(avatar: Avatar) -> tuple[int, ...]:
    """Of its first pixel."""
    return tuple(avatar[:3])


async def test_avatars_are_fetched_small_and_once() -> None:
    cdn = Cdn()
    cdn.answers[BEN.player_id] = say(png("blue", 2 * AVATAR))
    async with opened(cdn) as album:
        found = await album.find([ANN, BEN])
        assert {player: colour(avatar) for player, avatar in found.items()} == {
            ANN.player_id: (255, 0, 0),
            BEN.player_id: (0, 0, 255),
        }
        assert {len(avatar) for avatar in found.values()} == {AVATAR * AVATAR * 3}
        assert await album.find([BEN, ANN]) == found
    assert cdn.asked == {
        f"/avatars/{face.player_id}/{face.avatar}.png?size=64": 1 for face in (ANN, BEN)
    }


async def test_an_avatar_requested_many_times_at_once_is_fetched_once() -> None:
    cdn = Cdn()
    cdn.answers[ANN.player_id] = cdn.wait
    async with opened(cdn) as album:
        asking = [asyncio.create_task(album.find([ANN, BEN])) for _ in range(5)]
        await cdn.knocked.wait()
        cdn.gate.set()
        assert [len(found) for found in await asyncio.gather(*asking)] == [2] * 5
    assert set(cdn.asked.values()) == {1}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        pytest.param(say(png() + bytes(LARGEST_AVATAR)), "too large", id="large"),
        pytest.param(say(bomb()), "no usable picture", id="bomb"),
        pytest.param(say(png(size=AVATAR * 2 + 1)), "no usable picture", id="wide"),
        pytest.param(say(file_of("GIF")), "no usable picture", id="gif"),
        pytest.param(say(file_of("WEBP")), "no usable picture", id="webp"),
        pytest.param(say(png()[:-60]), "no usable picture", id="cut"),
        pytest.param(say(b"<svg/>"), "no usable picture", id="svg"),
        pytest.param(say(b""), "no usable picture", id="empty"),
        pytest.param(say(status=404), "status 404", id="gone"),
        pytest.param(
            say(zlib.compress(png()), headers={"Content-Encoding": "deflate"}),
            "no usable picture",
            id="packed",
        ),
    ],
)
async def test_an_avatar_that_is_no_small_picture_is_never_fetched_again(
    answer: Answer, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    cdn = Cdn()
    cdn.answers[ANN.player_id] = answer
    async with opened(cdn) as album:
        with caplog.at_level(logging.INFO, logger=kept.__name__):
            assert set(await album.find([ANN, BEN])) == {BEN.player_id}
        assert set(await album.find([ANN])) == set()
    assert set(cdn.asked.values()) == {1}
    assert caplog.messages == [f"1 of 2 avatars could not be had: {why}"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_temporary_failure_to_fetch_an_avatar_is_retried(status: int) -> None:
    cdn = Cdn()
    cdn.answers[ANN.player_id] = say(status=status)
    async with opened(cdn) as album:
        assert await album.find([ANN]) == {}
        del cdn.answers[ANN.player_id]
        assert set(await album.find([ANN])) == {ANN.player_id}


async def test_redirects_of_avatars_are_not_followed() -> None:
    cdn = Cdn()
    target = f"/avatars/{BEN.player_id}/{BEN.avatar}.png"
    cdn.answers[ANN.player_id] = say(status=302, headers={"Location": target})
    async with opened(cdn) as album:
        assert await album.find([ANN]) == {}
    assert cdn.asked.total() == 1


async def test_an_endless_avatar_file_is_read_only_to_its_limit() -> None:
    cdn, sent = Cdn(), 0

    async def pour(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(bytes(64 * 1024))
            sent += 1

    cdn.answers[ANN.player_id] = pour
    async with opened(cdn) as album:
        assert await album.find([ANN]) == {}
    assert sent < 10_000


async def test_a_slow_avatar_is_left_out_and_delays_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cdn = Cdn()
    cdn.answers[ANN.player_id] = cdn.wait
    async with opened(cdn, seconds=0.05) as album:
        with caplog.at_level(logging.INFO, logger=kept.__name__):
            assert await album.find([ANN]) == {}
    assert caplog.messages == ["1 of 1 avatars could not be had: too slow"]


async def test_an_unreachable_avatar_server_gives_no_avatar(
    caplog: pytest.LogCaptureFixture,
) -> None:
    album = Album("http://127.0.0.1:1", seconds=ENDLESS)
    with caplog.at_level(logging.INFO, logger=kept.__name__):
        assert await album.find([ANN]) == {}
    assert caplog.messages == ["1 of 1 avatars could not be had: ClientConnectorError"]
    await album.close()
    await album.close()
    assert await album.find([ANN]) == {}


async def test_a_request_that_does_not_wait_gets_the_cached_avatars_and_the_rest_next_time() -> (
    None
):
    cdn = Cdn()
    cdn.answers[BEN.player_id] = cdn.wait
    async with opened(cdn) as album:
        await album.find([ANN])
        assert set(await album.find([ANN, BEN], waits=False)) == {ANN.player_id}
        await cdn.knocked.wait()
        cdn.gate.set()
        assert set(await album.find([BEN])) == {BEN.player_id}
        assert set(await album.find([BEN], waits=False)) == {BEN.player_id}
    assert set(cdn.asked.values()) == {1}


async def test_the_avatar_of_a_forgotten_player_is_not_kept_even_if_already_requested() -> None:
    cdn = Cdn()
    cdn.answers[BEN.player_id] = cdn.wait
    async with opened(cdn) as album:
        await album.find([ANN, CLEO])
        asking = asyncio.create_task(album.find([BEN]))
        await cdn.knocked.wait()
        album.forget(ANN.player_id)
        album.forget(BEN.player_id)
        cdn.gate.set()
        await asking
        await album.find([ANN, BEN, CLEO])
    assert sorted(cdn.asked.values()) == [1, 2, 2]


async def test_the_most_recently_requested_avatars_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "MOST_KEPT", 2)
    cdn = Cdn()
    async with opened(cdn) as album:
        for face in (ANN, BEN, ANN, CLEO, ANN, BEN):
            await album.find([face])
    asked = {int(path.split("/")[2]): times for path, times in cdn.asked.items()}
    assert asked == {ANN.player_id: 1, BEN.player_id: 2, CLEO.player_id: 1}


def test_transparent_avatars_are_drawn_on_the_background_of_the_picture() -> None:
    avatar = decode_avatar(png("#00000000", mode="RGBA"))
    assert avatar is not None
    assert "#" + bytes(colour(avatar)).hex() == GROUND
