"""What is kept of a board: every page is as if nothing were kept, for each seat and for strangers, after every step."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from jinja2 import Environment, meta

from game.engine.actions import Refused
from game.history.briefings import briefings
from game.history.past import course_of, past_views
from game.infra.process_cache import ProcessCache
from game.moderation import rewind
from game.store.game import Game, Seat
from game.store.seat_view import cached_views
from tests.browser.positions import lay
from tests.pages.panels import page_engine
from tests.play.test_power_up import form_of, hand, post, sits
from tests.rulesets.sectors.table import Table
from tests.scenes import moderator, rewind_by_two, seen
from tests.tables import clock_runs_out, fresh, new_game, person, send, without_chance

pytestmark = pytest.mark.django_db
BUY = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market", "quantity": 2}
READERS = ("ada", "bob", "eve")  # the last has no seat
LIVE = {"moment", "moment_inside", "left", "server_now", "zone", "csrf_field", "csrf_token", "user", "needs", "panel"}
"""What changes though the position does not, and what belongs to one reader or one answer."""


@pytest.fixture
def market() -> Game:
    table = Table().seats("ada", "bob", cash=500).company("ACME", price=47).holdings("ACME", ada=3, bob=1)
    return lay(table.options(max_sub_rounds=4).at("stock_orders").priority("bob", "ada"))


def pages(game: Game) -> dict[str, str]:
    """The board of everybody, each asked for twice by turns, and the same as when nothing is kept."""
    values_by_key = {name: page(game, name) for name in (*READERS, *READERS)}
    for name in READERS:
        cached_views.clear()
        briefings.clear()
        assert values_by_key[name] == page(game, name), name
    return values_by_key


def page(game: Game, name: str, where: str = "") -> str:
    client = Client()
    client.force_login(person(name))
    html = client.get(f"/games/{game.pk}/{where}").content.decode()
    return re.sub(r"in \d+ [^<]*<", "", without_chance(html))


def past(game: Game, name: str, serial: int) -> str:
    return page(game, name, f"history/?at={serial}")


def test_what_one_seat_submits_shows_at_once_and_to_it_alone(market: Game) -> None:
    before = pages(market)
    send(market, 0, BUY)
    after = pages(market)
    assert "ACME" in after["ada"]
    assert after["ada"] != before["ada"]
    assert "Ready" in after["bob"] or after["bob"] != before["bob"], "that ada has submitted is public"
    assert "2 of ACME" not in after["bob"] + after["eve"]
    send(market, 0, {**BUY, "quantity": 1})
    assert pages(market)["bob"] == after["bob"], "what is in it is not"
    clock_runs_out(market)
    assert pages(market)["eve"] != after["eve"]


def test_a_draft_shows_at_once_and_to_its_owner_alone(market: Game) -> None:
    before, client = pages(market), Client()
    client.force_login(person("ada"))
    form = form_of(market, client) | {"company": "ACME", "touched": "quantity", "quantity": "2"}
    assert client.post(reverse("save_draft", args=[market.pk]), form).status_code == 302
    after = pages(market)
    assert after["ada"] != before["ada"]
    assert (after["bob"], after["eve"]) == (before["bob"], before["eve"])


def test_a_rewind_shows_at_once(market: Game) -> None:
    pages(market)
    send(market, 0, BUY)
    clock_runs_out(market)
    later, moment = pages(market), rewind.moments_of(fresh(market))[0]
    rewind_by_two(
        game_id=market.pk, moderator=moderator("Lena"), seen=seen(market), reason="a slip", number=moment.number
    )
    back = pages(market)
    assert all(back[name] != later[name] for name in READERS)


def test_a_tile_and_its_taking_back_show_at_once() -> None:
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    seat = fresh(game).waiting_seats[0]
    before, tile = pages(game), plays_a_tile(game, seat)
    played, free = pages(game), f'pu-free" data-cell="{tile}"'
    assert all(free not in played[name] for name in READERS)
    post(sits(seat), game, form_of(game, sits(seat)) | {"do": "undo"})
    undone = pages(game)
    assert free in undone["eve"]
    assert cells(undone["ada"]) == cells(before["ada"]) != cells(undone["bob"]), "each sees their own hand alone"


def test_the_past_is_each_seat_s_own_and_as_if_nothing_were_kept() -> None:
    game = new_game("ada", "bob")
    send(game, 0, {"kind": "bid_influence", "points": 3})
    clock_runs_out(game)
    serials = [stop.serial for stop in course_of(fresh(game)).stops]
    values_by_key = {(name, at): past(game, name, at) for name in (*READERS, *READERS) for at in serials}
    for (name, at), told in values_by_key.items():
        past_views.clear()
        assert past(game, name, at) == told
    assert len({values_by_key[name, serials[0]] for name in READERS}) == len(READERS)


def test_a_kept_part_is_given_nothing_that_changes_by_itself() -> None:
    engine = page_engine()
    named = set(kept_parts(engine))
    assert named
    for name in named:
        for part in parts_of(engine, name):
            assert not meta.find_undeclared_variables(engine.parse(source(engine, part))) & LIVE, part


def test_a_standing_briefing_costs_no_statement_and_grows_with_the_log(market: Game) -> None:
    page(market, "ada")
    for _ in range(2):
        clock_runs_out(market)
    Seat.objects.filter(game=market).update(seen_version=1)
    assert "Since your last visit" in pages(market)["ada"]
    standing = statements(market)
    Seat.objects.filter(game=market, number=0).update(away_version=None, away_at=None)
    assert statements(market) == standing, "a page with it asks what one without it asks"
    Seat.objects.filter(game=market, number=0).update(away_version=1, away_at=F("seen_at"))
    section = pages(market)["ada"]
    clock_runs_out(market)
    assert briefing(pages(market)["ada"]) != briefing(section)


def test_no_more_is_kept_than_there_is_room_for() -> None:
    result: ProcessCache[int] = ProcessCache(2)
    for number in (1, 2, 1, 3):
        assert result.get(number, lambda number=number: number * 10) == number * 10  # type: ignore[misc]
    assert len(result) == 2
    assert result.get(1, lambda: 0) == 10, "what was asked for last stays"
    assert result.get(2, lambda: 0) == 0
    with pytest.raises(ZeroDivisionError):
        result.get(4, lambda: 1 // 0)
    assert result.get(4, lambda: 4) == 4, "a failure is not kept"


def plays_a_tile(game: Game, seat: int) -> str:
    """The first of the hand that goes with nothing to choose."""
    for tile in hand(game, seat):
        with suppress(Refused):
            send(game, seat, {"kind": "play_tile", "tile": tile})
            return tile
    raise AssertionError("Every tile asks for a company.")


def cells(told: str) -> list[str]:
    return re.findall(r"pu-own[^>]*data-cell=\"(..)\"", told)


def briefing(told: str) -> str:
    return told.partition('id="briefing"')[2].partition("</section>")[0]


def statements(game: Game) -> int:
    page(game, "ada")
    with CaptureQueriesContext(connection) as captured:
        page(game, "ada")
    return len(captured)


def kept_parts(engine: Environment) -> Iterator[str]:
    for name in engine.list_templates():
        yield from re.findall(r'once\("([^"]+)"\)', source(engine, name))


def parts_of(engine: Environment, name: str) -> Iterator[str]:
    """A template and all that it includes."""
    yield name
    for inner in re.findall(r'(?:include|from) "([^"]+)"', source(engine, name)):
        yield from parts_of(engine, inner)


def source(engine: Environment, name: str) -> str:
    assert engine.loader is not None
    return engine.loader.get_source(engine, name)[0]
