"""What the pages before a game say: the form's menus, the waiting room's words, and refusals with their status."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.boards.registry import board_of
from game.boards.sectors.rulebook import SECTORS_RULEBOOK
from game.engine.actions import Refused
from game.lobby import lobby
from game.lobby.create_page import create_context
from game.lobby.forms import CreateGameForm
from game.lobby.lobby_page import lobby_context
from game.lobby.waiting_room import option_facts
from game.play import drafts
from game.store.game import Game, Status
from tests.scenes import play_on
from tests.tables import everything, fresh, new_game, person, send

pytestmark = pytest.mark.django_db
SENT = {"pace": "demo", "name": "Mine", "seats": "3", "bots": "0", "preset": "standard"}


def signed_in(client: Client, name: str = "ada") -> Client:
    client.force_login(person(name))
    return client


def test_who_has_played_is_not_told_that_there_is_no_game_yet(client: Client) -> None:
    assert "No game yet" in signed_in(client).get("/games/").content.decode()
    Game.objects.filter(pk=new_game("ada", bots=1).pk).update(status=Status.FINISHED, deadline_at=None)
    answer_text = client.get("/games/").content.decode()
    assert "No game yet" not in answer_text
    assert "No game under way" in answer_text
    assert "Read how to play" not in answer_text


def test_every_option_leads_to_its_rule(client: Client) -> None:
    html = signed_in(client).get("/games/new/").content.decode()
    for rule in (words.rule for words in board_of("sectors").options.words.values()):
        assert f'/rules/sectors/#{SECTORS_RULEBOOK.anchor_of(rule)}"' in html, rule


def created(client: Client, **more: str) -> Game:
    assert client.post("/games/new/", SENT | more).status_code == 302
    return Game.objects.latest("pk")


def summary(**sent: str) -> dict[str, str]:
    """What the page says the form means, as it is opened or with these values."""
    effect = create_context(CreateGameForm("sectors", SENT | sent if sent else None))["effect"]
    return dict(effect["rows"])


@pytest.mark.parametrize(
    ("pace", "asked", "passes"), [("demo", "", 2), ("live", "", 5), ("demo", "1", 1), ("live", "20", 20)]
)
def test_the_order_passes_are_chosen_or_follow_the_pace(client: Client, pace: str, asked: str, passes: int) -> None:
    assert created(signed_in(client), pace=pace, max_sub_rounds=asked).options["max_sub_rounds"] == passes
    assert summary(pace=pace, max_sub_rounds=asked)["Maximum sub-rounds per stock round"] == str(passes)


LONG_OF_EIGHT = {"preset": "long", "max_turns": "8", "bank": "20000"}


@pytest.mark.parametrize(
    ("sent", "turns", "bank"),
    [({"preset": "standard"}, 11, 7500), ({"preset": "long"}, 15, 12000), (LONG_OF_EIGHT, 8, 20000)],
)
def test_a_length_never_overrides_what_was_chosen(client: Client, sent: dict[str, str], turns: int, bank: int) -> None:
    options = created(signed_in(client), **sent).options
    assert (options["max_turns"], options["bank"]) == (turns, bank)
    result = summary(**sent)
    assert (result["Maximum turns"], result["Bank"]) == (str(turns), f"{bank:,}")


def test_the_opened_form_and_its_summary_agree(client: Client) -> None:
    form = CreateGameForm("sectors")
    assert [form[name].value() for name in ("preset", "max_turns", "bank", "max_sub_rounds")] == [
        "tuned_standard",
        "",
        "",
        "",
    ]
    assert (summary()["Maximum turns"], summary()["Maximum sub-rounds per stock round"]) == ("11", "3")
    page = signed_in(client).get("/games/new/").content.decode()
    assert '<option value="" selected>Set by the length</option>' in page
    assert '<option value="" selected>Set by the pace</option>' in page
    assert "Live games use 5, quick ones 2, all others 3." in page


def test_both_editions_have_words(client: Client) -> None:
    page = signed_in(client).get("/games/new/").content.decode()
    assert '<option value="2" selected>Second edition</option>' in page
    assert '<option value="1">First edition</option>' in page
    assert summary(edition="1")["Edition"] == "First edition"


def test_the_waiting_room_says_its_rules_in_words(client: Client) -> None:
    game = created(signed_in(client), distribution="bid", edition="2")
    facts = {fact.label: fact.value for fact in option_facts(game)}
    assert (facts["Edition"], facts["Orders fill by"]) == ("Second edition", "highest bid")
    assert (facts["Maximum shares per short"], facts["Bank"]) == ("no limit", "7,500")


def test_those_who_sit_there_can_send_the_address_on(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://sectors.example"
    where = created(signed_in(client), is_open="on").get_absolute_url()
    assert f'value="https://sectors.example{where}"' in client.get(where).content.decode()
    assert "https://sectors.example" not in signed_in(Client(), "bob").get(where).content.decode()


@pytest.mark.parametrize("bots", [3, 7, -1])
def test_more_bots_than_seats_are_refused(client: Client, bots: int) -> None:
    with pytest.raises(Refused, match=f"With 3 seats you can add up to 2 bots; you chose {bots}"):
        lobby.create_game(host=person("ada"), name="", seats=3, bots=bots)
    answer = signed_in(client).post("/games/new/", SENT | {"bots": str(bots)})
    assert answer.status_code == 422
    assert not Game.objects.exists()


@pytest.mark.parametrize("move", ["join", "leave", "bots", "bots/fill", "start", "seats/1/remove"])
def test_a_table_that_has_begun_refuses_what_belongs_before_it(client: Client, move: str) -> None:
    game = new_game("ada", "bob", bots=1)
    before = everything(game)
    answer = signed_in(client).post(f"/games/{game.pk}/{move}/")
    assert answer.status_code == 409
    assert "This game has already started." in answer.content.decode()
    assert everything(game) == before


def test_a_full_table_refuses_with_its_number(client: Client) -> None:
    game = lobby.create_game(host=person("ada"), name="Full", seats=3, bots=2)
    answer = signed_in(client, "bob").post(f"/games/{game.pk}/join/")
    assert (answer.status_code, "All 3 seats of this game are taken." in answer.content.decode()) == (409, True)
    answer = client.post(f"/games/{game.pk}/leave/")
    assert (answer.status_code, fresh(game).status) == (409, Status.WAITING)


def test_moves_at_no_table_are_not_found(client: Client) -> None:
    assert signed_in(client).post("/games/999/join/").status_code == 404


def test_the_lobby_tells_what_counts_as_the_board_does(client: Client) -> None:
    game, bid = new_game("ada", "bob", pace="daily"), {"kind": "bid_influence", "points": 7}
    page = signed_in(client)

    def shown() -> tuple[int, int, str]:
        """How many games need the reader, how many wait to be reviewed, and what counts in the one there is."""
        context = lobby_context(user=person("ada"))
        entry = (context["needs_you"] or context["to_review"])[0]
        assert entry.deadline_text in page.get("/games/").content.decode()
        return len(context["needs_you"]), len(context["to_review"]), entry.deadline_text

    assert shown() == (1, 0, f"If you do nothing, {game.phase and game.phase.default}.")
    drafts.save_draft(seat=game.seats.get(number=0), serial=game.phase_serial, requests=[bid])
    assert shown() == (1, 0, "If you do nothing, your draft is submitted.")
    send(game, 0, bid)
    assert shown() == (0, 1, "Submitted; it counts at the deadline.")
    lobby_page = page.get("/games/").content.decode()
    assert "No decisions to make" in lobby_page
    assert "Review<" in lobby_page
    assert "Decide<" not in lobby_page
    send(game, 0, {"kind": "ready"})
    assert not lobby_context(user=person("ada"))["to_review"]


def test_the_lobby_names_what_counts_as_each_game_does(client: Client) -> None:
    toy = play_on(new_game("ada", bots=1, ruleset="toy"))
    signed_in(client)
    assert '<th class="opt" scope="col">Score</th>' in client.get("/games/").content.decode()
    Game.objects.filter(pk=new_game("ada", bots=1).pk).update(status=Status.FINISHED, deadline_at=None)
    answer_text = client.get("/games/").content.decode()
    assert '<th class="opt" scope="col">Score or net worth</th>' in answer_text
    assert f'<td class="opt">{toy.seats.get(number=0).score}</td>' in answer_text


def test_every_page_answers_a_head_request(client: Client) -> None:
    """Previews of links and watchdogs ask for the head alone."""
    running, waiting = new_game("ada", "bob"), created(signed_in(client))
    tables = [f"/games/{running.pk}/", f"/games/{running.pk}/version/", f"/games/{waiting.pk}/"]
    for where in (*tables, "/", "/games/", "/games/new/", "/rules/", "/rules/sectors/", "/accounts/preferences/"):
        answer = client.head(where)
        assert (answer.status_code, answer.content) == (200, b""), where
    assert Client().head("/").status_code == 200


def test_the_lobby_asks_in_the_sentence_of_the_mail(client: Client) -> None:
    game = new_game("ada", "bob")
    page = signed_in(client)
    for phase, prompt in (
        ("influence_bid", "Bid influence points for player priority."),
        ("stock_orders", "Place one stock order, or pass."),
        ("company_vote", "Choose what a company of yours does."),
    ):
        row = next(row.index for row in game.rules.flow(game.read_options()).rows if row.phase.name == phase)
        Game.objects.filter(pk=game.pk).update(phase_row=row, phase_name=phase, seat_states=["untouched", "untouched"])
        assert f'<p class="game-ask">{prompt}</p>' in page.get("/games/").content.decode()


def test_the_next_game_is_one_link_away(client: Client) -> None:
    """Round the games that wait for the reader, by deadline; one that is submitted or another's is passed over."""
    first, second, third, done = (new_game("ada", "bob", pace="daily") for _ in range(4))
    new_game("bob", "cid", pace="daily")
    for days, game in enumerate((first, second, third, done), 1):
        Game.objects.filter(pk=game.pk).update(deadline_at=timezone.now() + timedelta(days=days))
    send(done, 0, {"kind": "bid_influence", "points": 7})
    page = signed_in(client)
    assert f'href="/games/next/?after={first.pk}"' in page.get(f"/games/{first.pk}/").content.decode()
    for after, where in (
        (0, first),
        (first.pk, second),
        (second.pk, third),
        (third.pk, first),
        (done.pk, first),
        ("x", first),
    ):
        assert page.get("/games/next/", {"after": after})["Location"] == where.get_absolute_url()
    assert Client().get("/games/next/").status_code == 302


def test_where_no_other_game_waits_the_lobby_says_so(client: Client) -> None:
    game, page = new_game("ada", "bob"), signed_in(client)
    answer = page.get("/games/next/", {"after": game.pk}, follow=True)
    assert answer.redirect_chain == [("/games/", 302)]
    assert "No other game needs you." in answer.content.decode()


@pytest.mark.parametrize("query", ["", "?show=open", "?show=running"])
def test_the_version_of_a_list_changes_with_what_it_shows(client: Client, query: str) -> None:
    address = f"/games/version/{query}"
    game = new_game("ada", "bob", pace="daily")
    before = signed_in(client).get(address).json()
    assert client.get(address).json() == before
    lobby.create_game(host=person("bob"), name="Tonight", seats=2)
    send(game, 0, {"kind": "bid_influence", "points": 5})
    assert client.get(address).json() != before


def test_a_list_that_there_is_not_has_no_version(client: Client) -> None:
    answer = signed_in(client).get("/games/version/?show=sideways")
    assert answer.status_code == 404
    assert "There is no list “sideways”" in answer.json()["detail"]
