"""`/privacy` and `/terms`: the host's papers, or those that the bot comes with."""

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from aiohttp import web
from markdown_it import MarkdownIt

from web.page import filled

NAMES: Final = ("privacy", "terms")
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_OURS: Final = Path(__file__).parent / "papers"
_PLACES: Final = {f"{name.upper()}.md": name for name in NAMES}
"""Links among the papers, and where they lead on the page."""


def source(name: str) -> Path:
    """Return the file of a paper: the host's own, in the current folder, or else ours."""
    file = f"{name.upper()}.md"
    own = Path(file).absolute()
    return own if own.is_file() else _OURS / file


async def show(request: web.Request) -> web.Response:
    name = request.path.removeprefix("/")
    return web.Response(text=_shown(source(name)), content_type="text/html")


@cache
def _shown(file: Path) -> str:
    paper = file.read_text("utf-8-sig")  # which some editors on Windows write
    title = _TITLE.search(paper)
    return filled("paper.html", title=escape(title[1]) if title else "", paper=rendered(paper))


def rendered(paper: str) -> str:
    """Turn a paper's Markdown into HTML; HTML tags in it are escaped."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(paper)
    for part in (part for block in tokens for part in block.children or ()):
        if part.type == "link_open":
            href = str(part.attrGet("href"))
            part.attrSet("href", _PLACES.get(href, href))
    return markdown.renderer.render(tokens, markdown.options, {})
