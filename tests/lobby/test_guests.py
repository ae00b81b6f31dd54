"""A stranger plays at once: a guest with a game against bots, who keeps it by signing up and is forgotten otherwise."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts import guests as accounts
from accounts.models import User
from accounts.names import is_reserved
from game import tasks
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.lobby import guests, lobby
from game.rulesets.registry import RULESETS
from game.store.game import Game, Seat
from game.store.log import LoggedAction, Notice
from game.store.moderation_models import Intervention
from tests.scenes import by_two, moderator, person, seen
from tests.servers import Mailbox
from tests.tables import READY, fresh, new_game, send

pytestmark = [pytest.mark.django_db]
# What is each reader's own on a page: names, addresses, tokens and times.
OWN = re.compile(r'Guest \d+|\w+@example.org|value="\w+"|"X-CSRFToken": "\w+"|data-now="[^"]+"|nonce="[^"]+"')
PASSWORD = "correct horse battery"


def play(client: Client, game: str = "", **more: Any) -> Game:
    """One click; the game that it leads to."""
    answer = client.post("/play/", {"game": game} if game else {}, **more)
    assert answer.status_code == 302
    assert re.fullmatch(r"/games/\d+/", answer["Location"])
    return Game.objects.on_the_clock().get(pk=answer["Location"].split("/")[2])


def guest_at(game: Game) -> User:
    guest = game.seats.get(number=0).user
    assert guest
    return guest


def sign_up(client: Client, name: str = "Grace", **more: Any) -> Any:
    return client.post(
        "/accounts/signup/", {"username": name, "email": f"{name.lower()}@example.org", "password1": PASSWORD, **more}
    )


def sign_in(client: Client, name: str) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": PASSWORD})


# --- one click


@pytest.mark.parametrize(("zone", "kept"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("", "UTC")])
@pytest.mark.parametrize("where", ["/play/", "/lessons/sectors/{lesson}/"])
def test_a_guest_reads_times_in_the_zone_of_their_browser(zone: str, kept: str, where: str) -> None:
    """The forms that create a guest send it; a zone that nobody knows leaves UTC, and pages say so."""
    client = Client()
    for page in ("/", "/lessons/"):
        forms = client.get(page).content.decode().split("<form")[1:]
        creating = [form for form in forms if 'action="/play/"' in form or 'action="/lessons/' in form]
        assert creating
        assert all('<input type="hidden" name="timezone" data-zone>' in form for form in creating)
        assert "js/zone" in client.get(page).content.decode()
    lesson = board_of("sectors").lessons[0].key
    answer = client.post(where.format(lesson=lesson), {"timezone": zone})
    guest = User.objects.get(is_guest=True)
    assert (guest.timezone, guest.zone_known) == (kept, kept != "UTC")
    assert answer.status_code == 302
    assert "data-zone" not in client.get(answer["Location"]).content.decode()


def test_one_click_seats_a_stranger_at_a_running_game_without_a_clock(client: Client) -> None:
    page = client.get("/").content.decode()
    assert 'action="/play/"' in page
    main = page[page.index("<main") :]
    assert main.index("Play now") < main.index("Sign up"), "to play comes first"
    game = play(client)
    guest = guest_at(game)
    assert re.fullmatch(r"Guest \d+", guest.username)
    assert (guest.is_guest, guest.email, guest.has_usable_password()) == (True, "", False)
    assert (game.ruleset, game.is_running, game.is_open, game.deadline_at) == ("sectors", True, False, None)
    assert game.options["max_turns"] == 8
    assert set(game.bots.values()) == {"house"}
    assert len(game.bots) == game.seats_wanted - 1
    board = client.get(game.get_absolute_url()).content.decode()
    notice = board[board.index(f"You are playing as {guest}") :].partition("</li>")[0]
    assert 'form="way-in"' in notice
    assert "Sign up and keep your games" in notice
    assert 'name="do" value="submit"' in board


def test_the_names_of_a_guest_and_of_the_game_are_in_the_language_of_the_page(client: Client) -> None:
    client.post("/language/", {"language": "de"})
    game = play(client)
    assert (game.name, re.sub(r"\d+", "7", guest_at(game).username)) == ("Sectors gegen Bots", "Gast 7")


def test_a35_guests_of_one_network_have_one_number_which_is_no_address(settings: Any) -> None:
    settings.SECRET_KEY = "with this key, the networks below have different numbers"
    here, beside, elsewhere = (
        guest_at(play(Client(REMOTE_ADDR=at), "power_up")).guest_network
        for at in ("2001:db8:1:2::3", "2001:db8:1:2::4", "192.0.2.77")
    )
    assert here == beside != elsewhere
    assert {here, elsewhere} <= {*range(accounts.NETWORK_NUMBERS)}


@pytest.mark.parametrize("key", RULESETS)
def test_each_game_of_the_site_can_be_played_at_once(key: str) -> None:
    client = Client()
    assert f'name="game" value="{key}"' in client.get("/").content.decode()
    game = play(client, key)
    assert (game.ruleset, game.is_running, game.deadline_at) == (key, True, None)


def test_no_cookie_but_the_session_and_the_forms_own(client: Client) -> None:
    play(client)
    assert set(client.cookies) <= {"sessionid", "csrftoken", "messages"}
    assert client.cookies["sessionid"]["max-age"] == timedelta(days=30).total_seconds()


def test_the_click_is_protected_against_other_sites() -> None:
    assert Client(enforce_csrf_checks=True).post("/play/").status_code == 403
    assert not User.objects.filter(is_guest=True).exists()


def test_an_address_typed_by_hand_leads_back_and_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/play/")["Location"] == "/"
    assert client.post("/play/", {"game": "chess"}).status_code == 404
    assert not User.objects.filter(is_guest=True).exists()


def test_a_guest_decides_and_the_game_goes_on(client: Client) -> None:
    game = play(client)
    send(game, 0, READY)
    assert fresh(game).version > game.version


def test_where_a_game_cannot_begin_no_guest_is_left(client: Client, settings: Any) -> None:
    settings.LIMITS = {"guest_games": 0}
    answer = client.post("/play/", follow=True)
    assert "the maximum" in answer.content.decode()
    assert not User.objects.filter(is_guest=True).exists()
    assert "sessionid" not in client.cookies or not answer.wsgi_request.user.is_authenticated


def test_somebody_with_an_account_plays_against_bots_at_once_too(client: Client) -> None:
    client.force_login(person("Ada"))
    game = play(client, "power_up")
    assert guest_at(game).username == "Ada"
    assert not User.objects.filter(is_guest=True).exists()
    assert "Play against bots" in client.get("/games/").content.decode()


# --- limits


@pytest.fixture
def limits(settings: Any) -> Iterator[None]:
    settings.LIMITED = True
    cache.clear()
    yield
    cache.clear()


@pytest.mark.usefixtures("limits")
def test_one_address_makes_ten_guests_and_is_then_asked_to_wait() -> None:
    for _ in range(10):
        play(Client(), "power_up", REMOTE_ADDR="192.0.2.1")
    answer = Client().post("/play/", REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300
    assert "is 10 in 5 minutes, and it has been reached." in answer.content.decode()
    assert "Try again in 5 minutes." in answer.content.decode()
    assert "An account does not have this limit." in answer.content.decode()
    assert User.objects.filter(is_guest=True).count() == 10
    play(Client(), "power_up", REMOTE_ADDR="198.51.100.7")


def test_a_guest_goes_on_with_the_game_they_have(client: Client) -> None:
    assert play(client).pk == play(client).pk
    assert play(client, "power_up").ruleset == "power_up"
    assert Game.objects.count() == 2
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_guest_has_two_games_at_once(client: Client, settings: Any) -> None:
    settings.LIMITS = {"guest_games": 1}
    play(client)
    page = client.post("/play/", {"game": "power_up"}, follow=True).content.decode()
    assert "You already host 1 unfinished games, the maximum. Finish one, or sign up and play more." in page
    assert Game.objects.count() == 1


def test_a_guest_neither_joins_people_nor_lets_them_in(client: Client) -> None:
    table = lobby.create_game(host=person("Ada"), name="People", seats=3)
    guest = guest_at(play(client))
    answer = client.post(f"{table.get_absolute_url()}join/")
    assert answer.status_code == 409
    assert "As a guest you play against bots only" in answer.content.decode()
    assert "Sign in to take a seat" in client.get(table.get_absolute_url()).content.decode()
    page = client.get("/games/").content.decode()
    assert "Sign up to join" in page
    assert f"{table.get_absolute_url()}join/" not in page
    for how in ({"is_open": True, "bots": 2}, {"is_open": False, "bots": 1}):
        with pytest.raises(Refused, match="bots only"):
            lobby.create_game(host=guest, name="Mine", seats=3, **how)  # type: ignore[arg-type]
    assert client.post("/games/new/", {"name": "Mine"})["Location"] == "/accounts/signup/"
    assert not table.seats.filter(user=guest).exists()


def test_an_invitation_asks_a_guest_to_come_in_first(client: Client) -> None:
    table = lobby.create_game(host=person("Ada"), name="People", seats=3, is_open=False)
    play(client)
    link = f"{table.get_absolute_url()}invite/{table.invitation.token}/"
    assert "Sign in to take a seat" in client.get(link).content.decode()
    answer = client.post(link)
    assert answer["Location"] == "/accounts/login/"
    assert client.get(answer["Location"]).status_code == 200
    assert table.seats.count() == 1


def test_a_moderator_gives_no_seat_to_a_guest(client: Client) -> None:
    guest, game = guest_at(play(client)), new_game("ada", "bob")
    with pytest.raises(Refused, match="No active account is called"):
        by_two(
            Intervention.HAND_SEAT_TO_USER,
            game_id=game.pk,
            seat_number=1,
            username=guest.username,
            moderator=moderator("Lena"),
            seen=seen(game),
            reason="They asked.",
        )


def test_nobody_else_sees_the_game_of_a_guest(client: Client) -> None:
    game = play(client)
    assert Client().get(game.get_absolute_url()).status_code == 404
    other = Client()
    other.force_login(person("Ada"))
    assert other.get(game.get_absolute_url()).status_code == 404
    assert "Sectors against bots" in client.get("/games/").content.decode()
    assert "Sectors against bots" not in other.get("/games/").content.decode()


@pytest.mark.parametrize("name", ["Guest", "Guest 4821", "guest_17", "GUEST4821", "Guest 1000000"])
def test_people_do_not_call_themselves_guests(name: str) -> None:
    assert is_reserved(name)
    assert not is_reserved("Guestbook Ada")


@pytest.mark.parametrize("page", ["email", "password/change", "password/set", "reauthenticate"])
def test_a_guest_has_no_password_and_no_address_to_change(client: Client, page: str) -> None:
    play(client)
    for answer in (client.get(f"/accounts/{page}/"), client.post(f"/accounts/{page}/", {"email": "x@example.org"})):
        assert (answer.status_code, answer["Location"]) == (302, "/accounts/signup/")
    assert not EmailAddress.objects.exists()


def test_a_guest_is_told_what_signing_out_means(client: Client) -> None:
    play(client)
    assert "you cannot come back to your games" in client.get("/accounts/logout/").content.decode()
    preferences = client.get("/accounts/preferences/").content.decode()
    assert "Sign up and keep your games" in preferences
    assert "/notifications/" not in preferences


# --- signing up and in


@pytest.fixture
def at_once(settings: Any) -> None:
    """Where no mail goes out, one is signed in without confirming an address."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"


@pytest.mark.usefixtures("at_once")
def test_signing_up_keeps_the_game(client: Client) -> None:
    game = play(client)
    send(game, 0, READY, user_id=guest_at(game).pk)
    guest, was = guest_at(game), fresh(game)
    page = client.get("/accounts/signup/").content.decode()
    assert f"Your games as {guest} are kept" in page
    answer = sign_up(client, next=game.get_absolute_url())
    assert answer["Location"] == game.get_absolute_url()
    grace, now = guest_at(game), fresh(game)
    assert (grace.username, grace.is_guest, grace.email) == ("Grace", False, "grace@example.org")
    assert (bytes(now.state), now.phase_serial, now.host) == (bytes(was.state), was.phase_serial, grace)
    assert not User.objects.filter(pk=guest.pk).exists()
    assert LoggedAction.objects.get(game=game, seat=0, kind="submit").user == grace
    board = client.get(game.get_absolute_url()).content.decode()
    assert "Grace" in board
    assert "yours now" in board
    lobby.create_game(host=grace, name="With people", seats=4)


def test_an_address_that_must_be_confirmed_does_so_in_any_browser(
    client: Client, settings: Any, mailbox: Mailbox
) -> None:
    """Until then the guest plays on; an address that has an account already is answered the same."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    game = play(client)
    guest = guest_at(game)
    answer = sign_up(client)
    assert answer.status_code == 302
    assert guest_at(game) == guest
    assert client.get(game.get_absolute_url()).status_code == 200
    assert f"go on as {guest}" in client.get(answer["Location"]).content.decode()
    EmailAddress.objects.filter(email="grace@example.org").update(verified=True)
    elsewhere = Client()
    assert sign_in(elsewhere, "Grace").status_code == 302
    assert guest_at(game).username == "Grace"
    assert elsewhere.get(game.get_absolute_url()).status_code == 200
    assert client.get(game.get_absolute_url()).status_code == 404, "the guest is gone"


def test_an_address_with_an_account_is_answered_as_any_other(client: Client, settings: Any, mailbox: Mailbox) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person("Grace")
    other = Client()
    games = play(client), play(other)
    known = sign_up(client, "Hopper", email="grace@example.org")
    fresh_one = sign_up(other, "Lovelace")
    assert (known.status_code, known["Location"]) == (fresh_one.status_code, fresh_one["Location"])
    assert [guest_at(game).is_guest for game in games] == [True, True]
    pages = [OWN.sub("", page.get(known["Location"]).content.decode()) for page in (client, other)]
    assert pages[0] == pages[1]


def test_signing_in_to_an_account_brings_the_guests_game_along(client: Client) -> None:
    ada, game = person("Ada"), play(client)
    page = client.get("/accounts/login/").content.decode()
    assert "are kept" in page
    assert sign_in(client, "Ada").status_code == 302
    assert guest_at(game) == ada
    assert not User.objects.filter(is_guest=True).exists()
    assert "yours now" in client.get("/games/").content.decode()


def test_a_wrong_password_leaves_the_guest_where_they_are(client: Client) -> None:
    person("Ada")
    game = play(client)
    client.post("/accounts/login/", {"login": "Ada", "password": "wrong"})
    assert client.get(game.get_absolute_url()).status_code == 200
    assert guest_at(game).is_guest


def test_nothing_that_points_to_a_guest_is_left_out_when_they_come_in() -> None:
    """Whoever adds something that belongs to a person decides what becomes of a guest's."""
    known = {
        "accounts.User.becomes", "accounts.SignInLink.user", "account.EmailAddress.user", "admin.LogEntry.user",
        "game.Game.host", "game.Seat.user", "game.LoggedAction.user", "game.Notice.user", "game.Removal.user",
        "game.ModeratorAction.user", "game.LearntLesson.user", "game.Tenure.user",
        "game.Notebook.user", "game.ReadMark.user",
        # Nobody acts on a guest, nor is one of the staff.
        "game.ApprovalRequest.person", "game.ApprovalRequest.asker", "game.ApprovalRequest.answered_by",
        "game.StandIn.owner", "game.StandIn.user",
        "game.Case.reporter", "game.Case.assignee", "game.CaseNote.person", "game.CaseNote.author",
        "game.Fingerprint.user", "game.Webhook.user", "game.Rating.user", "game.PushSubscription.user",
        "game.Sanction.user", "game.Sanction.by", "game.Sanction.confirmed_by", "game.Sanction.lifted_by",
        "game.KeptSanction.by", "accounts.RefusedAddress.user",
        "game.HouseholdLink.one", "game.HouseholdLink.two", "game.HouseholdLink.asked_by",
        # A guest neither writes nor is written to.
        "game.Invitee.user", "game.InvitationStop.user", "game.InvitationStop.host",
        "game.Message.author", "game.Mention.user", "game.Mute.user", "game.Mute.muted", "game.Report.reporter",
        "game.Report.author", "game.NotificationPreference.user", "game.Vacation.user",
        # What lets somebody in, and the answers to programs, goes with the guest.
        "accounts.ApiToken.user", "game.StoredResponse.user", "game.BotAccount.owner",
        "mfa.Authenticator.user", "usersessions.UserSession.user",
    }  # fmt: skip
    fields = [relation.remote_field for relation in User._meta.get_fields(include_hidden=True)
              if relation.auto_created and relation.one_to_many]  # fmt: skip
    assert {
        f"{field.model._meta.label}.{field.name}" for field in fields if not field.model._meta.auto_created
    } == known


# --- being forgotten


def away(guest: User, days: float) -> None:
    User.objects.filter(pk=guest.pk).update(seen_at=Now() - timedelta(days=days))


def test_a_guest_who_stays_away_for_thirty_days_is_removed_with_their_game(client: Client) -> None:
    game = play(client)
    guest, other = guest_at(game), guest_at(play(Client(), "power_up"))
    away(guest, 30.01)
    away(other, 29.9)
    tasks.remove_idle_guests()
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Game.objects.filter(pk=game.pk).exists()
    assert not LoggedAction.objects.filter(game_id=game.pk).exists()
    assert not Seat.objects.filter(game_id=game.pk).exists()
    assert not Notice.objects.filter(game_id=game.pk).exists()
    assert User.objects.filter(pk=other.pk).exists()
    assert client.get(game.get_absolute_url()).status_code == 404


def test_a_guest_who_comes_back_stays(client: Client) -> None:
    guest = guest_at(play(client))
    away(guest, 29)
    client.get("/games/")
    guest.refresh_from_db()
    assert guest.seen_at
    assert timezone.now() - guest.seen_at < timedelta(minutes=1)
    tasks.remove_idle_guests()
    assert User.objects.filter(pk=guest.pk).exists()


def test_a_visit_is_written_down_twice_a_day_at_most(client: Client, django_assert_num_queries: Any) -> None:
    play(client)
    client.get("/rules/sectors/")
    before = guest_seen = User.objects.get(is_guest=True).seen_at
    client.get("/rules/sectors/")
    assert User.objects.get(is_guest=True).seen_at == before == guest_seen


def test_people_and_their_games_are_never_removed(client: Client) -> None:
    game = new_game("ada", bots=2)
    User.objects.update(date_joined=Now() - timedelta(days=400), seen_at=Now() - timedelta(days=400))
    assert guests.remove_idle_guests() == 0
    assert Game.objects.filter(pk=game.pk).exists()


def test_sessions_that_have_ended_are_removed_too(client: Client) -> None:
    play(client)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    tasks.remove_idle_guests()
    assert not Session.objects.exists()


def test_names_are_found_where_short_ones_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([5, 5, 5, 7])
    monkeypatch.setattr("accounts.guests.secrets.randbelow", lambda below: next(drawn))
    first, second = accounts.new_guest(), accounts.new_guest()
    assert first.username == "Guest 1005"
    assert second.username != first.username


# --- the moderation desk


def test_the_desk_shows_guests_and_their_games_apart() -> None:
    game = play(Client())
    guest, people = guest_at(game), new_game("ada", bots=1)
    client = Client()
    client.force_login(moderator("Lena"))
    of_guests = client.get("/admin/accounts/guest/").content.decode()
    assert guest.username in of_guests
    assert ">ada<" not in of_guests
    lena = User.objects.get(username="Lena")
    lena.is_superuser = True
    lena.save()
    assert guest.username not in client.get("/admin/accounts/user/").content.decode()
    ours, theirs = (client.get(f"/admin/game/game/{query}").content.decode() for query in ("", "?of=guests"))
    assert (f"/game/{people.pk}/" in ours, f"/game/{game.pk}/" in ours) == (True, False)
    assert (f"/game/{people.pk}/" in theirs, f"/game/{game.pk}/" in theirs) == (False, True)
