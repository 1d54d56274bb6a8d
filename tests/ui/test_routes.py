"""Routes: what they write, they read; what is put on them takes what they have."""

from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.ui.replies import Interaction
from cogs.ui.routes import HANDLERS, Argument, By, Route, member_of, one_of, pressed

LARGEST = 8_999_999_999_999_999_999


class Suit(StrEnum):
    HEARTS = "hearts"
    CLUBS = "clubs.black"


ROUTE = Route(
    "a+b:{suit}:{game:int}:{page:signed}/{on:switch}:{who}:{act:ask|keep}:{draft?}",
    suit=member_of(Suit),
    who=one_of({"0": 0, "m": None}),
)


@given(
    suit=st.sampled_from(Suit),
    game=st.integers(0, LARGEST),
    page=st.integers(-LARGEST, LARGEST),
    on=st.booleans(),
    who=st.sampled_from([0, None]),
    act=st.sampled_from(["ask", "keep"]),
    draft=st.none() | st.text("0123456789+:=a", min_size=1),
)
def test_a_route_reads_back_its_own_ids(draft: str | None, **others: object) -> None:
    written = others if draft is None else {**others, "draft": draft}
    assert ROUTE.read(ROUTE(**others, draft=draft)) == written


@pytest.mark.parametrize(
    "custom_id",
    [
        "a+b:hearts:1:2/on:0:as",
        "a+b:hearts:1:2/on:0:asks",
        "a+b:diamonds:1:2/on:0:ask",
        "aab:hearts:1:2/on:0:ask",
        "a+b:clubsxblack:1:2/on:0:ask",
        "a+b:hearts:-1:2/on:0:ask",
        "a+b:hearts:9000000000000000000:2/on:0:ask",
        "a+b:hearts:1:2/maybe:0:ask",
        "a+b:hearts:1:2/on:0:ask:",
        "a+b:hearts:٣:2/on:0:ask",
    ],
)
def test_a_route_reads_only_ids_that_it_could_have_written(custom_id: str) -> None:
    assert ROUTE.read("a+b:hearts:1:2/on:0:ask") is not None
    assert ROUTE.read(custom_id) is None


def test_a_route_may_omit_an_optional_number() -> None:
    route = Route("x:{turn?:int}")
    assert [route(turn=turn) for turn in (None, 0, 7)] == ["x", "x:0", "x:7"]
    assert [route.read(each) for each in ("x", "x:0", "x:")] == [{}, {"turn": 0}, None]


def test_a_route_requires_every_argument_that_is_not_optional() -> None:
    with pytest.raises(KeyError):
        Route("x:{game:int}")()


def test_a_handler_takes_the_arguments_of_its_routes() -> None:
    async def takes_more(interaction: Interaction, game: int, turn: int) -> None:
        raise AssertionError((interaction, game, turn))

    known = list(HANDLERS)
    with pytest.raises(TypeError, match="takes_more"):
        pressed(Route("x:{game:int}"), by=By.ANYBODY)(takes_more)
    assert known == HANDLERS


def test_a_route_reads_back_an_argument_with_a_pattern_and_a_conversion_of_its_own() -> None:
    pair = Argument(
        "[0-9]+-[0-9]+", lambda text: tuple(map(int, text.split("-"))), "{0[0]}-{0[1]}".format
    )
    route = Route("x:{pair}:{draft?}", pair=pair)
    assert route(pair=(1, 2), draft="") == "x:1-2"
    assert route.read("x:1-2:3") == {"pair": (1, 2), "draft": "3"}
