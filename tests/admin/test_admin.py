"""The moderation desk: read-only, nothing sealed on any page, and every verb behind a reason."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import User, WaitingMail
from game.admin.verbs import VERBS
from game.bots import playing
from game.lobby import lobby
from game.moderation import cases
from game.play import failures
from game.store.board_rows import Company, Order
from game.store.case_models import Case
from game.store.game import Game, Seat, Status
from game.store.log import LoggedAction
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.seat_models import Tenure
from tests.moderation.test_moderation import _an_order, to_stock_orders
from tests.scenes import by_two, close_by_two, confirm_last, moderator, person, run_out, seen, table
from tests.tables import fresh, send, without_chance

pytestmark = [pytest.mark.django_db]
CANARY = 43117
WHY = "the post was away"


@pytest.fixture
def lena() -> User:
    return moderator("Lena")


@pytest.fixture
def desk(client: Client, lena: User) -> Client:
    client.force_login(lena)
    return client


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"), bots=2)


def desk_of(game: Game) -> str:
    return reverse("admin:game_game_change", args=[game.pk])


def ask(desk: Client, game: Game, key: str, **fields: Any) -> Any:
    values = {"reason": WHY, **seen(game)._asdict(), **fields}
    return desk.post(reverse("admin:moderate", args=[game.pk, key]), values, follow=True)


def addresses(game: Game) -> Iterator[str]:
    """Every admin page there is about this game."""
    yield reverse("admin:index")
    yield reverse("admin:app_list", args=["game"])
    for model in admin.site._registry:
        if model._meta.app_label not in {"game", "accounts"}:
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        for pk in model._default_manager.values_list("pk", flat=True)[:40]:
            yield reverse(f"{name}_change", args=[pk])
            yield reverse(f"{name}_history", args=[pk])
    for key in VERBS:
        yield reverse("admin:moderate", args=[game.pk, key])


def test_a19_no_admin_page_shows_what_is_sealed(client: Client, game: Game) -> None:
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    to_stock_orders(game)
    Game.objects.filter(pk=game.pk).update(secret=f"{CANARY}" + "ab" * 28, fixed_sum=b"")
    send(game, 0, _an_order(fresh(game), 0))
    send(game, 1, _an_order(fresh(game), 1))
    at = fresh(game)
    entry = LoggedAction.objects.filter(game=game, seat=0, kind="submit").order_by("-number")[0]
    columns = [
        "field-fingerprint",
        "column-fingerprint",
        "snapshot",
    ]  # the log's words may speak of the fingerprint of the draws
    secrets = [
        at.secret,
        str(CANARY),
        entry.fingerprint,
        bytes(at.state).hex()[:40],
        str(bytes(at.state))[2:30],
        *columns,
    ]
    seen = 0
    for address in addresses(game):
        response = client.get(address)
        assert response.status_code in {200, 302}, address
        words = response.content.decode()
        assert not [secret for secret in secrets if secret and secret in words], address
        seen += response.status_code == 200
    assert seen > 60


def test_ordinary_staff_see_the_desk_and_others_do_not(client: Client, desk: Client, game: Game) -> None:
    assert desk.get(desk_of(game)).status_code == 200
    stranger = Client()
    stranger.force_login(User.objects.get(username="Ada"))
    for address in (desk_of(game), reverse("admin:moderate", args=[game.pk, "pause"])):
        assert stranger.get(address).status_code == 302
        assert stranger.post(address, {"reason": WHY}).status_code == 302
    assert fresh(game).is_running


@pytest.mark.parametrize(
    "query", ["secret__startswith=a", "state__contains=a", "inputs__isnull=1", "seats__version=3", "q=%00"]
)
def test_columns_cannot_be_guessed_by_filters(desk: Client, game: Game, query: str) -> None:
    response = desk.get(f"{reverse('admin:game_game_changelist')}?{query}")
    assert response.status_code in {302, 400} or query.startswith("q="), "a filter that nobody offered is refused"


@pytest.mark.parametrize(
    "query", ["fingerprint__startswith=a", "action__contains=a", "events__contains=a", "game__secret__startswith=a"]
)
def test_the_log_cannot_be_searched_for_what_it_hides(desk: Client, game: Game, query: str) -> None:
    assert desk.get(f"{reverse('admin:game_loggedaction_changelist')}?{query}").status_code in {302, 400}


def test_what_a_sealed_order_says_changes_no_page(client: Client, game: Game) -> None:
    """The strongest form of secrecy: two positions that differ in what is sealed give the same pages, byte by byte."""
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    to_stock_orders(game)
    order = _an_order(fresh(game), 0)
    others = [key for key in Company.objects.filter(game=game).values_list("key", flat=True) if key != order["company"]]
    send(game, 0, order)
    pages = list(addresses(game))
    before = [without_chance(client.get(page).content.decode()) for page in pages]
    send(game, 0, order | {"company": others[0]})
    assert fresh(game).load_position() != game.load_position()
    after = [without_chance(client.get(page).content.decode()) for page in pages]
    assert [page for page, was, now in zip(pages, before, after, strict=True) if was != now] == []


def test_nothing_can_be_added_changed_or_deleted(client: Client, game: Game) -> None:
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    for model in (Game, Seat, Order, Company, LoggedAction, ModeratorAction):
        name = f"admin:game_{model._meta.model_name}"
        assert client.get(reverse(f"{name}_add")).status_code == 403
    assert client.post(reverse("admin:game_game_delete", args=[game.pk]), {"post": "yes"}).status_code == 403
    seat = game.seats.first()
    assert seat
    assert client.post(reverse("admin:game_seat_change", args=[seat.pk]), {"number": 7}).status_code == 403


def test_the_list_is_filtered_and_searched(desk: Client, game: Game) -> None:
    address = reverse("admin:game_game_changelist")
    assert game.name in desk.get(f"{address}?status__exact=running&q=Tuesday").content.decode()
    assert game.name not in desk.get(f"{address}?status__exact=held").content.decode()
    assert game.name in desk.get(f"{address}?q=Ben").content.decode()
    orders = reverse("admin:game_order_changelist")
    assert desk.get(f"{orders}?game__id__exact={game.pk}").status_code == 200


def test_every_button_does_what_it_says(desk: Client, game: Game, lena: User) -> None:
    deadline = fresh(game).deadline_at
    assert "Done" in ask(desk, game, "extend", minutes=60).content.decode()
    assert fresh(game).deadline_at > deadline  # type: ignore[operator]
    ask(desk, game, "pause")
    assert fresh(game).status == Status.PAUSED
    ask(desk, game, "resume")
    ask(desk, game, "hold")
    assert fresh(game).status == Status.HELD
    Game.objects.filter(pk=game.pk).update(inputs=bytes(game.state))
    ask(desk, game, "restore")
    assert fresh(game).load_position() == game.load_position()
    ask(desk, game, "retry")
    ask(desk, game, "resolve")
    assert fresh(game).phase_serial > game.phase_serial
    Tenure.objects.filter(game=game, number=1).update(missed=1)
    ask(desk, game, "correct", account="cash:1", amount=5)
    ask(desk, game, "excuse", seat_number=1)
    assert Tenure.objects.get(game=game, number=1).excused == 1
    ask(desk, game, "proxy", seat_number=1, username=person("Emil").username, days=7)
    confirm_last(game)
    assert game.seats.get(number=1).shown_name == "Emil"
    ask(desk, game, "end-proxy", seat_number=1)
    assert game.seats.get(number=1).shown_name == "Ben"
    ask(desk, game, "to-bot", seat_number=1)
    assert game.seats.get(number=1).bot
    person("Carla")
    ask(desk, game, "to-user", seat_number=2, username="Carla")
    confirm_last(game)
    assert game.seats.get(number=2).shown_name == "Carla"
    ask(desk, game, "rewind", number=1)
    confirm_last(game)
    assert fresh(game).branch == 1
    waiting = lobby.create_game(host=person("Dora"), name="Spam", seats=4)
    ask(desk, waiting, "remove")
    assert fresh(waiting).status == Status.ABANDONED
    assert ModeratorAction.objects.filter(user=lena, reason=WHY, verb__in=Intervention).count() == len(VERBS) - 1
    assert "Put today" not in desk.get(reverse("admin:rerun", args=[game.pk])).content.decode(), "nothing differs here"
    page = desk.get(desk_of(game)).content.decode()
    assert "Moderator Lena excused a missed decision of Ben: the post was away" in page


def test_the_desk_names_a_moment_by_its_phase_and_counts_no_sealed_submissions(desk: Client, game: Game) -> None:
    for points in range(9):
        send(game, 0, {"kind": "bid_influence", "points": points})
    run_out(game)
    later = fresh(game)
    form = desk.get(reverse("admin:moderate", args=[game.pk, "rewind"])).content.decode()
    assert re.findall(r'<option value="(\d+)"', form) == [str(later.phase_serial), str(game.phase_serial)]
    ask(desk, game, "rewind", number=later.phase_serial)
    confirm_last(game)
    assert (fresh(game).branch, fresh(game).phase_name) == (1, later.phase_name)


@pytest.mark.parametrize(
    ("key", "fields", "words"),
    [
        ("pause", {"reason": " "}, "This field is required"),
        ("extend", {"minutes": "-3"}, "greater than or equal to 1"),
        ("extend", {"minutes": "soon"}, "Enter a whole number"),
        ("resume", {}, "not possible while the game is running"),
        ("to-bot", {"seat_number": "99"}, "Select a valid choice"),
        ("to-user", {"seat_number": "1", "username": "Nobody"}, "No active account is called"),
        ("to-user", {"seat_number": "1", "username": "Ada"}, "already plays in this game"),
        ("rewind", {"number": "777"}, "Select a valid choice"),
    ],
)
def test_refusals_are_told_on_the_page(desk: Client, game: Game, key: str, fields: dict[str, str], words: str) -> None:
    response = ask(desk, game, key, **fields)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not ModeratorAction.objects.exists()


def test_unknown_games_and_verbs_are_not_found(desk: Client, game: Game) -> None:
    for address in (
        f"/admin/game/game/{game.pk}/explode/",
        "/admin/game/game/99999/pause/",
        "/admin/game/game/abc/change/",
        "/admin/game/game/²/change/",
    ):
        assert desk.get(address).status_code == 404
    assert desk.post(f"/admin/game/game/{10**30}/pause/", {"reason": WHY}).status_code == 404


def test_a_held_game_says_why_and_can_be_tried_again(desk: Client, game: Game) -> None:
    failures.hold(game=Game.objects.locked().get(pk=game.pk), reason="ZeroDivisionError: a rule without a bottom")
    page = desk.get(desk_of(game)).content.decode()
    assert "a rule without a bottom" in page
    assert "Try again" in page
    assert "a rule without a bottom" in desk.get(reverse("admin:game_game_changelist")).content.decode()


def test_a_game_that_waits_and_one_that_is_over_have_desks(desk: Client, game: Game, settings: Any) -> None:
    waiting = lobby.create_game(host=person("Dora"), name="Later", seats=4)
    assert "Remove this game" in desk.get(desk_of(waiting)).content.decode()
    Game.objects.filter(pk=waiting.pk).update(status=Status.ABANDONED)
    assert "There is nothing you can do" in desk.get(desk_of(waiting)).content.decode()
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, deadline_at=None)
    assert "Rewind" in desk.get(desk_of(game)).content.decode()


def test_an_account_is_closed_from_its_page(client: Client, game: Game) -> None:
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    ben = User.objects.get(username="Ben")
    page = reverse("admin:close_account", args=[ben.pk])
    assert page in client.get(reverse("admin:accounts_user_change", args=[ben.pk])).content.decode()
    assert game.name in client.get(page).content.decode()
    assert client.post(page, {"reason": ""}).status_code == 422
    assert client.post(page, {"reason": "threats"}).status_code == 302
    ben.refresh_from_db()
    assert ben.is_active, "nobody closes an account alone"
    confirm = reverse("admin:second", args=[ApprovalRequest.objects.get().pk, "confirm"])
    assert client.post(confirm).status_code == 422
    client.force_login(person("Second", is_staff=True, is_superuser=True))
    assert client.post(confirm).status_code == 302
    ben.refresh_from_db()
    assert not ben.is_active
    assert client.post(page, {"reason": "again"}).status_code == 422
    assert ModeratorAction.objects.filter(verb="close_account").count() == 1


def test_whose_account_is_closed_reads_why_and_appeals_without_signing_in(client: Client, game: Game) -> None:
    ben = User.objects.get(username="Ben")
    close_by_two(user_id=ben.pk, moderator=moderator("Lena"), reason="threats in chat")
    letter = WaitingMail.objects.get(recipient="ben@example.org").text
    assert "threats in chat" in letter
    address = re.search(r"http://testserver(/moderation/closed/\S+)", letter)
    assert address is not None
    assert client.get(address[1][:-3] + "x/").status_code == 404
    assert "threats in chat" in client.get(address[1]).content.decode()
    assert client.post(address[1], {"words": "It was my brother."}).status_code == 302
    assert client.post(address[1], {"words": "Again."}).status_code == 422, "once"
    case = Case.objects.get(source="appeal")
    cases.close(case_id=case.pk, moderator=moderator("Max"), reason="believable", outcome="lifted")
    assert User.objects.get(pk=ben.pk).is_active
    assert WaitingMail.objects.filter(recipient="ben@example.org").count() == 2


def test_an_account_is_never_deleted(client: Client) -> None:
    """Its seats need somebody to play on: it is closed, with a reason."""
    client.force_login(User.objects.create_superuser("Root", "root@example.org", "a long password"))
    ada = person("Ada")
    assert client.post(reverse("admin:accounts_user_delete", args=[ada.pk]), {"post": "yes"}).status_code == 403
    answer = client.get(reverse("admin:accounts_user_changelist"))
    assert "delete_selected" not in answer.content.decode()
    assert User.objects.filter(pk=ada.pk).exists()


def test_a_moderator_cannot_act_where_they_play(desk: Client, game: Game, lena: User) -> None:
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=moderator("Max"),
        seen=seen(game),
        reason=WHY,
        seat_number=1,
        username="Lena",
    )
    response = ask(desk, game, "pause")
    assert response.status_code == 422
    assert "Ask another moderator" in response.content.decode()


def test_names_are_escaped(desk: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(name="<script>alert(1)</script>")
    ask(desk, game, "pause", reason="<img src=x onerror=alert(1)>")
    page = desk.get(desk_of(game)).content.decode()
    assert "<script>alert(1)" not in page
    assert "<img src=x" not in page


def test_pages_hold_under_the_strict_policy(desk: Client, game: Game) -> None:
    playing.play_bots(game_id=game.pk)
    run_out(game)
    for address in (desk_of(game), reverse("admin:moderate", args=[game.pk, "rewind"])):
        response = desk.get(address)
        assert "style-src 'self'" in response["Content-Security-Policy"]
        assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", response.content.decode())
        assert " style=" not in response.content.decode()


def test_companies_are_listed_by_shared_columns_and_their_page_shows_the_rest(desk: Client, game: Game) -> None:
    company = Company.objects.filter(game=game).first()
    assert company
    address = reverse("admin:game_company_changelist")
    assert f">{company.name}<" in desk.get(f"{address}?group={company.group}&status={company.status}").content.decode()
    assert f">{company.name}<" not in desk.get(f"{address}?group=nowhere").content.decode()
    assert desk.get(f"{address}?details__tier=growth").status_code in {302, 400}
    page = desk.get(reverse("admin:game_company_change", args=[company.pk])).content.decode()
    assert f"<div>ipo price: {company.details['ipo_price']}</div>" in page


def test_what_is_sealed_in_an_order_is_not_on_its_page(desk: Client, game: Game) -> None:
    order = Order.objects.create(
        game=game, number=9000, seat=0, company="ACME", turn=1, status="pending", details={"paid": None}
    )
    page = desk.get(reverse("admin:game_order_change", args=[order.pk])).content.decode()
    assert "<div>paid: sealed or none</div>" in page
