"""Whatever is posted to a game: an answer of 4xx with a sentence, nothing changed, no 500."""

import gzip
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from game.store.game import Game
from game.store.log import Draft
from tests.api.clients import Program
from tests.tables import at_phase, everybody_ready, everything, fresh, new_game, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return at_phase(new_game("ada", "bob"), "stock_orders")


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(person("ada"))
    return client


def order(game: Game, **changes: Any) -> dict[str, Any]:
    ticker = next(iter(game.load_position().state.companies))
    asked = {"do": "submit", "serial": game.phase_serial, "token": "t", "kind": "market_order"}
    return {**asked, "company": ticker, "side": "buy", "location": "ipo", "quantity": "2", **changes}


def post(client: Client, game: Game, values: dict[str, Any], where: str = "actions") -> Any:
    return client.post(f"/games/{game.pk}/{where}/", values)


def test_the_order_itself_is_a_good_one(ada: Client, game: Game) -> None:
    assert post(ada, game, order(game)).status_code in {200, 302}
    assert fresh(game).entries == game.entries + 1


BAD: dict[str, dict[str, Any]] = {
    "an unknown company": {"company": "NOPE"},
    "no company": {"company": ""},
    "markup for a company": {"company": "<script>alert(1)</script>"},
    "quantity 0": {"quantity": "0"},
    "quantity -1": {"quantity": "-1"},
    "quantity 10**9": {"quantity": "1000000000"},
    "quantity of 5000 digits": {"quantity": "9" * 5000},
    "quantity 1.5": {"quantity": "1.5"},
    "quantity NaN": {"quantity": "NaN"},
    "quantity in Arabic digits": {"quantity": "٣٣٣٣٣٣٣٣٣"},
    "quantity missing": {"quantity": ""},
    "a zero byte": {"quantity": "1\x00"},
    "an unknown side": {"side": "steal"},
    "an unknown kind": {"kind": "gift"},
    "an unknown button": {"do": "drop tables"},
    "an old phase": {"serial": "1"},
    "a phase to come": {"serial": "999"},
    "no phase": {"serial": ""},
    "a phase that is no number": {"serial": "NaN"},
    "a superscript phase": {"serial": "²"},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a7_a_bad_form_is_answered_with_its_reason(ada: Client, game: Game, change: dict[str, Any]) -> None:
    before = everything(game)
    answer = post(ada, game, order(game, **change))
    assert answer.status_code == 422
    assert "say--no" in answer.content.decode()
    assert "<script>alert(1)" not in answer.content.decode()
    assert everything(game) == before


@pytest.mark.parametrize(
    "extra",
    [{"actor": "1"}, {"seat": "1"}, {"cash": "9"}, {"quantity": ["1", "2"]}, {"token": "a\x00b"}, {"company": "A\x00"}],
)
def test_what_the_form_does_not_hold_is_refused_by_name(ada: Client, game: Game, extra: dict[str, object]) -> None:
    before = everything(game)
    answer = post(ada, game, order(game, **extra))
    assert answer.status_code == 422
    assert next(iter(extra)) in answer.content.decode()
    assert everything(game) == before


@pytest.mark.parametrize("extra", [{"company": "A\x00"}, {"seat": "1"}, {"company": "NOPE"}])
def test_a_draft_that_could_not_run_is_refused_and_the_valid_one_stays(
    ada: Client, game: Game, extra: dict[str, str]
) -> None:
    """Absence: the last saved valid draft runs at the deadline."""
    draft = {**order(game), "touched": "yes"}
    assert ada.post(f"/games/{game.pk}/drafts/", draft, headers={"HX-Request": "true"}).status_code == 200
    rows = Draft.objects.get().content
    answer = ada.post(f"/games/{game.pk}/drafts/", {**draft, **extra}, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert Draft.objects.get().content == rows


def test_looking_at_another_kind_of_order_saves_no_draft(ada: Client, game: Game) -> None:
    ada.post(f"/games/{game.pk}/drafts/", {**order(game), "touched": ""}, headers={"HX-Request": "true"})
    assert not Draft.objects.exists()


def test_a_repeated_submission_counts_once(ada: Client, game: Game) -> None:
    post(ada, game, order(game))
    before = everything(game)
    assert post(ada, game, order(game)).status_code < 500
    assert everything(game) == before


def test_a_token_does_not_carry_a_second_order(ada: Client, game: Game) -> None:
    post(ada, game, order(game))
    before = everything(game)
    assert post(ada, game, order(game, quantity="1")).status_code == 422
    assert everything(game) == before


@pytest.mark.parametrize("where", ["actions", "drafts"])
def test_only_those_who_sit_there_may_send(client: Client, game: Game, where: str) -> None:
    before = everything(game)
    assert post(client, game, order(game), where).status_code in {302, 403}
    client.force_login(person("eve"))
    assert post(client, game, order(game), where).status_code == 403
    assert everything(game) == before


@pytest.mark.parametrize("number", [2**63, 10**30])
@pytest.mark.parametrize(
    "where",
    ["", "version/", "actions/", "drafts/", "join/", "leave/", "start/", "bots/", "bots/fill/", "seats/0/remove/"],
)
def test_a_number_no_game_can_have_is_not_found(ada: Client, number: int, where: str) -> None:
    address = f"/games/{number}/{where}"
    answer = ada.get(address) if where in {"", "version/"} else ada.post(address, {"serial": "1"})
    assert answer.status_code == 404


def test_a_seat_number_that_no_table_has(ada: Client, game: Game) -> None:
    assert ada.post(f"/games/{game.pk}/seats/{10**30}/remove/").status_code == 409


@pytest.mark.parametrize("charset", ["utf-16", "rot13", "base64", "utf-99"])
def test_a_form_in_a_strange_encoding_is_answered_plainly(game: Game, charset: str) -> None:
    """With the check of the form's token, which the test client leaves out by default."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("ada"))
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    answer = strict.generic("POST", f"/games/{game.pk}/actions/", b"a=b", content_type=kind)
    assert answer.status_code in {400, 403}
    assert "Sectors" in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "status"), [({"points": "1" * 300_000}, 413), ({f"f{number}": "1" for number in range(5000)}, 400)]
)
def test_a_form_that_is_far_too_large_is_answered_plainly(
    ada: Client, game: Game, fields: dict[str, str], status: int
) -> None:
    before = everything(game)
    answer = ada.post(f"/games/{game.pk}/actions/", urlencode(fields), content_type="application/x-www-form-urlencoded")
    assert answer.status_code == status
    assert "nothing was changed" in answer.content.decode().lower()
    assert everything(game) == before


def test_a24_a_body_that_is_packed_is_unpacked_nowhere(ada: Client, game: Game) -> None:
    """A kilobyte that would be a megabyte, as a form and as a program's request: it is no form, and no JSON."""
    before, bomb = everything(game), gzip.compress(b"[" * 1_000_000)
    assert len(bomb) < 2_000
    form = "application/x-www-form-urlencoded"
    answer = ada.generic("POST", f"/games/{game.pk}/actions/", bomb, content_type=form, HTTP_CONTENT_ENCODING="gzip")
    assert answer.status_code in {400, 422}
    program = Program("ada")
    response = program.client.generic(
        "POST", f"/api/v1/games/{game.pk}/moves", bomb, content_type="application/json", HTTP_CONTENT_ENCODING="gzip",
        headers=program.headers,
    )  # fmt: skip
    assert response.status_code in {400, 415, 422}
    assert everything(game) == before


@pytest.mark.parametrize("where", ["/accounts/login/", "/theme/", "/accounts/preferences/", "/games/new/"])
def test_a29_a_file_is_refused_wherever_it_is_sent(ada: Client, where: str) -> None:
    answer = ada.post(where, {"theme": "dark", "file": BytesIO(b"x" * 1000)})
    assert answer.status_code == 413


@pytest.mark.parametrize("where", ["actions", "drafts"])
def test_a_game_that_is_not_there(ada: Client, game: Game, where: str) -> None:
    assert ada.post(f"/games/{game.pk + 999}/{where}/", order(game)).status_code == 404
    assert ada.get(f"/games/{game.pk}/{where}/").status_code == 405


def test_a_form_that_lost_its_phase_meanwhile(ada: Client, game: Game) -> None:
    values = order(game)
    after = everybody_ready(game)
    before = everything(after)
    answer = post(ada, after, values)
    assert answer.status_code == 422
    assert "has closed" in answer.content.decode()
    assert everything(after) == before


def test_a_game_that_is_held_takes_nothing(ada: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status="held", deadline_at=None)
    answer = post(ada, game, order(game))
    assert answer.status_code == 422
    assert "on hold" in answer.content.decode()


@pytest.mark.parametrize("before", ["x", "-1", "99999999999999999999", "²"])
def test_a_strange_page_of_the_log_is_the_first(ada: Client, game: Game, before: str) -> None:
    assert ada.get(f"/games/{game.pk}/", {"before": before}).status_code == 200
