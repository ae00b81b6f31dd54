"""Several people at one device: a cover lies between their seats, each request is read as the seat that this browser
holds, and everybody in the game can see who plays there."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from game.boards.registry import BOARDS
from game.bots import playing as bots
from game.engine.actions import Refused
from game.live import access
from game.lobby import lobby, rematch
from game.outbox import notices
from game.people import account_closure
from game.play import attendance, devices, drafts
from game.seats import takeover
from game.store.eyes import own_among
from game.store.game import Game, Status
from game.store.log import Notice
from game.store.pending import pending_decisions_of
from tests.api.clients import Program
from tests.scenes import run_out
from tests.tables import READY, at_phase, fresh, person, send, shortest

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
LONG, MANY = ("big_shoulders", "power_up"), 20
"""Games of which so many steps are enough: what an end is to a device does not depend on the game."""
SENT = {"name": "At ours", "seats": "3", "bots": "1", "preset": "standard", "pace": "daily", "game": "sectors"}


def browser(name: str = "kim") -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def begun(*companions: str, ruleset: str = "sectors", bots: int = 1, guests: tuple[str, ...] = (), **more: Any) -> Game:
    """A game of Kim with these people at the device, these guests elsewhere and bots."""
    seats = 1 + len(companions) + bots + len(guests)
    fields: dict[str, Any] = {"pace": "daily", "bots": bots, "ruleset": ruleset, "is_open": False} | more
    host = person("kim")
    game = lobby.create_game(host=host, name="At ours", seats=seats, companions=companions, **fields)
    for name in guests:
        lobby.join_game(game_id=game.pk, user=person(name), token=game.invitation.token)
    return fresh(lobby.start_game(game_id=game.pk, user=host))


def hold(client: Client, game: Game, seat: int) -> Client:
    assert client.post(f"/games/{game.pk}/device/hold/", {"seat": str(seat)}).status_code == 302
    return client


def board(client: Client, game: Game) -> str:
    return client.get(f"/games/{game.pk}/").content.decode()


def in_hand(game: Game) -> int:
    """The seat that the account is on."""
    return game.seats.get(user=game.host).number


def steps_by_the_clock(game: Game) -> Iterator[Game]:
    """To the end: bots act, for people the clock runs out, and who is taken for absent comes back."""
    while (now := fresh(game)).status in {Status.RUNNING, Status.PAUSED}:
        for seat in now.seats.filter(keeper="away"):
            if seat.device:
                devices.lift(game_id=game.pk, user=person("kim"), number=seat.number)
            attendance.reclaim_seat(game_id=game.pk, user=person("kim" if seat.device else "eve"))
            devices.put_down(game_id=game.pk, user=person("kim"))
        if not bots.play_bots(game_id=game.pk):
            run_out(fresh(game))
        if fresh(game).is_running:
            yield fresh(game)


def ready(client: Client, game: Game, seat: int, for_seat: str | None = None, **headers: str) -> Any:
    form = {"do": "ready", "serial": str(fresh(game).phase_serial), "token": f"{seat}.{fresh(game).entries}"}
    form["for_seat"] = str(seat) if for_seat is None else for_seat
    return client.post(f"/games/{game.pk}/actions/", form, headers=headers)


def test_a_host_names_who_plays_at_the_device_and_everybody_is_told() -> None:
    client = browser()
    answer = client.post("/games/new/", SENT | {"companions": "Ada, Bo", "seats": "4", "bots": "0", "is_open": "on"})
    game = Game.objects.get(pk=int(answer["Location"].split("/")[2]))
    assert [seat.shown_name for seat in game.seats.all()] == ["kim", "Ada (kim)", "Bo (kim)"]
    assert (game.device_seats, game.is_rated) == (3, False)
    for name, path in (("eve", "/games/?show=open"), ("eve", f"/games/{game.pk}/"), ("kim", f"/games/{game.pk}/")):
        assert "3 seats at one device" in browser(name).get(path).content.decode(), path
    link = game.invitation.token
    assert (
        "3 of the seats are played at one device"
        in browser("eve").get(f"/games/{game.pk}/invite/{link}/").content.decode()
    )
    lobby.join_game(game_id=game.pk, user=person("eve"))
    lobby.start_game(game_id=game.pk, user=person("kim"))
    assert "kim, Ada and Bo play at one device." in board(browser("eve"), game)


@pytest.mark.parametrize(
    ("companions", "seats", "bots", "code"),
    [
        (["Ada", "ada"], 4, 0, "name_taken"),
        (["Kim"], 3, 0, "name_taken"),
        (["Ada (Eve)"], 3, 0, "wrong_name"),
        (["A" * 17], 3, 0, "wrong_name"),
        (["Ada", "Bo"], 3, 1, "no_room"),
    ],
)
def test_names_at_a_device_are_few_short_and_different(companions: list[str], seats: int, bots: int, code: str) -> None:
    with pytest.raises(Refused) as refused:
        lobby.create_game(host=person("kim"), name="", seats=seats, bots=bots, companions=companions)
    assert refused.value.code == code


def test_it_is_never_rated() -> None:
    with pytest.raises(Refused, match="never rated"):
        lobby.create_game(host=person("kim"), name="", seats=3, companions=["Ada"], is_rated=True)
    game = lobby.create_game(host=person("kim"), name="", seats=3, companions=["Ada"])
    with pytest.raises(Refused, match="never rated"):
        lobby.change_game(game_id=game.pk, user=person("kim"), is_rated=True)


def test_people_at_one_device_alone_with_bots_need_no_clock() -> None:
    game = begun("Ada", pace="none")
    assert (game.is_solo, game.deadline_at) == (True, None)
    assert not begun("Ada", guests=("eve",)).is_solo


def test_a_cover_lies_on_the_board_until_somebody_says_who_looks() -> None:
    client, game = browser(), begun("Ada")
    page = board(client, game)
    assert "Hand the device to kim" in page
    assert "I am Ada: show my board" in page
    assert 'id="board"' not in page
    assert client.get(f"/games/{game.pk}/history/").status_code == 302
    assert client.get(f"/games/{game.pk}/export/log.csv").status_code == 302
    followed = client.get(f"/games/{game.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "I am Ada: show my board" in followed, "an open page follows by itself"
    assert f'data-version="{fresh(game).version}.0"' in followed
    assert client.get(f"/games/{game.pk}/chat/", headers={"HX-Request": "true"})["HX-Redirect"]
    hold(client, game, 0)
    assert 'id="board"' in board(client, game)
    assert "Hand the device over" in board(client, game)
    assert client.get(f"/games/{game.pk}/")["Cache-Control"] == "private, no-store"


def test_after_a_decision_the_device_goes_to_the_next_seat_that_has_to_decide() -> None:
    client, game = browser(), at_phase(begun("Ada"), "stock_orders")
    hold(client, game, 0)
    answer = ready(client, game, 0)
    assert (answer.status_code, in_hand(game)) == (302, 1)
    assert "Hand the device to Ada" in board(client, game)
    assert [each.game_id for each in pending_decisions_of(person("kim").pk)] == [game.pk]
    hold(client, game, 1)
    assert ready(client, game, 1).status_code == 302
    assert 'id="board"' in board(client, game), "nobody else at the device has to decide"
    assert fresh(game).seat_states[:2] == ["ready", "ready"]


def test_a_form_of_one_seat_is_refused_for_another_and_says_why() -> None:
    client, game = browser(), at_phase(begun("Ada"), "stock_orders")
    hold(client, game, 0)
    assert 'name="for_seat" value="0"' in board(client, game)
    hold(client, game, 1)
    for stale in ("0", "", "x"):
        answer = ready(client, game, 1, for_seat=stale)
        assert answer.status_code == 409
        assert "This form was made for another seat at this device" in answer.content.decode()
    draft = {"serial": str(game.phase_serial), "for_seat": "0"}
    answer = client.post(f"/games/{game.pk}/drafts/", draft, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (409, f"/games/{game.pk}/")
    assert fresh(game).seat_states[:2] == ["untouched", "untouched"]
    client.post(f"/games/{game.pk}/device/cover/")
    answer = ready(client, game, 1)
    assert answer.status_code == 409
    assert "No board is open at this device now" in answer.content.decode()


def test_another_browser_of_the_account_sees_the_cover_and_can_take_the_device() -> None:
    one, other, game = browser(), browser(), begun("Ada")
    hold(one, game, 0)
    assert 'id="board"' not in board(other, game)
    hold(other, game, 1)
    assert 'id="board"' in board(other, game)
    assert 'id="board"' not in board(one, game)
    assert ready(one, game, 0).status_code == 409
    answer = one.post(f"/games/{game.pk}/device/hold/", {"seat": "7"}, follow=True)
    assert "This seat is not at your device." in answer.content.decode()
    assert 'id="board"' not in answer.content.decode()
    assert browser("eve").post(f"/games/{game.pk}/device/hold/", {"seat": "1"}).status_code == 404


def test_what_one_seat_withdrew_or_drafted_is_not_in_the_form_of_the_next() -> None:
    client, game = browser(), at_phase(begun("Ada"), "stock_orders")
    hold(client, game, 0)
    company = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": company, "side": "buy", "location": "ipo", "quantity": 7}
    drafts.save_draft(seat=game.seats.get(number=0), serial=game.phase_serial, requests=[order])
    session = client.session
    session["withdrawn"] = {"game": game.pk, "serial": game.phase_serial, "fields": {"quantity": ["7"]}}
    session.save()
    hold(client, game, 1)
    assert "withdrawn" not in client.session
    assert "Your draft" not in board(client, game)


def test_sockets_listen_as_the_seat_that_their_browser_holds() -> None:
    one, other, game = browser(), browser(), begun("Ada")

    def listens(client: Client) -> int | None:
        welcome = access.admissions([access.AccessRequest(client.session.session_key or "", game.pk)])[0]
        return welcome and welcome.seat

    assert (listens(one), listens(other)) == (None, None)
    hold(one, game, 1)
    assert (listens(one), listens(other)) == (1, None)


def test_programs_read_it_as_strangers_and_do_nothing_in_it() -> None:
    game = begun("Ada", is_open=True)
    hold(browser(), game, 0)
    program = Program("kim")
    assert program.get(f"games/{game.pk}/position").json() == Program().get(f"games/{game.pk}/position").json()
    answer = program.get(f"games/{game.pk}/draft")
    assert answer.status_code == 403, answer.content
    assert program.post(f"games/{game.pk}/resign", {}).status_code == 403
    assert not game.seats.exclude(keeper="").exists()


def test_mail_goes_once_to_the_account_and_tells_no_seat_s_secrets(mailoutbox: list[Any]) -> None:
    game = at_phase(begun("Ada", guests=("eve",)), "stock_orders")
    Notice.objects.all().delete()
    notices.write_notices()
    mine = Notice.objects.filter(user__username="kim", serial=game.phase_serial, kind="turn", channel="mail")
    assert mine.values_list("seat__number").distinct().count() == 1


@pytest.mark.parametrize("ruleset", BOARDS)
def test_in_every_game_the_account_is_on_a_seat_that_must_decide(settings: Any, ruleset: str) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = begun("Ada", ruleset=ruleset, guests=("eve",), options=shortest(ruleset))
    hands = set()
    for number, now in enumerate(steps_by_the_clock(game)):
        own = list(now.seats.exclude(device=""))
        assert len([seat for seat in own if seat.user_id]) == 1
        undecided = {seat.number for seat in own if now.seat_states[seat.number] == "untouched" and not seat.keeper}
        hands.add(in_hand(now))
        assert not undecided or in_hand(now) in undecided
        assert own_among(now, own, now.host_id) is None, "nobody has lifted a cover"
        if ruleset in LONG and number > MANY and hands == {0, 1}:
            return
    assert hands == {0, 1}
    assert fresh(game).status == Status.FINISHED
    assert in_hand(game) == 0, "the result of the account is that of its own seat"
    assert 'id="board"' in board(browser(), game)


def test_who_resigns_leaves_the_device_to_the_others() -> None:
    client, game = browser(), begun("Ada", guests=("eve",))
    hold(client, game, 0)
    assert 'name="for_seat" value="0"' in client.get(f"/games/{game.pk}/seat/resign/").content.decode()
    assert client.post(f"/games/{game.pk}/seat/resign/", {"for_seat": "1"}).status_code == 409
    assert client.post(f"/games/{game.pk}/seat/resign/", {"for_seat": "0"}).status_code == 302
    now = fresh(game)
    assert (now.device_seats, in_hand(now), now.keepers) == (1, 1, {"0": "resigned"})
    takeover.take_seat(game_id=game.pk, user=person("fred"), number=0, token=game.invitation.token)
    assert [seat.shown_name for seat in now.seats.all()][:2] == ["fred", "Ada (kim)"]
    hold(client, game, 1)
    assert 'id="board"' in board(client, game)
    answer = client.post(f"/games/{game.pk}/device/hold/", {"seat": "0"}, follow=True)
    assert "This seat is not at your device." in answer.content.decode()


def test_a_closed_account_leaves_every_seat_at_its_device() -> None:
    game = begun("Ada", guests=("eve",))
    account_closure.give_up_seat(game.pk, person("kim"), None)
    now = fresh(game)
    assert now.keepers == {"0": "resigned", "1": "resigned"}
    assert (now.device_seats, [seat.user_id for seat in now.seats.all()][:2]) == (0, [None, None])


def test_a_rematch_of_the_host_keeps_who_plays_at_the_device(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = begun("Ada", options=shortest("sectors"))
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, deadline_at=None)
    devices.settle(Game.objects.locked().get(pk=game.pk))
    after = rematch.rematch(game_id=game.pk, user=person("kim"))
    assert [seat.shown_name for seat in after.seats.all()][:2] == ["kim", "Ada (kim)"]
    assert (fresh(after).device_seats, fresh(after).status) == (2, Status.RUNNING)


def test_a_host_takes_a_name_back_before_the_start() -> None:
    game = lobby.create_game(host=person("kim"), name="", seats=4, companions=["Ada", "Bo"])
    lobby.remove_seat(game_id=game.pk, user=person("kim"), number=1)
    assert [seat.shown_name for seat in game.seats.all()] == ["kim", "Bo (kim)"]
    assert fresh(game).device_seats == 2
    lobby.remove_seat(game_id=game.pk, user=person("kim"), number=1)
    assert (fresh(game).device_seats, game.seats.get().device, game.seats.get().shown_name) == (0, "", "kim")


def test_what_others_at_the_device_would_read_is_not_offered() -> None:
    client, game = browser(), begun("Ada")
    hold(client, game, 0)
    assert client.get(f"/games/{game.pk}/copy/").status_code == 404
    assert client.get(f"/games/{game.pk}/notes/").status_code == 404


def test_a_word_of_another_time_holds_nothing() -> None:
    game = begun("Ada")
    word = devices.lift(game_id=game.pk, user=person("kim"), number=0)
    assert devices.is_held(fresh(game), {"holds": {str(game.pk): word}})
    devices.put_down(game_id=game.pk, user=person("kim"))
    assert not devices.is_held(fresh(game), {"holds": {str(game.pk): word}})
    assert not devices.is_held(fresh(game), {"holds": {str(game.pk): ""}})
    send(game, in_hand(game), READY)
