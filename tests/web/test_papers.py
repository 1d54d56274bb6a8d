"""`/privacy` and `/terms` are the papers that lie there, and run nothing."""

import re
from pathlib import Path

import pytest

from bot.version import version
from tests.web.conftest import Host


async def test_the_shipped_privacy_policy_and_terms_are_shown_as_complete_pages(host: Host) -> None:
    async with host.stranger() as stranger:
        privacy, terms = [await stranger.ask("GET", f"/{name}") for name in ("privacy", "terms")]
        for page in (privacy, terms):
            assert page.status == 200
            assert page.headers["Content-Type"].startswith("text/html")
            assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert "<script" not in page.text
            (style,) = re.findall(r'rel="stylesheet" href="([^"]+)"', page.text)
            assert (await stranger.ask("GET", f"/{style}")).status == 200
        told = await stranger.ask("GET", "/terms", **{"Accept-Language": "pt-BR,en;q=0.5"})
    assert "só em inglês" in told.text
    assert "inglês" not in terms.text
    assert "<title>Privacy · FoCdle</title>" in privacy.text
    assert "<h1>Privacy</h1>" in privacy.text
    assert privacy.text.count("<tr>") > 20
    assert "| " not in privacy.text
    assert "<h1>Terms of use</h1>" in terms.text
    assert '<a href="privacy">PRIVACY.md</a>' in terms.text
    assert not re.findall(r'href="[^"]*\.md"', privacy.text + terms.text)


async def test_the_hosts_own_terms_are_shown_instead_of_the_shipped_ones(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = "# Ours\n\n<script>alert()</script> [a](javascript:alert()) [b](https://example.org)\n"
    (tmp_path / "TERMS.md").write_text(own, "utf-8-sig")
    async with host.stranger() as stranger:
        terms = (await stranger.ask("GET", "/terms")).text
        assert "<h1>Ours</h1>" in terms
        assert "&lt;script&gt;" in terms
        assert 'href="https://example.org"' in terms
        assert "<script" not in terms
        assert 'href="javascript' not in terms
        assert f"focdle-bot {version()}" in terms
        assert f'"focdle-bot {version()}"' in (await stranger.ask("GET", "/")).text
        assert "<h1>Privacy</h1>" in (await stranger.ask("GET", "/privacy")).text


async def test_a_paper_that_cannot_be_read_as_it_is_keeps_nobody_from_the_page(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "PRIVACY.md").write_bytes("# Ours, of Jürgen".encode("latin-1"))
    (tmp_path / "TERMS.md").mkdir()
    async with host.stranger() as stranger:
        assert "<h1>Ours, of J\ufffdrgen</h1>" in (await stranger.ask("GET", "/privacy")).text
        assert "<h1>Terms of use</h1>" in (await stranger.ask("GET", "/terms")).text
