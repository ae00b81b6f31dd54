"""The pages of people: what anybody may know, and nothing that is private."""

from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import guests
from accounts.models import User
from game.deadlines.reliability_model import weight_of
from game.people.profiles import PAGE, Record, profile_context
from game.rulesets.registry import RULESETS
from game.store.game import Game, Keeper, Seat, Status
from game.store.seat_models import Tenure
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db]
OPTIONS = {key: msgspec.to_builtins(rules.parse_options({})) for key, rules in RULESETS.items()}


def played(name: str, *places: str, ruleset: str = "sectors", **fields: Any) -> Game:
    """A finished game: the names by place, the first of them the winner."""
    status = {"status": Status.FINISHED, "finished_at": Now(), "is_open": True} | fields
    game = Game.objects.create(
        name=name, ruleset=ruleset, seats_wanted=len(places), options=OPTIONS[ruleset], started_at=Now(), **status
    )
    for number, who in enumerate(places):
        Seat.objects.create(game=game, number=number, user=person(who), place=number + 1, score=900 - number)
    return game


def shown(reader: str, name: str, status: int = 200) -> str:
    client = Client()
    if reader:
        client.force_login(person(reader))
    answer = client.get(f"/people/{quote(name)}/")
    assert answer.status_code == status
    return answer.content.decode()


def known(name: str, reader: str = "") -> dict[str, Any]:
    return profile_context(person=person(name), reader=person(reader) if reader else None, page=1)


def test_results_are_counted_for_each_game() -> None:
    played("First", "ada", "bob")
    played("Second", "bob", "ada", "cid")
    played("Third", "ada", "bob", pace="live")
    played("Toys", "bob", "ada", ruleset="toy")
    played("Running", "ada", "bob", status=Status.RUNNING, finished_at=None)
    Seat.objects.filter(game__name="Third", number=1).update(user=None, bot="house", name="Abacus")
    result = known("ada")
    assert result["records"] == [Record("Sectors", 3, 2, "2 × 1st, 1 × 2nd"), Record("Toy", 1, 0, "1 × 2nd")]
    assert (result["finished_count"], result["paces"]) == (4, [("daily", 4), ("none", 1)])
    page = shown("", "ada")
    assert "against bob, cid" in page
    assert "against Abacus" in page
    assert "Games without a clock" in page
    assert "<td>1st of 2</td>" in page
    assert "4 finished games" in page
    assert "Playing now" in page


def test_games_by_invitation_are_for_those_who_sit_there() -> None:
    played("Among friends", "ada", "bob", is_open=False)
    played("Still running", "ada", "bob", is_open=False, status=Status.RUNNING, finished_at=None)
    for stranger in ("", "cid"):
        assert "Among friends" not in shown(stranger, "ada")
        assert "Still running" not in shown(stranger, "ada")
        assert (known("ada", stranger)["records"], known("ada", stranger)["paces"]) == ([], []), "not even counted"
    for friend in ("ada", "bob"):
        assert "Among friends" in shown(friend, "ada")
        assert "by invitation" in shown(friend, "ada")


def test_who_resigned_from_a_game_by_invitation_is_a_stranger_there() -> None:
    game = played("Among friends", "ada", "bob", is_open=False, status=Status.RUNNING, finished_at=None)
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.RESIGNED)
    assert "Among friends" not in shown("bob", "ada")
    assert "Among friends" not in shown("bob", "bob")


def test_lessons_and_games_of_guests_are_not_shown() -> None:
    played("A lesson", "ada", lesson="first")
    assert "A lesson" not in shown("bob", "ada")
    guest = guests.new_guest()
    page = shown("bob", guest.username)
    assert '<span class="tag">Guest</span>' in page
    assert "No open games yet." in page


def test_nothing_private_of_a_person_is_on_the_page() -> None:
    User.objects.filter(pk=person("ada").pk).update(
        email="ada@example.org", timezone="Asia/Kathmandu", last_login="2026-03-04T05:06:07Z"
    )
    played("First", "ada", "bob")
    for reader in ("", "bob"):
        page = shown(reader, "ada")
        assert not [told for told in ("ada@example.org", "Kathmandu", "2026-03-04", "Mar 2026") if told in page]
        assert "/accounts/preferences/" not in page.split('id="main"')[1].split("</main>")[0]
    assert "/accounts/preferences/" in shown("ada", "ada").split('id="main"')[1].split("</main>")[0]


def test_closed_accounts_and_unknown_names_have_no_page() -> None:
    played("First", "ada", "bob")
    User.objects.filter(pk=person("ada").pk).update(is_active=False)
    assert "ada" not in shown("bob", "ada", 404).split("<main")[1]
    shown("bob", "nobody here", 404)
    shown("bob", "x" * 500, 404)


def test_a_page_has_one_address_in_any_case() -> None:
    person("Ada Quill")
    assert Client().get("/people/ada quill/")["Location"] == "/people/Ada%20Quill/"
    assert "<h1>Ada Quill</h1>" in shown("", "Ada Quill")


def test_reliability_counts_what_was_the_person_s_to_decide() -> None:
    game, secret = played("First", "ada", "bob"), played("Secret", "ada", "bob", is_open=False)
    assert known("ada")["attendance"] is None
    today = weight_of(timezone.now().date())
    fresh = {"made_weight": 197 * today, "missed_weight": 3 * today}
    Tenure.objects.create(game=game, number=0, user=person("ada"), decisions=197, missed=3, excused=40, **fresh)
    Tenure.objects.create(game=secret, number=0, user=person("ada"), decisions=1, missed=99, missed_weight=99 * today)
    attendance = known("ada")["attendance"]
    assert (attendance.made, attendance.decisions, attendance.percent) == (197, 200, 98), "(197 + 9) of (200 + 10)"
    assert "197 of 200" in shown("", "ada")
    assert known("ada", "bob")["attendance"].decisions == 200, "games by invitation count for nobody's"


def test_finished_games_have_pages() -> None:
    for number in range(PAGE + 1):
        played(f"Game {number:02}", "ada", "bob")
    first = shown("", "ada")
    assert "Game 20" in first
    assert "Game 00" not in first
    assert 'rel="next" href="?page=2"' in first
    second = Client().get("/people/ada/", {"page": 2}).content.decode()
    assert "Game 00" in second
    assert "Page 2 of 2" in second
    for nonsense in ("0", "x", "99", "9" * 30):
        assert Client().get("/people/ada/", {"page": nonsense}).status_code == 200


def test_a_page_costs_the_same_for_any_number_of_games() -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get("/people/ada/")
        return len(asked)

    client = Client()
    client.force_login(person("bob"))
    played("First", "ada", "bob")
    few = cost()
    for number in range(15):
        played(f"Game {number}", "ada", "cid")
    assert cost() == few <= 11


def test_names_on_boards_and_lists_lead_to_their_pages(client: Client) -> None:
    game = new_game("ada", "bob", bots=1)
    client.force_login(person("ada"))
    board = client.get(game.get_absolute_url()).content.decode()
    assert '<a class="person" href="/people/bob/">bob</a>' in board
    assert '<a class="person" href="/people/ada/">You</a>' in board
    bot = game.seats.get(number=2)
    assert f"/people/{bot.name}/" not in board
    assert '<a class="me" href="/people/ada/">' in board
    guest = guests.new_guest()
    client.force_login(guest)
    assert '<a class="me" href="/accounts/preferences/">' in client.get("/games/").content.decode()
