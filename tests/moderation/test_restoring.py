"""A damaged game is put on hold wherever it is met, is answered plainly, and is restored from its log."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.bots.playing import play_bots
from game.clock import sweep
from game.delivery import notice_sending
from game.engine.actions import Refused
from game.history import archive
from game.lobby import lobby
from game.moderation import interventions, rewind
from game.outbox import notices
from game.play import failures, moves
from game.seats import takeover
from game.store import replay
from game.store.game import Game, Status
from game.store.log import LoggedAction
from game.store.moderation_models import ModeratorAction
from tests.faults import oracle
from tests.play.test_damage import flipped
from tests.scenes import let_time_pass, moderator, person, play_on, ready, rewind_by_two, seen, table
from tests.store.test_projections import assert_rebuilt_equals_stored
from tests.tables import at_phase, fresh, send, sweep_again

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
WHY = "a disk went bad"
PAST_THE_HEADER = 400  # the number of a bit within what is packed
POSITION_COLUMNS = (
    *("state", "inputs", "earlier", "schema", "phase_row", "phase_name", "phase_serial", "phase_step", "branch"),
    *("turn", "trail", "ready", "reviews", "seat_states", "bots_due", "course"),
)


@pytest.fixture
def game(settings: Any) -> Game:
    """Ada has a sealed order, Ben is ready."""
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = at_phase(table(person("Ada"), person("Ben"), bots=1, max_turns=2), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2}
    send(game, 0, order)
    ready(game, 1)
    return fresh(game)


@pytest.fixture
def lena() -> User:
    return moderator("Lena")


def damage(game: Game, column: str = "state", bit: int = PAST_THE_HEADER) -> None:
    """Flip one bit of what is stored of the position."""
    stored = bytes(getattr(fresh(game), column))
    Game.objects.filter(pk=game.pk).update(**{column: flipped(stored, bit % (8 * len(stored)))})


def damage_entry(entry: LoggedAction, column: str) -> None:
    stored = bytes(getattr(entry, column))
    LoggedAction.objects.filter(pk=entry.pk).update(**{column: flipped(stored, PAST_THE_HEADER % (8 * len(stored)))})


def last_start(game: Game) -> LoggedAction:
    return LoggedAction.objects.filter(game=game).exclude(opened_serial=None).latest("number")


def restore(game: Game, lena: User) -> Game:
    rewind.restore_from_log(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    return fresh(game)


def hold(game: Game) -> None:
    assert failures.hold_damaged(game_id=game.pk)


def assert_is_held(game: Game) -> None:
    now = fresh(game)
    assert (now.status, now.deadline_at) == (Status.HELD, None)
    assert "damaged" in now.held_reason
    assert now.paused_left is not None
    assert "restore it from its log" in now.log.latest("number").note


def reader(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_page_of_a_damaged_game_says_that_it_is_on_hold(
    game: Game, headers: dict[str, str], logged: list[Any]
) -> None:
    damage(game)
    answer = reader("Ada").get(game.get_absolute_url(), headers=headers)
    assert answer.status_code == 409
    assert "on hold" in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"
    assert [line["log_level"] for line in logged if line["event"] == "game_held"] == ["critical"]
    assert_is_held(game)
    assert reader("Ben").get(game.get_absolute_url()).status_code == 409
    assert fresh(game).entries == game.entries + 1


WRONG: dict[str, Any] = {"options": {"no such option": 1}, "timing": {"no such part": 1}, "ruleset": "no such rules"}
"""By column, what cannot be read of what a game was created with."""


@pytest.mark.parametrize("page", ["", "spreadsheet/"])
@pytest.mark.parametrize("column", WRONG)
def test_a_game_whose_options_cannot_be_read_is_on_hold_and_breaks_no_list(game: Game, column: str, page: str) -> None:
    Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]})
    ada = reader("Ada")
    assert ada.get("/").status_code == 200
    assert ada.get(f"{game.get_absolute_url()}{page}").status_code == 409
    assert_is_held(game)
    assert ada.get("/").status_code == 200


@pytest.mark.parametrize("column", WRONG)
@pytest.mark.parametrize(
    ("state", "line"), [("held", ""), ("waiting", "waiting_game_damaged"), ("finished", "finished_game_damaged")]
)
def test_no_list_breaks_on_a_game_that_cannot_be_read(
    game: Game, lena: User, column: str, state: str, line: str, logged: list[Any]
) -> None:
    if state == "waiting":
        game = lobby.create_game(host=User.objects.get(username="Ada"), name="A waiting one", seats=3)
    if state == "held":
        takeover.resign(game_id=game.pk, user=User.objects.get(username="Ben"))
    over = {"status": Status.FINISHED, "finished_at": Now(), "deadline_at": None} if state == "finished" else {}
    Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]}, **over)
    person("Cy")
    lists = ["/", "/games/", "/people/Ada/", f"/games/{game.pk}/substitutes/", "/admin/", "/admin/game/game/"]
    lists += ["/admin/game/loggedaction/", "/admin/game/notice/", game.get_absolute_url()]
    for name in ("Ada", "Cy", "Lena"):
        answers = {path: reader(name).get(path).status_code for path in lists}
        assert {path for path, status in answers.items() if status >= 500} == set(), name
    assert not line or line in [each["event"] for each in logged]


@pytest.mark.parametrize("column", WRONG)
def test_the_sweep_and_the_mails_go_on_beside_a_game_that_cannot_be_read(
    game: Game, column: str, mailoutbox: list[Any]
) -> None:
    other = table(person("Cy"), person("Di"), bots=1)
    notices.write_notices()
    Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]})
    for each in (game, other):
        let_time_pass(each, timedelta(hours=7))
    notice_sending.send_due_notices()
    assert {"cy@example.org", "di@example.org"} <= {mail.to[0] for mail in mailoutbox}
    Game.objects.filter(status=Status.RUNNING).update(deadline_at=Now())
    sweep.sweep()
    assert fresh(other).phase_serial > other.phase_serial
    assert_is_held(game)


@pytest.mark.parametrize("column", WRONG)
def test_bots_hold_a_game_that_cannot_be_read(game: Game, column: str) -> None:
    Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]}, bots_due=True)
    assert not play_bots(game_id=game.pk)
    assert_is_held(game)


@pytest.mark.parametrize("column", WRONG)
def test_what_is_no_matter_of_the_log_is_not_restored_from_it(game: Game, lena: User, column: str) -> None:
    before = getattr(game, column)
    Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]})
    hold(game)
    with pytest.raises(Refused, match="whoever runs the site has to put it back"):
        restore(game, lena)
    Game.objects.filter(pk=game.pk).update(**{column: before})
    interventions.retry(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    assert play_on(game).status == Status.FINISHED


@pytest.mark.parametrize("where", ["actions", "drafts"])
def test_what_is_sent_to_a_damaged_game_is_answered_plainly(game: Game, where: str) -> None:
    damage(game, "inputs")
    answer = reader("Ada").post(f"/games/{game.pk}/{where}/", {"do": "ready", "serial": str(game.phase_serial)})
    assert answer.status_code == 409
    assert "on hold" in answer.content.decode()
    assert_is_held(game)


@pytest.mark.parametrize("state", [Status.RUNNING, Status.HELD])
@pytest.mark.parametrize("column", ["state", *WRONG])
def test_so_is_what_is_refused_there_anyway(game: Game, column: str, state: Status) -> None:
    """The page that would tell the refusal cannot be shown."""
    if column in WRONG:
        Game.objects.filter(pk=game.pk).update(**{column: WRONG[column]})
    else:
        damage(game)
    if state == Status.HELD:
        hold(game)
    for where in ("join", "copy/back", "start", "pause/1/agree", "seat/give-back"):
        answer = reader("Ada").post(f"/games/{game.pk}/{where}/")
        assert (answer.status_code, "on hold" in answer.content.decode()) == (409, True), where
    assert_is_held(game)


def test_a_submission_that_meets_damage_is_refused_and_holds_the_game_at_once(game: Game) -> None:
    damage(game)
    with pytest.raises(Refused, match="data is damaged"):
        ready(game, 0)
    assert_is_held(game)


def test_the_sweep_holds_a_damaged_game_at_once(game: Game) -> None:
    damage(game)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    sweep.sweep()
    assert_is_held(game)
    assert fresh(game).paused_left is not None


def test_a_damaged_place_in_the_flow_holds_the_game_and_breaks_no_list(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(phase_row=game.phase_row ^ 1 << 8)  # type: ignore[operator]
    client = reader("Ada")
    assert client.get(reverse("lobby")).status_code == 200
    assert client.get(game.get_absolute_url()).status_code == 409
    assert_is_held(game)


def test_a_sound_game_is_not_held(game: Game) -> None:
    assert not failures.hold_damaged(game_id=game.pk)
    assert fresh(game).is_running


@pytest.mark.parametrize(
    "column_and_value",
    [("state", None), ("inputs", None), ("phase_serial", 4096), ("ready", [0]), ("trail", []), ("seat_states", [])],
)
def test_a_damaged_game_is_restored_from_its_log(game: Game, lena: User, column_and_value: tuple[str, Any]) -> None:
    column, value = column_and_value
    before, position = fresh(game), game.load_position()
    if value is None:
        damage(game, column)
    else:
        Game.objects.filter(pk=game.pk).update(**{column: value})
    hold(game)
    now = restore(game, lena)
    assert now.load_position() == position
    assert [getattr(now, name) for name in POSITION_COLUMNS] == [getattr(before, name) for name in POSITION_COLUMNS]
    assert now.status == Status.HELD
    assert "Moderator Lena restored the game from its log" in now.log.latest("number").note
    assert_rebuilt_equals_stored(game)
    act = ModeratorAction.objects.get(game=game, verb="restore_from_log")
    assert (act.user, act.reason, set(act.details)) == (lena, WHY, {"from_entry", "replayed"})
    interventions.retry(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    assert play_on(game).status == Status.FINISHED
    assert list(oracle.faults_of(fresh(game))) == []


def test_what_was_sealed_is_still_sealed_and_counts_after_restoring(game: Game, lena: User) -> None:
    sealed = game.load_position().pending[0]
    damage(game, "inputs")
    hold(game)
    assert restore(game, lena).load_position().pending[0] == sealed


def test_damaged_snapshots_are_restored_on_the_way(game: Game, lena: User) -> None:
    """The replay begins at an earlier start, and writes the later ones again."""
    position, entry = game.load_position(), last_start(game)
    damage_entry(entry, "snapshot")
    damage(game)
    hold(game)
    assert restore(game, lena).load_position() == position
    assert bytes(last_start(game).snapshot) == bytes(entry.snapshot)


def test_a_damaged_action_is_named_and_the_game_goes_back_instead(game: Game, lena: User) -> None:
    action = LoggedAction.objects.filter(game=game, seat=0).exclude(action=None).latest("number")
    damage_entry(action, "action")
    damage(game)
    hold(game)
    with pytest.raises(Refused, match=r"An entry of the log.*is damaged.*Rewind") as refused:
        restore(game, lena)
    assert not re.search(r"\d", str(refused.value)), "the entry's number counts sealed submissions"
    assert fresh(game).is_damaged
    with pytest.raises(Refused, match="Restore it from the log first"):
        interventions.retry(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    number = last_start(game).number
    rewind_by_two(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game), number=number)
    now = fresh(game)
    assert (now.status, now.branch, now.phase_serial, now.phase_name) == (
        Status.RUNNING,
        1,
        game.phase_serial + 1,
        "stock_orders",
    )
    assert play_on(game).status == Status.FINISHED


def test_a_log_that_leads_elsewhere_restores_nothing(game: Game, lena: User) -> None:
    entry = LoggedAction.objects.filter(game=game).exclude(events="").latest("number")
    other = LoggedAction.objects.filter(game=game).exclude(events="").earliest("number")
    damage_entry(last_start(game), "snapshot")
    LoggedAction.objects.filter(pk=entry.pk).update(events=other.events)
    damage(game)
    hold(game)
    with pytest.raises(Refused, match="tells of other events"):
        restore(game, lena)
    LoggedAction.objects.filter(game=game, number=game.entries).delete()
    with pytest.raises(Refused, match=r"The log is not complete: it lacks entries\."):
        restore(game, lena)
    assert fresh(game).is_damaged


def test_no_moderator_reads_what_an_error_of_the_rules_says_of_a_sealed_order(
    game: Game, lena: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("seat 1 sold STO short")

    damage(game)
    hold(game)
    with monkeypatch.context() as patch:
        patch.setattr("game.store.replay.play_entry", broken)
        with pytest.raises(Refused, match="cannot be played again: KeyError") as refused:
            restore(game, lena)
    assert "STO" not in str(refused.value)
    restored = restore(game, lena)
    interventions.retry(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(restored))
    monkeypatch.setattr("game.engine.referee.close", broken)
    with pytest.raises(Refused, match="KeyError") as refused:
        interventions.resolve_now(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    assert "STO" not in str(refused.value)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    for _ in range(failures.ATTEMPTS):
        sweep_again()
    assert fresh(game).held_reason == "KeyError in the rules."


def test_a_sound_game_is_not_restored(game: Game, lena: User) -> None:
    interventions.hold(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    with pytest.raises(Refused, match="nothing to restore"):
        restore(game, lena)


def test_restoring_needs_its_own_permission(game: Game) -> None:
    damage(game)
    hold(game)
    with pytest.raises(Refused, match="can_restore_from_log"):
        restore(game, moderator("Mia", "hold", "retry"))


def test_the_desk_restores_a_held_game(game: Game, lena: User) -> None:
    damage(game)
    hold(game)
    client = reader("Lena")
    desk = client.get(reverse("admin:game_game_change", args=[game.pk])).content.decode()
    assert "Restore from the log" in desk
    fields = {"reason": WHY, **seen(game)._asdict()}
    answer = client.post(reverse("admin:moderate", args=[game.pk, "restore"]), fields, follow=True)
    assert "Done: restore from the log" in answer.content.decode()
    assert not fresh(game).is_damaged
    assert reader("Ada").get(game.get_absolute_url()).status_code == 200


def test_a_damaged_record_of_a_step_leaves_the_page_and_the_log_readable(
    game: Game, lena: User, logged: list[Any]
) -> None:
    entry = LoggedAction.objects.filter(game=game).exclude(events="").latest("number")
    LoggedAction.objects.filter(pk=entry.pk).update(events=entry.events.replace("1", "3", 1))
    for client, address in [
        (reader("Ada"), game.get_absolute_url()),
        (reader("Lena"), reverse("admin:game_game_change", args=[game.pk])),
    ]:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "The record of this step is damaged and cannot be shown." in answer.content.decode()
        assert "log_entry_damaged" in [line["event"] for line in logged]
        logged.clear()
    assert fresh(game).is_running


def test_a_damaged_past_start_is_refused_plainly_and_costs_no_other(game: Game, lena: User, logged: list[Any]) -> None:
    first = LoggedAction.objects.get(game=game, opened_serial=1)
    damage_entry(first, "snapshot")
    with pytest.raises(Refused, match=r"The start of this phase is damaged: go back"):
        rewind_by_two(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game), number=first.number)
    assert [check.stored for check in replay.replay_game(game=fresh(game)) if not check.is_equal] == [replay.DAMAGED]
    rewind_by_two(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game), number=last_start(game).number)
    assert fresh(game).is_running
    assert first.number in [line["entry"] for line in logged if line["event"] == "snapshot_damaged"]


def test_a_finished_game_and_its_snapshots(game: Game, lena: User) -> None:
    over = play_on(game)
    assert archive.archive_game(game_id=game.pk)
    position, pack = fresh(game).load_position(), over.packed_snapshots.latest("first")
    pack.packed = flipped(bytes(pack.packed), PAST_THE_HEADER)
    pack.save()
    damage(game)
    answer = reader("Ada").get(game.get_absolute_url())
    assert answer.status_code == 409
    assert "is damaged" in answer.content.decode()
    assert "clock" not in answer.content.decode(), "a finished game has none"
    assert fresh(game).status == Status.FINISHED
    now = restore(game, lena)
    assert (now.status, now.load_position()) == (Status.FINISHED, position)
    assert reader("Ada").get(game.get_absolute_url()).status_code == 200


def test_closing_a_phase_twice_over_damage_changes_nothing(game: Game) -> None:
    damage(game)
    hold(game)
    assert not moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial)
