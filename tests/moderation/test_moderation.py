"""What moderators may do: each verb with its reason, on record, told to the table, and the game plays on to its end."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from accounts.models import User
from game.clock import sweep
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions, rewind, seat_acts
from game.play import failures, moves
from game.store import replay
from game.store.board_rows import Company, Holding, Order
from game.store.game import Game, Status
from game.store.log import Draft, LoggedAction, Notice
from game.store.moderation_models import Intervention, ModeratorAction
from tests.scenes import (
    by_two,
    close_by_two,
    moderator,
    person,
    play_on,
    ready,
    rewind_by_two,
    run_out,
    seen,
    silent,
    table,
)
from tests.servers import Mailbox
from tests.tables import come_back, fresh, send, sweep_again

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
WHY = "the post was away"
SHORT = {"max_turns": 2}


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def ben() -> User:
    return person("Ben")


@pytest.fixture
def lena() -> User:
    return moderator("Lena")


@pytest.fixture
def short_games(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}


def last_note(game: Game) -> str:
    return LoggedAction.objects.filter(game=game).exclude(note="").order_by("-number").first().note


def last_record() -> ModeratorAction:
    return ModeratorAction.objects.order_by("-pk")[0]


def left(game: Game) -> timedelta:
    at = fresh(game)
    assert at.deadline_at
    return at.deadline_at - at.now


def test_a_game_pauses_and_goes_on_with_the_time_it_had(ada: User, ben: User, lena: User) -> None:
    game = table(ada, ben)
    version, before = fresh(game).version, left(game)
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    paused = fresh(game)
    assert (paused.status, paused.deadline_at) == (Status.PAUSED, None)
    assert paused.version > version
    assert last_note(game) == f"Moderator Lena paused the game: {WHY}"
    with pytest.raises(Refused, match="paused"):
        ready(game, 0)
    interventions.resume(game_id=game.pk, moderator=lena, seen=seen(game), reason="all is well")
    assert abs(left(game) - before) < timedelta(minutes=1)
    assert [(row.verb, row.reason, row.user) for row in ModeratorAction.objects.order_by("pk")] == [
        ("pause", WHY, lena),
        ("resume", "all is well", lena),
    ]
    ready(game, 0)


def test_a_deadline_is_extended_paused_or_not(ada: User, lena: User) -> None:
    game = table(ada, silent())
    before = left(game)
    interventions.extend_deadline(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, minutes=90)
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    interventions.extend_deadline(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, minutes=30)
    interventions.resume(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    assert abs(left(game) - before - timedelta(hours=2)) < timedelta(minutes=1)
    assert ModeratorAction.objects.filter(verb="extend_deadline", details__minutes=90).count() == 1


@pytest.mark.parametrize("minutes", [0, -5, 10**9])
def test_a_deadline_moves_by_a_sensible_length(ada: User, lena: User, minutes: int) -> None:
    game = table(ada)
    with pytest.raises(Refused, match="minutes"):
        interventions.extend_deadline(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, minutes=minutes)


def test_a_phase_is_resolved_before_its_deadline_with_drafts(ada: User, ben: User, lena: User) -> None:
    game = table(ada, ben)
    Draft.objects.create(
        seat=game.seats.get(number=0), serial=game.phase_serial, content=[{"kind": "bid_influence", "points": 9}]
    )
    interventions.resolve_now(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    after = fresh(game)
    assert after.phase_serial > game.phase_serial
    assert last_note(game) == f"Moderator Lena closed this phase before its deadline: {WHY}"
    assert LoggedAction.objects.filter(game=game, kind="draft", seat=0).count() == 1
    assert all(check.is_equal for check in replay.replay_game(game=after))


def test_rules_that_break_refuse_the_moderator_and_count(
    ada: User, lena: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table(ada)
    with monkeypatch.context() as patch:
        patch.setattr("game.engine.referee.close", _broken)
        with pytest.raises(Refused, match="nothing was changed"):
            interventions.resolve_now(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    assert fresh(game).attempts == 1
    assert not ModeratorAction.objects.exists()


def _broken(*_: Any) -> Any:
    raise ZeroDivisionError("a rule without a bottom")


def test_a_held_game_is_tried_again(ada: User, lena: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = table(ada)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    with monkeypatch.context() as patch:
        patch.setattr("game.engine.referee.close", _broken)
        for _ in range(failures.ATTEMPTS):
            sweep_again()
    held = fresh(game)
    assert (held.status, held.attempts) == (Status.HELD, failures.ATTEMPTS)
    interventions.retry(game_id=game.pk, moderator=lena, seen=seen(game), reason="repaired")
    assert fresh(game).attempts == 0
    assert "ZeroDivisionError in the rules" in last_record().details["held_reason"]
    sweep.sweep()
    assert fresh(game).phase_serial > game.phase_serial


def test_a_moderator_holds_a_game_and_lets_it_go_on(ada: User, lena: User) -> None:
    game = table(ada, silent())
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    interventions.hold(game_id=game.pk, moderator=lena, seen=seen(game), reason="the bank looks wrong")
    assert fresh(game).held_reason == "the bank looks wrong"
    interventions.retry(game_id=game.pk, moderator=lena, seen=seen(game), reason="it was right")
    assert left(game) > timedelta(hours=23)
    assert fresh(game).held_reason == ""


def test_a_seat_goes_to_a_bot_and_the_game_to_its_end(ada: User, ben: User, lena: User, short_games: None) -> None:
    game = table(ada, ben, **SHORT)
    Draft.objects.create(seat=game.seats.get(number=1), serial=game.phase_serial, content=[{"kind": "ready"}])
    seat_acts.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, seat_number=1)
    seat = game.seats.get(number=1)
    assert (seat.user, bool(seat.bot)) == (None, True)
    assert fresh(game).bots.keys() == {"1", "2"}
    assert not Draft.objects.exists()
    assert last_note(game).startswith(f"Moderator Lena gave the seat of Ben to the bot {seat.name}")
    with pytest.raises(Refused, match="already"):
        seat_acts.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, seat_number=1)
    assert play_on(game).status == Status.FINISHED


def test_a_seat_goes_to_another_person_who_is_asked(mailbox: Mailbox, ada: User, ben: User, lena: User) -> None:
    game, carla = table(ada, ben), person("Carla")
    person("Dora")
    send_due_notices()
    mailbox.messages.clear()
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=lena,
        seen=seen(game),
        reason=WHY,
        seat_number=1,
        username=" carla ",
    )
    assert send_due_notices() == 1
    assert mailbox.messages[0]["To"] == carla.email
    with pytest.raises(Refused, match="already plays"):
        by_two(
            Intervention.HAND_SEAT_TO_USER,
            game_id=game.pk,
            moderator=lena,
            seen=seen(game),
            reason=WHY,
            seat_number=2,
            username="Ada",
        )
    with pytest.raises(Refused, match="No active account is called"):
        by_two(
            Intervention.HAND_SEAT_TO_USER,
            game_id=game.pk,
            moderator=lena,
            seen=seen(game),
            reason=WHY,
            seat_number=2,
            username="Nobody",
        )
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=lena,
        seen=seen(game),
        reason=WHY,
        seat_number=2,
        username="Dora",
    )
    assert fresh(game).bots == {}


def to_stock_orders(game: Game) -> Game:
    """On to the first stock orders, people passing."""
    while (now := fresh(game)).phase_name != "stock_orders":
        run_out(game)
    return now


def test_a_game_goes_back_and_plays_on_differently(
    mailbox: Mailbox, ada: User, ben: User, lena: User, short_games: None
) -> None:
    game = table(ada, ben, bots=2, **SHORT)
    before = to_stock_orders(game)
    send(game, 1, _an_order(before, 1))
    for _ in range(4):
        run_out(game)
    come_back(game)
    far = fresh(game)
    send_due_notices()
    mailbox.messages.clear()
    moment = next(moment for moment in rewind.moments_of(far) if moment.serial == before.phase_serial)
    rewind_by_two(game_id=game.pk, moderator=lena, seen=seen(game), reason="a rule was wrong", number=moment.number)
    back = fresh(game)
    assert (back.phase_name, back.turn, back.branch) == (before.phase_name, before.turn, 1)
    assert back.version > far.version
    assert back.entries > far.entries
    assert back.phase_serial > far.phase_serial, "a form of the phase that was taken back is refused"
    assert bytes(back.state) == bytes(before.state)
    text = f"Moderator Lena rewound the game to Turn {before.turn}, phase 9: Place stock orders; "
    assert last_note(game).startswith(text)
    assert last_record().details["void_seats"] == [1]
    assert list(Notice.objects.filter(kind="void").values_list("seat__number", flat=True)) == [1]
    assert send_due_notices() == 2
    text = {message["To"]: str(message.get_body(("plain",)).get_content()) for message in mailbox.messages}
    assert "What was submitted later no longer counts" in text[ben.email]
    assert "a rule was wrong" in text[ben.email]
    assert "What was submitted later" not in text[ada.email]
    assert_rows_are_right(game)
    done = play_on(game)
    assert done.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=done))
    assert_rows_are_right(game)


def _an_order(game: Game, seat: int) -> dict[str, Any]:
    """What the seat's offers allow, with the least of everything."""
    from game.engine import referee
    from game.engine.offers import Choice, Range

    offer = next(
        o for o in referee.offers(game.rules, game.load_position(), seat) if not o.refused and o.kind.endswith("order")
    )
    request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        if isinstance(field, Choice):
            request[field.name] = field.values[0][0]
        elif isinstance(field, Range):
            request[field.name] = field.low
    return request


def assert_rows_are_right(game: Game) -> None:
    tables = (Company, Holding, Order)
    stored = [list(rows.objects.filter(game=game).order_by("pk").values()) for rows in tables]
    course = fresh(game).course
    replay.rebuild_projections(game_id=game.pk)
    for rows, was in zip(tables, stored, strict=True):
        now = list(rows.objects.filter(game=game).order_by("pk").values())
        assert _without_keys(now) == _without_keys(was), rows
    assert fresh(game).course == course


def _without_keys(rows: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted((name, str(value)) for name, value in row.items() if name != "id") for row in rows)


def test_draws_after_a_rewind_are_new(ada: User, ben: User, lena: User) -> None:
    """A phase that is closed twice with equal inputs draws other headlines, cards and lots."""
    game = table(ada, ben, bots=2)
    moment = rewind.moments_of(fresh(game))[-1]
    run_out(game)
    first = fresh(game)
    rewind_by_two(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, number=moment.number)
    run_out(game)
    assert bytes(fresh(game).state) != bytes(first.state)
    assert fresh(game).turn == first.turn


def test_a_rewind_leads_only_to_the_course_that_stands(ada: User, lena: User) -> None:
    game = table(ada)
    for _ in range(3):
        run_out(game)
    first, *_, last = rewind.moments_of(fresh(game))[::-1]
    rewind_by_two(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, number=first.number)
    with pytest.raises(Refused, match="cannot be rewound there"):
        rewind_by_two(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, number=last.number)
    assert [str(moment) for moment in rewind.moments_of(fresh(game))] == [str(first)]


def test_a_held_game_goes_back_and_runs(ada: User, lena: User) -> None:
    game = table(ada)
    run_out(game)
    interventions.hold(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    rewind_by_two(
        game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, number=rewind.moments_of(fresh(game))[-1].number
    )
    back = fresh(game)
    assert (back.status, back.held_reason, back.paused_left) == (Status.RUNNING, "", None)
    run_out(game)


def test_an_account_is_closed_and_its_tables_go_on(ada: User, ben: User, lena: User, short_games: None) -> None:
    game = table(ada, ben, **SHORT)
    waiting = lobby.create_game(host=ada, name="Later", seats=3)
    lobby.join_game(game_id=waiting.pk, user=ben)
    own = lobby.create_game(host=ben, name="Own", seats=3)
    assert close_by_two(user_id=ben.pk, moderator=lena, reason="asked for it by mail") == [game.pk]
    ben.refresh_from_db()
    assert not ben.is_active
    assert not ben.seats.exclude(game=own).exists()
    assert fresh(own).status == Status.ABANDONED
    assert waiting.seats.count() == 1
    assert "asked for it" not in last_note(game), "why an account is closed is not the table's business"
    assert (last_record().verb, last_record().details["user"]) == ("close_account", "Ben")
    with pytest.raises(Refused, match="no open account"):
        close_by_two(user_id=ben.pk, moderator=lena, reason=WHY)
    assert play_on(game).status == Status.FINISHED


@pytest.mark.parametrize("reason", ["\u200b\u202e", "", "  \n ", "x" * 201])
def test_every_verb_wants_a_reason(ada: User, lena: User, reason: str) -> None:
    game = table(ada)
    with pytest.raises(Refused, match=r"reason|characters"):
        interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=reason)
    assert fresh(game).is_running


def test_only_moderators_who_do_not_play_here_may_act(ada: User, lena: User) -> None:
    game = table(ada, lena)
    with pytest.raises(Refused, match="not allowed to pause"):
        interventions.pause(game_id=game.pk, moderator=ada, seen=seen(game), reason=WHY)
    with pytest.raises(Refused, match="another moderator"):
        interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    User.objects.filter(pk=lena.pk).update(is_superuser=True)
    with pytest.raises(Refused, match="another moderator"):
        interventions.pause(game_id=game.pk, moderator=User.objects.get(pk=lena.pk), seen=seen(game), reason=WHY)
    assert not ModeratorAction.objects.exists()


def test_verbs_fit_the_state_of_the_game(ada: User, lena: User) -> None:
    game = table(ada)
    verbs: list[Any] = [interventions.resume, interventions.retry]
    for verb in verbs:
        with pytest.raises(Refused, match="while the game is running"):
            verb(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    with pytest.raises(Refused, match="while the game is paused"):
        interventions.resolve_now(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    assert moves.close_phase(game_id=game.pk, expected_serial=game.phase_serial) is False
