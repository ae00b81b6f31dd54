"""Desk, point 5: money put right, and a corrected resolution put in place; both on record, and a replay comes to the
same position."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.engine.actions import Refused
from game.engine.ruleset import Money
from game.history import draws
from game.history.explanations import explanation_of
from game.history.ledger import movements_of
from game.history.past import course_of
from game.history.viewer import viewer_of
from game.moderation import approvals, repairs, rewind, sanctions, seat_acts
from game.people import two_people
from game.rulesets.registry import RULESETS
from game.store import replay
from game.store.game import Game, Status
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.packing import pack_snapshot
from tests.scenes import by_two, confirm_last, moderator, person, play_on, run_out, seen, table
from tests.tables import fresh, new_game, send, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
WHY = "a dividend was paid twice"
BID = {"kind": "bid_influence", "points": 7}


@pytest.fixture
def game() -> Game:
    return fresh(table(person("Ada"), person("Ben")))


def cash(game: Game, seat: int) -> int:
    return int(fresh(game).load_position().state.ledger.balance(f"cash:{seat}"))


def correct(game: Game, account: str, amount: int, **more: Any) -> None:
    fields = {"game_id": game.pk, "reason": WHY, "seen": seen(game), "account": account, "amount": amount, **more}
    repairs.correct_money(**{"moderator": User.objects.filter(username="Lena").first() or moderator("Lena"), **fields})


def is_replayed(game: Game) -> bool:
    return all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_money_is_put_right_from_the_desk(game: Game) -> None:
    """Preview, log, ledger, explanation, record, replay; what was submitted stays."""
    send(game, 0, BID)
    had, held = cash(game, 1), fresh(game).load_position().pending
    lena, address = signed_in(moderator("Lena")), reverse("admin:moderate", args=[game.pk, "correct"])
    fields = {"reason": WHY, "account": "cash:1", "amount": 250, **seen(game)._asdict()}
    html = lena.post(address, {**fields, "do": "preview"}).content.decode()
    assert f'<td data-heading="Now">{had:,}</td>\n<td data-heading="After">{had + 250:,}</td>' in html
    assert "Score of seat 2" in html
    assert cash(game, 1) == had
    assert lena.post(address, fields).status_code == 302
    assert cash(game, 1) == had + 250
    assert fresh(game).load_position().pending == held
    (moved,) = [
        each.transfer for each in movements_of(fresh(game), course_of(game)) if each.transfer.why == "correction"
    ]
    assert (moved.payer, moved.payee, moved.amount) == ("outside", "cash:1", 250)
    explained = explanation_of(viewer_of(fresh(game), None), "cash", "1")
    assert explained is not None
    assert (explained.entries[-1].what, explained.total) == ("Correction", had + 250)
    page = (
        Client().get(game.get_absolute_url()).content.decode()
        if game.is_open
        else lena.get(game.get_absolute_url()).content.decode()
    )
    assert "Ben received 250 as a correction." in page
    assert f"Moderator Lena corrected the money of Ben: {WHY}" in page
    act = ModeratorAction.objects.get()
    assert (act.before["cash of seat 2"], act.after["cash of seat 2"]) == (had, had + 250)
    assert is_replayed(game)
    assert play_on(game).status == Status.FINISHED
    assert is_replayed(game)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_with_money_can_be_put_right(ruleset: str) -> None:
    game = new_game("ada", "ben", "cleo", ruleset=ruleset)
    had = cash(game, 1)
    correct(game, "cash:1", 3)
    assert cash(game, 1) == had + 3
    assert is_replayed(game)


def test_what_would_break_the_ledger_is_refused(game: Game) -> None:
    had = cash(game, 1)
    for account, amount, code in [
        ("cash:1", -had - 1, "too_little_there"), ("cash:1", 0, "wrong_amount"), ("cash:9", 1, "no_such_account"),
        ("bank", 1, "no_such_account"), ("cash:1", repairs.MOST_DOLLARS + 1, "wrong_amount"),
    ]:  # fmt: skip
        with pytest.raises(Refused) as refused:
            correct(game, account, amount)
        assert refused.value.code == code
    correct(game, "cash:1", -had)
    assert cash(game, 1) == 0


def test_hidden_money_is_only_given_and_a_game_without_money_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("ada", "ben", ruleset="toy")
    with pytest.raises(Refused, match="hidden in this game"):
        correct(game, "cash:1", -1)
    moneyless = replace(RULESETS["toy"], money=Money(correctable=lambda _: ()))
    monkeypatch.setitem(RULESETS, "toy", moneyless)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="has no money to put right"):
        correct(game, "cash:1", 1)
    page = signed_in(User.objects.get(username="Lena")).get(reverse("admin:moderate", args=[game.pk, "correct"]))
    assert "has no money to put right" in page.content.decode()


def spoil(game: Game, by: int) -> None:
    """What an earlier fault stored: the last resolution paid a player too much."""
    now = fresh(game)
    position = now.load_position()
    position.state.ledger.pay("outside", "cash:1", by)
    now.state = now.rules.codec.pack(position.state)
    now.store_position(position)
    now.save(update_fields=["state", "inputs", "earlier"])
    entry = now.log.exclude(opened_serial=None).latest("number")
    entry.snapshot = pack_snapshot(now.rules, position, bytes(now.state))
    entry.save(update_fields=["snapshot"])


def test_a_corrected_resolution_takes_the_place_of_a_wrong_one(game: Game) -> None:
    run_out(game)
    lena = moderator("Lena")
    fields = {"game_id": game.pk, "moderator": lena, "reason": WHY}
    with pytest.raises(Refused, match="nothing to correct"):
        by_two(Intervention.APPLY_RERUN, seen=seen(game), **fields)
    right, phase = fresh(game).load_position(), fresh(game).phase_name
    spoil(game, 400)
    assert cash(game, 1) == right.state.ledger.balance("cash:1") + 400
    assert [each.path for each in repairs.compare_rerun(fresh(game)).differences]
    desk = signed_in(lena)
    assert "Put today" in desk.get(reverse("admin:rerun", args=[game.pk])).content.decode()
    address = reverse("admin:moderate", args=[game.pk, "rerun-apply"])
    html = desk.post(address, {"reason": WHY, "do": "preview", **seen(game)._asdict()}).content.decode()
    assert "Cash of seat 2" in html
    assert desk.post(address, {"reason": WHY, **seen(game)._asdict()}).status_code == 302
    assert cash(game, 1) == right.state.ledger.balance("cash:1") + 400, "not before a second person agrees"
    confirm_last(game)
    now = fresh(game)
    codec = now.rules.codec
    assert codec.encode(now.load_position().state) == codec.encode(right.state)
    assert now.phase_name == phase
    assert now.phase_serial > right.cursor.serial
    assert [stop.serial for stop in course_of(now).stops][-1] == now.phase_serial
    line = "Moderator Lena applied a corrected result; what was submitted since then no longer counts"
    assert line in desk.get(game.get_absolute_url()).content.decode()
    *_, last, stored = replay.replay_game(game=now)
    assert last.is_equal
    assert stored.is_equal
    assert play_on(game).status == Status.FINISHED
    *_, stored = replay.replay_game(game=fresh(game))
    assert stored.is_equal
    phases = draws.proof_of(fresh(game)).phases
    again = {(draw.name, draw.limit, draw.value) for phase in phases if phase.is_rerun for draw in phase.draws}
    assert again
    assert again <= {
        (draw.name, draw.limit, draw.value) for phase in phases if not phase.is_rerun for draw in phase.draws
    }
    assert "A moderator had this resolved again" in Client().get(f"/games/{game.pk}/draws/").content.decode()


def test_no_service_does_alone_what_two_decide(game: Game) -> None:
    run_out(game)
    Game.objects.filter(pk=game.pk).update(is_rated=True)
    lena, was = moderator("Lena"), fresh(game).entries
    alone: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": WHY}
    calls: list[tuple[Any, dict[str, Any]]] = [
        (rewind.rewind_to, {"number": 1}),
        (repairs.apply_rerun, {}),
        (seat_acts.hand_seat_to_bot, {"seat_number": 1}),
        (seat_acts.hand_seat_to_user, {"seat_number": 1, "username": person("Carla").username}),
        (repairs.correct_money, {"account": "cash:1", "amount": 5}),
    ]
    for service, asked in calls:
        with pytest.raises(Refused) as refused:
            service(seen=seen(game), **alone, **asked)
        assert refused.value.code == "needs_second"
    ben = User.objects.get(username="Ben")
    sanctions.impose(person=ben, moderator=lena, kind="ban", reason=WHY, days=31)
    assert User.objects.get(pk=ben.pk).banned_until is None
    assert fresh(game).entries == was
    assert ModeratorAction.objects.exclude(verb="asked_for_second").count() == 0


def test_a_consent_is_for_one_thing_and_used_once(game: Game) -> None:
    run_out(game)
    lena, max_ = moderator("Lena"), moderator("Max")
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": WHY}
    repairs.correct_money(seen=seen(game), **fields, account="cash:1", amount=5)
    Game.objects.filter(pk=game.pk).update(is_rated=True)
    mine = {"account": "cash:1", "amount": 5}
    request = two_people.request_game_act(what=Intervention.CORRECT_MONEY, seen=seen(game), **fields, **mine)
    for second, other, code in [(max_, {"amount": 6}, "other_request"), (lena, {}, "own_request")]:
        agreed = approvals.Approval(request.pk, second)
        with pytest.raises(Refused) as refused:
            repairs.correct_money(seen=seen(game), **fields, **{**mine, **other}, approval=agreed)
        assert refused.value.code == code
    had, agreed = cash(game, 1), approvals.Approval(request.pk, max_)
    repairs.correct_money(seen=seen(game), **fields, **mine, approval=agreed)
    assert cash(game, 1) == had + 5
    assert ApprovalRequest.objects.get().answered_by == max_
    with pytest.raises(Refused, match="already confirmed"):
        repairs.correct_money(seen=seen(game), **fields, **mine, approval=agreed)
