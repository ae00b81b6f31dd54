"""Browsing games: sections and filters are addresses, nothing private is listed, and pages cost the same however many
games there are."""

import re
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import guests
from game.deadlines.reliability_model import weight_of
from game.lobby import lobby
from game.lobby.browse_page import browse_context
from game.lobby.browse_queries import PAGE, SECTIONS, ListQuery, NoSuchList, parse_list_query
from game.lobby.lobby_page import lobby_context
from game.lobby.lobby_queries import MOST_FINISHED, MOST_OPEN
from game.play.authority import assign_seat
from game.reputation.reliability import KNOWN_FROM
from game.rulesets.registry import RULESETS
from game.store.game import Game, Keeper, Seat, Status
from game.store.seat_models import Tenure
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
OPTIONS = msgspec.to_builtins(RULESETS["sectors"].parse_options({}))


def signed_in(client: Client, name: str = "ada") -> Client:
    client.force_login(person(name))
    return client


def shown(client: Client, where: str, status: int = 200) -> str:
    answer = client.get(where)
    assert answer.status_code == status, where
    return answer.content.decode()


def names_in(user: str, show: str, **more: Any) -> list[str]:
    return [row.name for row in browse_context(user=person(user), query=ListQuery(show, **more))["rows"]]


def gathering(name: str, host: str = "host", **more: Any) -> Game:
    """A game that looks for players."""
    return lobby.create_game(host=person(host), name=name, seats=3, **more)


def stands(game: Game, status: Status, **more: Any) -> None:
    Game.objects.filter(pk=game.pk).update(status=status, deadline_at=None, **more)


def many(count: int, status: Status = Status.WAITING) -> None:
    """So many open games with a host each; made without the services, which would take a minute."""
    host = person("host")
    start = timezone.now() - timedelta(days=9)
    games = Game.objects.bulk_create(
        Game(
            name=f"Game {n:03}",
            host=host,
            seats_wanted=3,
            status=status,
            options=OPTIONS,
            created_at=start,
            started_at=start,
        )
        for n in range(count)
    )
    Seat.objects.bulk_create(Seat(game=game, number=0, user=host, place=1, score=700) for game in games)


def one_of_each() -> dict[str, Game]:
    found = {show: gathering(f"Of {show}") for show in SECTIONS}
    stands(found["running"], Status.RUNNING, started_at=Now())
    stands(found["finished"], Status.FINISHED, started_at=Now(), finished_at=Now())
    return found


def test_every_section_has_an_address_with_its_games_and_the_counts_of_all(client: Client) -> None:
    one_of_each()
    gathering("Another open one")
    signed_in(client)
    for show in SECTIONS:
        page = shown(client, f"/games/?show={show}")
        assert [other for other in SECTIONS if f"Of {other}<" in page] == [show]
        assert [int(n) for n in re.findall(r'<span class="muted">(\d+)</span></a>', page)] == [2, 1, 1]
        assert f'href="/games/?show={show}" aria-current="page"' in page


def test_games_on_hold_are_running_and_those_ended_by_agreement_finished() -> None:
    for status in (Status.HELD, Status.PAUSED):
        stands(gathering(status.label), status, started_at=Now())
    stands(gathering("Ended"), Status.ABANDONED, started_at=Now(), finished_at=Now())
    stands(gathering("Cancelled before it began"), Status.ABANDONED)
    assert {*names_in("ada", "running")} == {"on hold", "paused"}
    assert names_in("ada", "finished") == ["Ended"]
    assert names_in("ada", "open") == []


@pytest.mark.parametrize("show", SECTIONS)
def test_games_by_invitation_are_listed_for_those_who_sit_there_alone(client: Client, show: str) -> None:
    secret = gathering("By word of mouth", is_open=False)
    assign_seat(game=secret, user_id=person("bob").pk)
    if show == "running":
        stands(secret, Status.RUNNING, started_at=Now())
    if show == "finished":
        stands(secret, Status.FINISHED, started_at=Now(), finished_at=Now())
    for query in (f"show={show}", f"show={show}&mine=1", f"show={show}&game=sectors&pace=daily"):
        stranger = shown(signed_in(client, "ada"), f"/games/?{query}")
        assert "By word of mouth" not in stranger
        assert '<span class="muted">1</span>' not in stranger, "not even counted"
        assert "By word of mouth" in shown(signed_in(client, "bob"), f"/games/?{query}")
    assert "By word of mouth" not in shown(signed_in(client, "ada"), "/games/")


def test_games_of_guests_are_listed_for_nobody_else(client: Client) -> None:
    guest = guests.new_guest()
    game = lobby.create_game(host=guest, name="A guest's", seats=3, bots=2, is_open=False)
    lobby.start_game(game_id=game.pk, user=guest)
    signed_in(client)
    for show in SECTIONS:
        assert "A guest" not in shown(client, f"/games/?show={show}")


def test_filters_narrow_by_game_pace_and_seat_and_keep_each_other(client: Client) -> None:
    for key in RULESETS:
        gathering(f"Slow {key}", host=f"slow {key}", ruleset=key, pace="daily")
        gathering(f"Fast {key}", host=f"fast {key}", ruleset=key, pace="live")
    gathering("Ada's own", host="ada", pace="live")
    assert {*names_in("ada", "open", game="toy")} == {"Slow toy", "Fast toy"}
    assert names_in("ada", "open", game="toy", pace="live") == ["Fast toy"]
    assert names_in("ada", "open", mine=True) == ["Ada's own"]
    page = shown(signed_in(client), "/games/?show=open&game=toy&pace=live")
    assert 'href="/games/?show=open&amp;pace=live">All games</a>' in page
    assert 'href="/games/?show=running&amp;game=toy&amp;pace=live"' in page
    assert 'href="/games/?show=open&amp;game=toy&amp;pace=daily">Daily</a>' in page


def test_a_full_game_looks_for_nobody_and_an_own_one_is_opened(client: Client) -> None:
    lobby.create_game(host=person("host"), name="Full", seats=3, bots=2)
    own, other = gathering("Own", host="ada"), gathering("Other")
    page = shown(signed_in(client), "/games/?show=open")
    assert "Full" not in page
    assert f'action="{other.get_absolute_url()}join/"' in page
    assert f'action="{own.get_absolute_url()}join/"' not in page
    assert client.post(f"{other.get_absolute_url()}join/").status_code == 302


def test_every_game_is_on_one_page_and_the_first_page_of_the_lobby_leads_there(client: Client) -> None:
    """The list hides no open game, however many there are."""
    many(2 * PAGE + 3)
    pages = [names_in("ada", "open", page=number) for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [PAGE, PAGE, 3]
    assert len({name for page in pages for name in page}) == 2 * PAGE + 3
    page = shown(signed_in(client), "/games/?show=open&page=2")
    assert f"{PAGE + 1} to {2 * PAGE} of {2 * PAGE + 3}" in page
    assert 'rel="prev" href="/games/?show=open"' in page
    assert 'rel="next" href="/games/?show=open&amp;page=3"' in page
    first = shown(client, "/games/")
    assert first.count('>Join<span class="vh">') == MOST_OPEN
    assert '<a href="/games/?show=open">All open games</a>' in first


def test_the_first_page_shows_the_last_finished_games_and_leads_to_all(client: Client) -> None:
    many(MOST_FINISHED + 2, Status.FINISHED)
    context = lobby_context(user=person("host"))
    assert (len(context["finished"]), context["has_more_finished"], context["has_played"]) == (
        MOST_FINISHED,
        True,
        True,
    )
    assert context["finished"][0].rank_words == "1st of 1"
    assert "/games/?show=finished&amp;mine=1" in shown(signed_in(client, "host"), "/games/")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("show=secret", "There is no list “secret”. Choose one of open, running, finished."),
        ("game=chess", "There is no such game. Choose one of "),
        ("pace=fast", "There is no such pace. Choose one of live, demo, evening, daily, relaxed, custom, none."),
        ("page=0", "Pages are numbered from 1."),
        ("page=x", "Pages are numbered from 1."),
        ("page=9999999999", "Pages are numbered from 1."),
        ("show=open&page=2", "There is no page 2 of this list; there is one."),
    ],
)
def test_what_is_no_list_is_not_found_and_says_why(client: Client, query: str, why: str) -> None:
    assert why in shown(signed_in(client), f"/games/?{query}", status=404)


def test_a_page_behind_the_last_says_how_many_there_are() -> None:
    many(PAGE + 1)
    with pytest.raises(NoSuchList, match="There is no page 3 of this list; the last is 2"):
        browse_context(user=person("ada"), query=ListQuery(page=3))


def test_addresses_read_back_what_they_ask() -> None:
    for query in (ListQuery(), ListQuery("running", mine=True), ListQuery("finished", game="toy", pace="live", page=4)):
        parameters = dict(part.split("=") for part in query.url.partition("?")[2].split("&"))
        assert parse_list_query(parameters) == query


def test_an_empty_list_says_so_and_a_filtered_one_leads_to_all(client: Client) -> None:
    signed_in(client)
    assert "Nobody is looking for players right now." in shown(client, "/games/?show=open")
    assert "No game is running right now." in shown(client, "/games/?show=running")
    assert "No game has finished yet." in shown(client, "/games/?show=finished")
    filtered = shown(client, "/games/?show=finished&mine=1&pace=live")
    assert "No game fits these filters." in filtered
    assert '<a href="/games/?show=finished">Show all finished games</a>' in filtered


@pytest.mark.parametrize("section", SECTIONS)
def test_an_empty_list_sends_a_visitor_to_the_bots(client: Client, section: str) -> None:
    assert '<a href="/#h-games">play against bots</a>' in shown(client, f"/games/?show={section}")
    assert 'id="h-games"' in shown(client, "/")


def test_who_resigned_from_their_only_game_has_played_already(client: Client) -> None:
    game = new_game("ada", "bob")
    Seat.objects.filter(game=game, number=0).update(keeper=Keeper.RESIGNED, left_at=Now())
    page = shown(signed_in(client), "/games/")
    assert "No game yet" not in page
    assert "No game under way" in page


def test_a_visitor_reads_the_lists_of_open_games_and_nothing_else() -> None:
    one_of_each()
    gathering("By word of mouth", is_open=False)
    assert "Of open" in shown(Client(), "/games/"), "their first list"
    for show in SECTIONS:
        page = shown(Client(), f"/games/?show={show}&mine=1")
        assert [other for other in SECTIONS if f"Of {other}<" in page] == [show], "they have no games of their own"
        assert "By word of mouth" not in page
        assert ">Mine</a>" not in page
        assert Client().get(f"/games/version/?show={show}").status_code == 200
    assert "Sign up to join" in shown(Client(), "/games/?show=open")
    assert browse_context(user=None, query=ListQuery("open", may_join=True))["rows"] == []


def test_an_open_game_says_how_long_it_takes_how_often_it_asks_and_how_reliable_its_host_is(client: Client) -> None:
    gathering("Long", pace="daily", options={"max_turns": 11, "bank": 7500})
    gathering("Short", host="other", pace="evening", options={"max_turns": 8, "bank": 7500})
    weight = weight_of(timezone.now().date())
    for number, name, decisions in ((1, "host", KNOWN_FROM), (2, "other", KNOWN_FROM - 1)):
        Tenure.objects.create(
            game=new_game("ben", bots=1), number=number, user=person(name), decisions=decisions, made_weight=weight
        )
    rows = {row.name: row for row in browse_context(user=person("ada"), query=ListQuery("open"))["rows"]}
    assert (rows["Long"].length, rows["Long"].rate) == ("3 to 7 weeks", "1 to 2 a day")
    assert (rows["Short"].length, rows["Short"].rate) == ("2 to 5 hours, two evenings", "")
    assert rows["Long"].host_reliability.endswith("% in time")
    assert rows["Short"].host_reliability == "", "one decision too few"
    for page in (shown(signed_in(client), "/games/?show=open"), shown(client, "/games/")):
        assert "3 to 7 weeks" in page
        assert "when full" in page
        assert rows["Long"].host_reliability in page


@pytest.mark.parametrize("where", ["/games/", *(f"/games/?show={show}" for show in SECTIONS)])
def test_a_page_costs_the_same_for_any_number_of_games(client: Client, where: str) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            shown(client, where)
        return len([query for query in queries.captured_queries if not query["sql"].startswith("SAVEPOINT")])

    signed_in(client, "host")
    one_of_each()
    few = cost()
    for status in (Status.WAITING, Status.RUNNING, Status.FINISHED):
        many(20, status)
    assert cost() == few <= 9


def test_lessons_are_no_games_of_people(client: Client) -> None:
    lesson = new_game("ada", bots=1)
    Game.objects.filter(pk=lesson.pk).update(lesson="first", name="A lesson")
    signed_in(client)
    for status in (Status.RUNNING, Status.FINISHED):
        stands(lesson, status, finished_at=Now())
        for where in ("/games/", "/games/?show=running&mine=1", "/games/?show=finished"):
            assert "A lesson" not in shown(client, where)
