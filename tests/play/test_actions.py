"""What a seat sends by plain forms and by htmx: decisions, readiness, drafts, and everything that is refused."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.lobby import lobby
from game.play.drafts import save_draft
from game.store.game import Game, Pace
from game.store.log import Draft, LoggedAction
from tests.pages.panels import Controls
from tests.tables import fresh

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def ada() -> User:
    return User.objects.create(username="Ada")


@pytest.fixture
def game(ada: User) -> Game:
    """A game of three persons at the influence bid."""
    made = lobby.create_game(host=ada, name="A table", seats=3, pace=Pace.DAILY, bots=0, is_open=True)
    for name in ("Bob", "Cid"):
        lobby.join_game(game_id=made.pk, user=User.objects.create(username=name))
    if not Game.objects.get(pk=made.pk).has_position:
        lobby.start_game(game_id=made.pk, user=ada)
    return Game.objects.get(pk=made.pk)


@pytest.fixture
def page(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def form_of(client: Client, game: Game) -> dict[str, Any]:
    """What a browser would send of the page's form, untouched."""
    return dict(Controls(client.get(f"/games/{game.pk}/").content.decode()).sent)


def send(client: Client, game: Game, do: str = "submit", **values: Any) -> Any:
    htmx = values.pop("htmx", False)
    return client.post(
        f"/games/{game.pk}/actions/", {**form_of(client, game), "do": do, **values}, **(HTMX if htmx else {})
    )


def state_of(game: Game) -> str:
    return str(Game.objects.get(pk=game.pk).seat_states[0])


def test_a_plain_form_is_submitted_and_answered_with_the_board(page: Client, game: Game) -> None:
    answer = send(page, game, points="31")
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.pk}/")
    html = page.get(answer["Location"]).content.decode()
    assert "Submitted. You can change it until the phase closes." in html
    assert "bid 31" in html
    assert state_of(game) == "submitted"


def test_a_script_gets_the_dock(page: Client, game: Game) -> None:
    answer = send(page, game, points="31", htmx=True)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert {"withdraw", "ready"} <= set(Controls(answer.content.decode()).buttons)


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(
    "points", ["", "1.5", "NaN", "abc", "-1", "51", "1000000000", "9" * 400, "１２", "1e3", "0x10"]
)
def test_a_bad_number_is_refused_where_it_stands(page: Client, game: Game, points: str, htmx: bool) -> None:
    answer = send(page, game, points=points, htmx=htmx)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "The bid" in html
    assert "from 0 to 50" in html
    assert 'id="refusal"' in html
    assert 'aria-invalid="true"' in html
    assert state_of(game) == "untouched"


def test_readiness_is_given_and_taken_back(page: Client, game: Game, ada: User) -> None:
    send(page, game, points="10", ready="on")
    assert state_of(game) == "ready"
    ada.refresh_from_db()
    assert not ada.stays_ready, "what is ticked once is no wish for every later phase"
    send(page, game, "unready")
    assert state_of(game) == "submitted"
    send(page, game, "ready")
    assert state_of(game) == "ready"


def test_only_the_preferences_say_whether_ready_comes_ticked(page: Client, game: Game, ada: User) -> None:
    """Neither ticking nor unticking it in a game changes that, nor does a page from before an update."""
    assert "ready" not in form_of(page, game)
    User.objects.filter(pk=ada.pk).update(stays_ready=True)
    form = form_of(page, game)
    assert form.pop("ready")
    for more in ({}, {"asks_ready": "1"}):
        values = {**form, "points": "10", "token": more.get("asks_ready", "0"), **more}
        assert page.post(f"/games/{game.pk}/actions/", values).status_code == 302
        ada.refresh_from_db()
        assert ada.stays_ready


def test_a_mark_that_the_page_ticked_by_itself_is_not_remembered(page: Client, game: Game, ada: User) -> None:
    """Who alone is waited for finds “ready” ticked, without scripts too; that is no wish for every later phase."""
    for name in ("Bob", "Cid"):
        other = Client()
        other.force_login(User.objects.get(username=name))
        send(other, game, "pass", ready="on")
    html = page.get(f"/games/{game.pk}/").content.decode()
    assert "Everyone else is ready: submit as ready to close the phase." in html
    opened = fresh(game).phase_serial
    form = Controls(html).sent
    assert "ready" in form
    assert page.post(f"/games/{game.pk}/actions/", {**form, "do": "submit"}).status_code == 302
    assert fresh(game).phase_serial > opened
    ada.refresh_from_db()
    assert not ada.stays_ready


def test_a_pass_and_a_withdrawal(page: Client, game: Game) -> None:
    send(page, game, "pass")
    assert state_of(game) == "submitted"
    send(page, game, "withdraw")
    assert state_of(game) == "untouched"
    assert send(page, game, "withdraw").status_code == 422, "there is nothing left to withdraw"


@pytest.mark.parametrize("htmx", [False, True])
def test_a_withdrawal_leaves_the_values_in_the_form(page: Client, game: Game, htmx: bool) -> None:
    """They count no more, but nobody has to find them again; a form for another phase or game begins afresh."""
    send(page, game, points="31")
    answer = send(page, game, "withdraw", htmx=htmx)
    assert state_of(game) == "untouched"
    html = (answer if htmx else page.get(answer["Location"])).content.decode()
    assert "Withdrawn. You have nothing submitted." in html
    assert form_of(page, game)["points"] == ["31"]
    assert Controls(page.get(f"/games/{game.pk}/", HTTP_HX_REQUEST="true").content.decode()).sent["points"] == ["31"]
    assert not Draft.objects.exists(), "a draft would be submitted at the deadline"
    send(page, game, points="12")
    assert form_of(page, game)["points"] == ["12"]
    send(page, game, "withdraw")
    other = lobby.create_game(host=User.objects.get(username="Ada"), name="Another", seats=2, bots=1)
    lobby.start_game(game_id=other.pk, user=User.objects.get(username="Ada"))
    assert form_of(page, other)["points"] == ["40"]


def test_the_last_one_ready_closes_the_phase(page: Client, game: Game) -> None:
    old = form_of(page, game)
    for name in ("Bob", "Cid"):
        other = Client()
        other.force_login(User.objects.get(username=name))
        send(other, game, "pass", ready="on")
    assert "That closed the phase before this one." in send(page, game, ready="on", htmx=True).content.decode()
    late = page.post(f"/games/{game.pk}/actions/", {**old, "token": "another", "do": "submit"})
    assert late.status_code == 422
    assert "That phase has closed" in late.content.decode()


def test_a_form_sent_twice_counts_once(page: Client, game: Game) -> None:
    sent = {**form_of(page, game), "do": "submit", "points": "7"}
    for _ in range(2):
        assert page.post(f"/games/{game.pk}/actions/", sent).status_code == 302
    assert LoggedAction.objects.filter(game=game, seat=0).count() == 1


def test_a_draft_is_kept_and_the_answer_shows_what_follows(page: Client, game: Game) -> None:
    answer = page.post(f"/games/{game.pk}/drafts/", {**form_of(page, game), "touched": "yes", "points": "20"}, **HTMX)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "50 − 20 = 30" in html
    assert "Draft saved" in html
    assert Draft.objects.get().content == [{"kind": "bid_influence", "points": 20}]
    assert "your draft is submitted" in page.get(f"/games/{game.pk}/").content.decode()
    assert state_of(game) == "untouched"


def test_a_draft_that_cannot_be_read_is_shown_and_not_kept(page: Client, game: Game) -> None:
    save_draft(
        seat=game.seats.get(number=0), serial=game.phase_serial, requests=[{"kind": "bid_influence", "points": 3}]
    )
    answer = page.post(f"/games/{game.pk}/drafts/", {**form_of(page, game), "points": "1.5"}, **HTMX)
    assert answer.status_code == 422
    assert "not “1.5”" in answer.content.decode()
    assert Draft.objects.get().content == [{"kind": "bid_influence", "points": 3}]


def test_without_scripts_a_draft_is_a_button(page: Client, game: Game) -> None:
    answer = page.post(f"/games/{game.pk}/drafts/", {**form_of(page, game), "points": "20"})
    assert answer.status_code == 302
    assert form_of(page, game)["points"] == ["20"]


def test_submitting_forgets_the_draft(page: Client, game: Game) -> None:
    page.post(f"/games/{game.pk}/drafts/", {**form_of(page, game), "points": "20"})
    send(page, game)
    assert not Draft.objects.exists()
    assert form_of(page, game)["points"] == ["20"], "the form shows what was submitted"


def test_a_draft_that_arrives_after_its_own_form_was_submitted_is_dropped(page: Client, game: Game) -> None:
    """The browser gives the draft up, but the server may have it in hand already."""
    form = {**form_of(page, game), "touched": "yes"}
    page.post(f"/games/{game.pk}/actions/", {**form, "points": "31", "do": "submit"}, **HTMX)
    assert page.post(f"/games/{game.pk}/drafts/", {**form, "points": "3"}, **HTMX).status_code == 200
    assert not Draft.objects.exists()
    assert form_of(page, game)["points"] == ["31"]
    page.post(f"/games/{game.pk}/drafts/", {**form_of(page, game), "touched": "yes", "points": "32"}, **HTMX)
    assert form_of(page, game)["points"] == ["32"], "a change of what was submitted is a draft again"


@pytest.mark.parametrize(
    "values", [{"do": "dance"}, {"serial": "x"}, {"serial": ""}, {"serial": "9" * 30}, {"serial": "4000"}]
)
def test_a_form_that_does_not_fit_is_refused(page: Client, game: Game, values: dict[str, str]) -> None:
    answer = page.post(f"/games/{game.pk}/actions/", {**form_of(page, game), "do": "submit", **values})
    assert answer.status_code == 422
    assert state_of(game) == "untouched"


@pytest.mark.parametrize("address", ["actions", "drafts"])
def test_strangers_send_nothing(client: Client, game: Game, address: str) -> None:
    url = f"/games/{game.pk}/{address}/"
    assert client.post(url).status_code == 302
    client.force_login(User.objects.create(username="Dan"))
    assert client.post(url, {"serial": game.phase_serial, "points": "3"}).status_code == 403
    assert client.get(url).status_code == 405
    assert client.post("/games/999999/actions/").status_code == 404
