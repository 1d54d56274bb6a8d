"""The page's HTML and static files, and its papers: privacy and terms."""

import gzip
import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import web
from markdown_it import MarkdownIt

from bot.home.web_words import ONLY_ENGLISH, labels
from bot.refusals import breakdown
from bot.text.language import ENGLISH, say, spoken
from bot.version import version
from web.endpoints import Call, Data, Endpoint

FILES: Final = Path(__file__).parent / "static"
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".png": "image/png",
}
_DISCORD: Final = "https://discord.com/channels/@me"
"""Opens Discord; on phones its app."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"


class _File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes


@cache
def _files() -> tuple[str, Mapping[str, _File]]:
    """Read the scripts, styles and pictures; return a hash of them all, and each by name."""
    paths = [path for path in sorted(FILES.iterdir()) if path.suffix in _KINDS]
    read = {path.name: path.read_bytes() for path in paths}
    name = sha256(b"".join(read.values())).hexdigest()[:16]
    return name, {
        each: _File(_KINDS[Path(each).suffix], content, gzip.compress(content, mtime=0))
        for each, content in read.items()
    }


@cache
def _html(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")


def _filled(name: str, **texts: str) -> str:
    """Fill in the placeholders of an HTML file: static files' path, the version, the texts."""
    page = _html(name)
    for place, text in {"files": f"s/{_files()[0]}", "version": version(), **texts}.items():
        page = page.replace(f"{{{place}}}", text)
    return page


def index_with(
    url: str,
    activity: Mapping[str, object] | None,
    contact: str,
) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return a handler that answers with the page, in the language of the request.

    `url` is the page's address in browsers; `activity` is the page's data for Discord's frame, None
    where the page is no Activity.
    """

    async def index(_request: web.Request) -> web.Response:
        said = _labels(contact)
        texts = {
            "language": spoken(),
            "url": url,
            "discord": _DISCORD,
            "activity": _within_html(activity),
            "labels": _within_html(said),
            **{name: escape(said[name]) for name in ("connecting", "stuck")},
        }
        return web.Response(text=_filled("index.html", **texts), content_type="text/html")

    return index


def labels_with(contact: str) -> Endpoint:
    """Build the endpoint with the page's own texts, for a player whose browser asks for others."""

    async def told(_call: Call) -> Data:
        return {**_labels(contact)}

    return Endpoint("GET", "labels", told)


def _labels(contact: str) -> dict[str, str]:
    return labels() | {"broken": breakdown("{reference}", contact)}


def _within_html(data: object) -> str:
    return json.dumps(data).replace("<", r"\u003c")


async def file(request: web.Request) -> web.Response:
    """Answer with a file under any hash; under that of another version it is not cached.

    While processes are updated in turn, one gives the HTML and another the files.
    """
    name, files = _files()
    found = files.get(request.match_info["file"])
    if found is None:
        return web.Response(status=HTTPStatus.NOT_FOUND)
    # Discord's frame may have an opaque origin, to which each file is another site's.
    headers = {"Access-Control-Allow-Origin": "*", "Vary": "Accept-Encoding"}
    if request.match_info["hash"] == name:
        headers["Cache-Control"] = _FOR_EVER
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=found.packed, headers=headers, content_type=found.kind)
    return web.Response(body=found.plain, headers=headers, content_type=found.kind)


# `/privacy` and `/terms`: the host's papers, or those that the bot comes with.

PAPERS: Final = ("privacy", "terms")
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_OURS: Final = Path(__file__).parent / "papers"
_PLACES: Final = {f"{name.upper()}.md": name for name in PAPERS}
"""Links among the papers, which name files, and where they lead on the page."""


def paper_file(name: str) -> Path:
    """Return the file of a paper: the host's own, in the current folder, or else ours.

    Ours is taken, too, if that cannot be read.
    """
    own = own_paper(name)
    return own if own.is_file() and os.access(own, os.R_OK) else _OURS / own.name


def own_paper(name: str) -> Path:
    return Path(f"{name.upper()}.md").absolute()


def read_paper(file: Path) -> str:
    """Read a paper, with � for what is no UTF-8."""
    return file.read_text("utf-8-sig", "replace")  # a mark which some editors on Windows write


async def paper(request: web.Request) -> web.Response:
    file = paper_file(request.path.removeprefix("/"))
    note = f"*{say(ONLY_ENGLISH)}*\n\n" if file.parent == _OURS and spoken() != ENGLISH else ""
    return web.Response(text=_shown(file, note), content_type="text/html")


@cache
def _shown(file: Path, note: str) -> str:
    """Turn a paper's Markdown into a page, below a note; HTML tags in it are escaped."""
    source = read_paper(file)
    title = _TITLE.search(source)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(note + source)
    for part in (part for block in tokens for part in block.children or ()):
        if part.type == "link_open":
            href = str(part.attrGet("href"))
            part.attrSet("href", _PLACES.get(href, href))
    rendered = markdown.renderer.render(tokens, markdown.options, {})
    return _filled("paper.html", title=escape(title[1]) if title else "", paper=rendered)
