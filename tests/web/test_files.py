"""The page's own files: small, locked, complete, and nobody else's."""

import gzip
import json
import re
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from PIL import Image

from bot.home.web_words import labels
from tests.web.conftest import ANN, Host
from web.page import FILES

ROOT = Path(__file__).parents[2]
PREVIEW = FILES / "preview.png"
LOADED = [path for path in FILES.iterdir() if path != PREVIEW]
OWN = [path for path in LOADED if path.name != "preact.js"]


def test_the_files_of_the_page_have_at_most_thirty_five_compressed_kilobytes() -> None:
    assert sum(len(gzip.compress(path.read_bytes())) for path in LOADED) <= 35_000


def test_the_library_of_the_page_has_the_hash_in_the_lock_file() -> None:
    digest, name = (ROOT / "locks" / "page.sha256").read_text().split()
    assert sha256((ROOT / name).read_bytes()).hexdigest() == digest
    assert {path.name for path in LOADED} - {path.name for path in OWN} == {Path(name).name}


def test_every_label_that_the_script_uses_exists_and_none_is_unused() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in OWN if path.suffix == ".js")
    html = (FILES / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r"labels\.(\w+)", text)) - {"broken"}
    named |= set(re.findall(r"\{(\w+)\}", html)) - {
        "files",
        "labels",
        "language",
        "activity",
        "url",
        "version",
    }
    by_mark_or_key = {"g", "y", "x", *"+-*%="}
    by_act = {"verdict", "find", "share", "hard", "give_up", "today", "practice"}
    assert named <= labels().keys()
    assert labels().keys() <= named | by_mark_or_key | by_act


def test_a_page_without_an_activity_loads_no_code_of_the_activity() -> None:
    files = (path.read_text(encoding="utf-8") for path in OWN)
    assert len([text for text in files if "./discord.js" in text]) == 1  # which imports it late
    assert "isFramed ? await import" in (FILES / "app.js").read_text(encoding="utf-8")


def test_a_text_that_may_be_translated_is_put_into_an_element_as_a_whole() -> None:
    """Only keys have a text among elements: they are not translated (test_translated.py)."""
    text = "".join(path.read_text(encoding="utf-8") for path in OWN if path.suffix == ".js")
    assert not re.findall(r">\s*\$\{(?:labels|data|play|each)\.(\w+)\}", text)


def test_the_files_of_the_page_name_no_other_site() -> None:
    for path in OWN:
        text = path.read_text(encoding="utf-8")
        assert "//" not in re.sub(r"(?m)^\s*//.*$", "", text), path
        assert "innerHTML" not in text


async def test_files_of_the_page_are_named_by_their_content_and_cached_for_ever(host: Host) -> None:
    async with host.stranger() as stranger:
        page = await stranger.ask("GET", "/")
        assert page.headers["Content-Type"].startswith("text/html")
        found = re.search(r'<script type="application/json" id="labels">(.*)</script>', page.text)
        assert found is not None
        said = json.loads(found[1])
        assert "{reference}" in said.pop("broken")
        assert said == labels()
        named = re.findall(r'(?:src|href)="(s/[^"]+)"', page.text)
        assert len(named) >= 6
        for name in named:
            file = await stranger.ask("GET", f"/{name}")
            assert file.status == 200
            assert file.text == (FILES / Path(name).name).read_text(encoding="utf-8")
            assert file.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert file.headers["Access-Control-Allow-Origin"] == "*"
            plain = await stranger.ask("GET", f"/{name}", Accept_Encoding="identity")
            assert plain.text == file.text
            foreign = await stranger.ask("GET", f"/s/0123456789abcdef/{Path(name).name}")
            assert (foreign.text, foreign.headers["Cache-Control"]) == (file.text, "no-store")
        for wrong in (f"/{named[0]}x", "/s/x/..%2fapp.py"):
            lost = await stranger.ask("GET", wrong)
            assert (lost.status, lost.headers["Cache-Control"]) == (404, "no-store")


async def test_a_link_to_the_page_is_shown_with_a_title_a_sentence_and_a_picture_that_is_there(
    host: Host,
) -> None:
    """What previews it has no cookie and runs no script: it sees the same for every link."""
    async with host.stranger() as stranger, host.player(ANN) as player:
        page = (await stranger.ask("GET", "/")).text
        assert (await player.ask("GET", "/?instance_id=1")).text == page
        tags = dict(re.findall(r'<meta (?:property|name)="(\w+:[\w:]+)" content="([^"]+)">', page))
        assert (tags["og:title"], tags["og:url"]) == ("FoCdle", host.url)
        assert 50 < len(tags["og:description"]) < 200
        assert tags["twitter:card"] == "summary_large_image"
        picture = await stranger.session.get(tags["og:image"])
        assert (picture.status, picture.content_type) == (200, "image/png")
        with Image.open(BytesIO(await picture.read())) as shown:
            size = tags["og:image:width"], tags["og:image:height"]
            assert tuple(map(str, shown.size)) == size == ("1200", "630")
