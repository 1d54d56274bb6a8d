"""What strangers and impatient players send costs little, and locks nobody out."""

import pytest
from aiohttp.test_utils import make_mocked_request

from tests.web.conftest import Host
from web.calls import tag_of


@pytest.mark.parametrize(
    ("asked", "tag"),
    [
        ("", "en-US"),
        ("en", "en-US"),
        ("en-GB,en;q=0.9", "en-GB"),
        ("de-AT;q=0.8", "de"),
        ("pt-PT", "pt-BR"),
        ("es-419", "es-419"),
        ("zh-Hant-HK", "zh-CN"),
        ("en@000001xxxx", "en-US"),
        ("en-u-000001", "en-US"),
        ("mn", "en-US"),
        ("x" * 8_000, "en-US"),
    ],
)
async def test_a_browser_gets_one_of_discords_languages(host: Host, asked: str, tag: str) -> None:
    """Whatever else is a language to a library, it would be kept for ever."""
    headers = {"Accept-Language": asked}
    assert tag_of(make_mocked_request("GET", "/", headers=headers)) == tag
    async with host.player() as ann:
        assert (await ann.get("archive", Accept_Language=asked)).status == 200
