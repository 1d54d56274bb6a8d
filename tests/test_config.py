"""Settings are checked once, and secrets stay out of sight."""

from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest
from dotenv import dotenv_values
from sqlalchemy import make_url

from bot.address import Address
from bot.config import (
    DEFAULT_DATABASE_URL,
    IN_FILES,
    NAMES,
    LogSettings,
    Settings,
    SettingsError,
    WebSettings,
    password_of,
    read_all,
    read_database_url,
    read_environment,
    read_settings,
)

TOKEN = {"DISCORD_TOKEN": "a-token"}


def test_only_the_token_is_a_required_setting() -> None:
    backups = Path("focdle-backups")
    assert read_settings(TOKEN) == Settings("a-token", DEFAULT_DATABASE_URL, backups=backups)


def test_blank_settings_count_as_unset_and_unknown_ones_are_ignored() -> None:
    blank = {"DATABASE_URL": " ", "PUZZLE_KEY": "", "LOG_LEVEL": None, "SHELL": "sh"}
    assert read_settings(TOKEN | blank) == read_settings(TOKEN)


def test_settings_are_read_in_any_case_and_with_spaces_around_them() -> None:
    settings = read_settings(
        {
            "DISCORD_TOKEN": " t ",
            "DATABASE_URL": "sqlite:////data/games.db",
            "PUZZLE_KEY": "0123456789abcdef",
            "LOG_LEVEL": " debug ",
            "LOG_FORMAT": "JSON",
            "CONTACT": " <https://example.org/bot> ",
            "HEALTH_ADDRESS": " [::1]:9109 ",
            "AVATARS": "Off",
            "BACKUPS": " /data/backups ",
            "FORGET_AFTER": " 400 Days ",
            "WORKERS": " 1 ",
        }
    )
    assert settings.token == "t"
    assert settings.database_url == "sqlite:////data/games.db"
    assert settings.puzzle_key == "0123456789abcdef"
    assert settings.logs == LogSettings("DEBUG", is_json=True)
    assert settings.contact == "<https://example.org/bot>"
    assert settings.health == Address("::1", 9109)
    assert not settings.avatars
    assert settings.backups == Path("/data/backups")
    assert settings.workers == 1
    assert settings.forget_after == timedelta(days=400)


@pytest.mark.parametrize("text", ["400d", "400", "400 days", "400D"])
def test_durations_in_days_are_read_with_and_without_a_unit(text: str) -> None:
    assert read_settings(TOKEN | {"FORGET_AFTER": text}).forget_after == timedelta(days=400)
    assert read_settings(TOKEN).forget_after is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", " "),
        ("DATABASE_URL", "games.db"),
        ("DATABASE_URL", "sqlite://"),  # in memory, as are the next ones
        ("DATABASE_URL", "sqlite:///"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "sqlite+aiosqlite:///games.db"),
        ("DATABASE_URL", "sqlite:///file::memory:?cache=shared&uri=true"),
        ("DATABASE_URL", "sqlite:///file:games.db?uri=true"),
        ("DATABASE_URL", "sqlite:///a%00b"),
        ("DATABASE_URL", "postgres://"),
        ("DATABASE_URL", "postgres:///"),
        ("DATABASE_URL", "sqlite+pysqlcipher:///games.db"),
        ("DATABASE_URL", "nosuch+driver:///games.db"),
        ("DATABASE_URL", "sqlite://host:port/x"),
        ("DATABASE_URL", "sqlite://host:80/x"),
        ("DATABASE_URL", "sqlite:///x?timeout=soon"),
        ("DATABASE_URL", "mysql://me:secret@db/x"),
        ("DATABASE_URL", "postgresql+psycopg2://me:secret@db/x"),
        ("DATABASE_URL", "postgresql://me:secret@db"),
        ("DATABASE_URL", "postgresql://me:secret@db:port/x"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_LEVEL", "INFO, cogs=DEBUG"),
        ("LOG_FORMAT", "xml"),
        ("CONTACT", "x" * 201),
        ("CONTACT", "two\nlines"),
        ("HEALTH_ADDRESS", "http://localhost:9109"),
        ("HEALTH_ADDRESS", "70000"),
        ("DISCORD_CLIENT_SECRET", "s-123"),  # without a page
        ("WEB_ADDRESS", "https://focdle.example.org"),
        ("AVATARS", "no"),
        ("FORGET_AFTER", "89d"),
        ("FORGET_AFTER", "0"),
        ("FORGET_AFTER", "a year"),
        ("FORGET_AFTER", "13 months"),
        ("FORGET_AFTER", "-400"),
        ("FORGET_AFTER", "999999"),
        ("WORKERS", "3"),
    ],
)
def test_an_invalid_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings(TOKEN | {name: value})
    assert refused.value.name == name
    assert name in refused.value.advice


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program is started."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_a_blank_variable_does_not_hide_a_setting_in_the_file(blank: str, folder: Path) -> None:
    there = {
        "DISCORD_TOKEN": "t",
        "DATABASE_URL_FILE": str(folder / "url"),
        "CONTACT": "me",
        "WORKERS": "1",
    }
    (folder / "url").write_text("sqlite:///elsewhere.db")
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in there.items()))
    settings = read_settings(read_environment(dict.fromkeys(there, blank)))
    assert (settings.token, settings.contact, settings.workers) == ("t", "me", 1)
    assert settings.database_url == "sqlite:///elsewhere.db"
    assert read_settings(read_environment({"CONTACT": "you"})).contact == "you"


def test_a_settings_file_with_a_byte_order_mark_is_read(folder: Path) -> None:
    (folder / ".env").write_text("DISCORD_TOKEN=t\n", encoding="utf-8-sig")
    assert read_settings(read_environment({})).token == "t"
    (folder / "token").write_text("t-2\n", encoding="utf-8-sig")
    assert read_settings({"DISCORD_TOKEN_FILE": str(folder / "token")}).token == "t-2"


def test_a_settings_file_that_is_not_text_is_named(folder: Path) -> None:
    (folder / ".env").write_bytes(b"DISCORD_TOKEN=t\xff\n")
    with pytest.raises(SettingsError) as refused:
        read_environment({})
    assert ".env is not UTF-8" in refused.value.advice


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('"t-123.x_y"', '"…"'),
        ("'t-123'", "'…'"),
        ("“t-123”", "“…”"),
        ('"t-123', '"…'),
        ("Bot t-123", "Bot …"),
        ("bot  t-123", "bot …"),
        ("Bearer t-123", "Bearer …"),
        ('"Bot t-123"', '"Bot …"'),
        ("t-123 # mine", "… … …"),
        ("t-123\nt-456", "… …"),
        ("t-123\r\n\r\nt-456", "… …"),
        ("t\u200b123", "…U+200B…"),
        ("DISCORD_TOKEN=t-123", "DISCORD_TOKEN=…"),
        ("<t-123>", "<…>"),
    ],
)
@pytest.mark.parametrize("is_in_file", [False, True])
def test_wrong_characters_around_a_token_are_described_without_quoting_the_token(
    text: str, shape: str, is_in_file: bool, tmp_path: Path
) -> None:
    environment = {"DISCORD_TOKEN": text}
    if is_in_file:
        if not text.isprintable():
            pytest.skip("of a file, that is told otherwise")
        (tmp_path / "file").write_text(f"{text}\n", encoding="utf-8")
        environment = {"DISCORD_TOKEN_FILE": str(tmp_path / "file")}
    found = {error.name: error.value for error in read_all(environment)[1]}
    with pytest.raises(SettingsError) as refused:
        read_settings(environment)
    name, value = refused.value.name, refused.value.value
    said = SettingsError(name, value).advice
    assert {name} == environment.keys()
    assert shape in said
    assert "123" not in said + repr(refused.value)
    assert found[name] == value  # the doctor says the same


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "sqlite:///games.db"),
        ("DATABASE_URL", "postgresql://me:pw-123@db/x"),
        ("BACKUPS", "backups"),
        ("LOG_LEVEL", "INFO"),
        ("LOG_FORMAT", "json"),
        ("HEALTH_ADDRESS", "9109"),
        ("AVATARS", "on"),
        ("FORGET_AFTER", "400d"),
        ("WORKERS", "1"),
    ],
)
@pytest.mark.parametrize("quotes", ['""', "''", "“”"])
def test_quotes_around_a_setting_are_pointed_out(name: str, value: str, quotes: str) -> None:
    assert read_settings(TOKEN | {name: value})
    with pytest.raises(SettingsError) as refused:
        read_settings(TOKEN | {name: value.join(quotes)})
    said = refused.value.advice
    assert said.startswith(f"{name} reads {quotes[0]}…{quotes[1]}")


def test_quotes_are_kept_in_settings_that_may_contain_them() -> None:
    """A key that had some gives other puzzles without them."""
    key = '"0123456789abcdef"'
    assert read_settings(TOKEN | {"PUZZLE_KEY": key}).puzzle_key == key
    assert read_settings(TOKEN | {"CONTACT": "'me'"}).contact == "'me'"


def test_an_unknown_parameter_of_the_database_url_is_named() -> None:
    url = "postgresql://me:pw-123@db/x?sslmode=require&connection_limit=pw-123"
    with pytest.raises(SettingsError) as refused:
        read_settings(TOKEN | {"DATABASE_URL": url})
    said = refused.value.advice
    assert said.startswith("DATABASE_URL has the parameter connection_limit,")
    assert "123" not in said
    assert read_settings(TOKEN | {"DATABASE_URL": url.partition("&")[0]})


@pytest.mark.parametrize("sign", "@/?#:[]%&=+ ")
def test_no_sign_in_a_password_lets_a_piece_of_it_be_shown(sign: str) -> None:
    for password in (f"pa{sign}ss", f"{sign}pass", f"pass{sign}", f"pa{sign}s{sign}x=1"):
        url = f"postgresql://me:{password}@db/x"
        if sign == "@":
            with pytest.raises(SettingsError) as refused:
                read_database_url({"DATABASE_URL": url})
            assert "write %40 for it" in refused.value.advice
            assert "pa" not in refused.value.advice.replace("password", "")
        else:
            assert read_database_url({"DATABASE_URL": url}) == url
            assert (password_of(url), make_url(url).host) == (password, "db")


def test_the_bot_refuses_to_back_up_postgresql() -> None:
    there = {"DATABASE_URL": "postgresql://me:pw-123@db/x"}
    with pytest.raises(SettingsError) as refused:
        read_settings(TOKEN | there | {"BACKUPS": "backups"})
    assert refused.value.name == "BACKUPS"
    assert "pg_dump" in refused.value.advice
    for off in (" ", "off"):
        assert read_settings(TOKEN | there | {"BACKUPS": off}).backups is None


def test_backups_are_beside_the_database_unless_the_host_chooses_another_folder() -> None:
    there = TOKEN | {"DATABASE_URL": "sqlite:////data/games.v2.db"}
    for said, folder in (
        ("", Path("/data/games.v2-backups")),
        ("elsewhere", Path("elsewhere")),
        ("OFF", None),
    ):
        assert read_settings(there | {"BACKUPS": said}).backups == folder


SECRETS = {
    "DISCORD_TOKEN": "t-123",
    "DATABASE_URL": "postgresql://me:pw-123@db/x",
    "PUZZLE_KEY": "0123456789abcdef",
    "DISCORD_CLIENT_SECRET": "s-123",
}
PAGE = {"WEB_ADDRESS": "8080", "WEB_URL": "https://focdle.example.org"}


def test_secrets_can_be_read_from_files(tmp_path: Path) -> None:
    assert set(IN_FILES) == set(SECRETS)
    for name, value in SECRETS.items():
        (tmp_path / name).write_text(f"{value}\n")
    named = {f"{name}_FILE": str(tmp_path / name) for name in SECRETS}
    blank = dict.fromkeys(SECRETS, " ")  # as in a copy of the example file
    read = read_settings(SECRETS | PAGE)
    assert read_settings({**blank, **named, **PAGE}) == read
    assert {"t-123", "pw-123", "s-123"} <= set(read.secrets)
    assert "123" not in repr(read)


def test_the_database_url_can_be_read_while_files_of_other_secrets_are_missing(
    tmp_path: Path,
) -> None:
    url = tmp_path / "url"
    url.write_text("sqlite:///games.db")
    others = dict.fromkeys(("DISCORD_TOKEN_FILE", "PUZZLE_KEY_FILE"), str(tmp_path / "nothing"))
    named = {"DATABASE_URL_FILE": str(url), **others}
    assert read_database_url(named) == "sqlite:///games.db"


@pytest.mark.parametrize("name", SECRETS)
def test_a_setting_given_directly_and_by_a_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRETS[name])
    with pytest.raises(SettingsError) as refused:
        read_settings(SECRETS | {f"{name}_FILE": str(tmp_path / "secret")})
    said = refused.value.advice
    assert said == f"{name} and {name}_FILE are both set. Leave out one of them."


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (None, "No such file or directory"),
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"t-123\nt-456\n", "more than one line"),
        (b"\xff\xfe-123", "no text"),
        (b'"t-123"', '"…"'),
        (b"t-123\xe2\x80\x8b4", "signs that nobody sees"),
        (b"123" * 2000, "too long"),
    ],
)
def test_an_unusable_secret_file_is_named_with_its_problem(
    content: bytes | None, wrong: str, tmp_path: Path
) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError) as refused:
        read_settings({"DISCORD_TOKEN_FILE": str(path)})
    said = refused.value.advice
    assert said.startswith(f"DISCORD_TOKEN_FILE names a file that cannot be used ({path}: {wrong})")
    assert "123" not in said


@pytest.mark.parametrize("path", ["/", "/dev/zero", "a\0b"])
def test_a_secret_path_that_is_no_file_causes_no_crash_and_no_waiting(path: str) -> None:
    with pytest.raises(SettingsError):
        read_settings(TOKEN | {"PUZZLE_KEY_FILE": path})


def test_the_example_settings_file_names_exactly_the_existing_settings() -> None:
    example = dotenv_values(Path(__file__).parents[1] / ".env.example")
    assert {*example} == {*NAMES} - {f"{name}_FILE" for name in IN_FILES}
    assert read_settings({**example, **TOKEN}) == read_settings(TOKEN)


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_postgresql_url_is_accepted_with_any_of_its_usual_schemes(kind: str) -> None:
    url = f"{kind}://me:pw-123@db/x"
    settings = read_settings(TOKEN | {"DATABASE_URL": url})
    assert settings.database_url == url
    assert password_of(url) == "pw-123"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://focdle.example.org", "https://focdle.example.org"),
        ("HTTPS://Focdle.Example.org:443/", "https://focdle.example.org"),
        ("https://focdle.example.org:8443", "https://focdle.example.org:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://focdle.example.org", None),  # not without TLS
        ("https://focdle.example.org/play", None),
        ("https://ann@focdle.example.org", None),
        ("http://127.0.0.1.example.org", None),
        ("focdle.example.org", None),
        ("", None),
    ],
)
def test_the_url_of_the_page_becomes_an_origin_or_is_refused(url: str, origin: str | None) -> None:
    given = TOKEN | {"WEB_ADDRESS": "8080", "WEB_URL": url}
    if origin is None:
        with pytest.raises(SettingsError, match="WEB_URL"):
            read_settings(given)
    else:
        assert read_settings(given).web == WebSettings(Address("127.0.0.1", 8080), origin)


VALUES = {
    "DISCORD_TOKEN": ("a-token", '"a-token"'),
    "DATABASE_URL": ("sqlite:///games.db", "postgresql://me:pw@db/x", "games.db"),
    "PUZZLE_KEY": ("0123456789abcdef",),
    "DISCORD_CLIENT_SECRET": ("s-123456", '"s-123456"'),
    "BACKUPS": ("off", "copies"),
    "LOG_LEVEL": ("debug", "loud"),
    "LOG_FORMAT": ("json", "xml"),
    "CONTACT": ("ann@example.org", "x" * 201),
    "HEALTH_ADDRESS": ("8070", "0.0.0.0:8070", "9109", "here"),
    "AVATARS": ("off", "no"),
    "FORGET_AFTER": ("400d", "89"),
    "WORKERS": ("1", "3"),
    "WEB_ADDRESS": ("8070", "70000"),
    "WEB_URL": (
        "https://focdle.example.org",
        "http://focdle.example.org",
        "https://focdle.example.org/play",
        "focdle.example.org",
        "https://müller.example",
    ),
}
PAIRS = [*combinations([(name, value) for name in VALUES for value in VALUES[name]], 2)]
ALONE = {
    "WEB_ADDRESS": "WEB_URL",
    "WEB_URL": "WEB_ADDRESS",
    "DISCORD_CLIENT_SECRET": "DISCORD_CLIENT_SECRET",
}
"""What is refused where one of these stands by itself."""


def is_wrong(name: str, value: str) -> bool:
    accepted = {"DATABASE_URL": 2, "BACKUPS": 2, "HEALTH_ADDRESS": 3}.get(name, 1)
    return value not in VALUES[name][:accepted]


def test_whatever_two_settings_are_bot_and_doctor_refuse_the_same_by_name() -> None:
    assert VALUES.keys() == {*NAMES} - {f"{name}_FILE" for name in IN_FILES}
    for (one, first), (other, second) in PAIRS:
        given = {one: first} | {other: second}
        settings, found = read_all(given)
        names = [error.name for error in found]
        wrong = {name for name, value in given.items() if is_wrong(name, value)}
        if "DISCORD_TOKEN" not in given:
            wrong.add("DISCORD_TOKEN")
        if (of_page := given.keys() & ALONE.keys()) and not wrong & {"WEB_ADDRESS", "WEB_URL"}:
            alone = min(of_page - {"DISCORD_CLIENT_SECRET"}, default="DISCORD_CLIENT_SECRET")
            wrong |= {ALONE[alone]} if not {"WEB_ADDRESS", "WEB_URL"} <= of_page else set()
        if given.keys() == {"BACKUPS", "DATABASE_URL"}:
            kept = given["BACKUPS"] != "off" and given["DATABASE_URL"].startswith("postgres")
            wrong |= {"BACKUPS"} if kept else set()
        assert sorted(names) == sorted(wrong), given
        assert all(error.name in error.advice for error in found)
        if found:
            with pytest.raises(SettingsError) as refused:
                read_settings(given)
            assert refused.value.name == names[0]
        else:
            assert read_settings(given) == settings


@pytest.mark.parametrize(
    ("page", "health", "may"),
    [
        ("8070", "8070", False),
        ("0.0.0.0:8070", "8070", False),
        ("8070", "[::]:8070", False),
        ("8070", "8071", True),
        ("127.0.0.1:8070", "127.0.0.2:8070", True),
    ],
)
def test_the_page_and_health_cannot_listen_at_one_address(
    page: str, health: str, *, may: bool
) -> None:
    given = TOKEN | {"WEB_ADDRESS": page, "WEB_URL": "http://localhost:8070"}
    (*_, found) = [None, *read_all(given | {"HEALTH_ADDRESS": health})[1]]
    assert (found is None) is may
    if found is not None:
        assert "like WEB_ADDRESS; use a port, such as 9109" in found.advice


def test_a_secret_is_hidden_though_the_setting_that_it_is_for_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s-123456")
    given = {"WEB_ADDRESS": "8070", "DISCORD_CLIENT_SECRET_FILE": str(tmp_path / "secret")}
    assert "s-123456" in read_all(TOKEN | given)[0].secrets
