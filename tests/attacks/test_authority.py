"""Authority is taken away while a request waits: what it asks is decided by what is so when it has its lock."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.api import play
from game.api.facts.games import place_of
from game.chat import reading, writing
from game.chat.models import Message, Mute, Notebook
from game.clock import extensions, play_times
from game.delivery import webhooks
from game.engine.actions import Refused
from game.history import visits
from game.lobby import copies, inviting, lobby
from game.moderation import break_glass, interventions, multi_accounts, roles, sanctions, site_desk
from game.people import account_closure, two_people
from game.play import attendance, drafts, moves, tenures
from game.seats import handover, stand_ins, takeover
from game.store.case_models import Case
from game.store.game import Game
from game.store.log import Draft, LoggedAction
from game.store.log_notes import Sentence
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.proposals import VoteTopic, open_proposal
from game.store.readers import forget_absence
from game.store.seat_models import Invitee, StandIn, Tenure
from tests.api.clients import Program
from tests.attacks.test_races import somebody_waits_for_us
from tests.play.test_actions import form_of
from tests.scenes import moderator, seen
from tests.tables import fresh, new_game, person

NOTE = Sentence.COPY_GOES_BACK()
pytestmark = pytest.mark.django_db(transaction=True)
BID = {"kind": "bid", "coins": 2}


@pytest.fixture
def game() -> Game:
    return new_game("ada", "ben", ruleset="toy")


@pytest.fixture
def page(client: Client) -> Client:
    client.force_login(person("ada"))
    return client


def overtaken(change: Callable[[], object], act: Callable[[], Any]) -> Any:
    """What an act is answered that began before a change was committed, and had to wait for it."""

    def run() -> Any:
        try:
            return act()
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            change()
            answer = pool.submit(run)
            ends = time.monotonic() + 240
            while not somebody_waits_for_us():
                assert not answer.done(), f"it does not wait: {answer.result()}"
                assert time.monotonic() < ends
                time.sleep(0.01)
        return answer.result(60)


def hand_over(game: Game, number: int = 0, to: str = "carla") -> None:
    """A seat changes hands, as at a moderator's word or when somebody takes it over."""
    locked = moves.lock(game.pk)
    assert locked is not None
    seat = locked.seats.get(number=number)
    seat.user = person(to)
    handover.change_hands(
        game=locked,
        seat=seat,
        user_id=None,
        note=NOTE,
        end=Tenure.End.HANDED_OVER,
    )


def nothing_is_of(game: Game, name: str) -> bool:
    """Whether nothing that somebody sent is at their former seat."""
    own = person(name)
    sent = LoggedAction.objects.filter(game=game, user=own).exclude(action=None)
    return not sent.exists() and not Draft.objects.filter(seat__game=game).exists() and not pending(game)


def pending(game: Game) -> Any:
    return fresh(game).load_position().pending.get(0)


def test_a36_a_move_of_a_page_whose_seat_changes_hands_meanwhile_is_refused(game: Game, page: Client) -> None:
    form = {**form_of(page, game), "do": "ready"}
    person("carla")
    answer = overtaken(lambda: hand_over(game), lambda: page.post(f"/games/{game.pk}/actions/", form))
    assert answer.status_code == 403
    assert nothing_is_of(game, "ada")
    assert not fresh(game).ready


def test_a36_nor_is_the_move_of_a_program_taken_by_then(game: Game) -> None:
    program = Program("ada")
    body = {"phase_serial": game.phase_serial, "actions": [BID]}
    person("carla")
    answer = overtaken(lambda: hand_over(game), lambda: program.post(f"games/{game.pk}/moves", body))
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (403, "not-seated")
    assert nothing_is_of(game, "ada")


def test_a_dry_run_of_a_seat_that_changes_hands_meanwhile_is_no_fault_of_the_rules(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(*asked: Any) -> Any:
        hand_over(game)
        return place_of(*asked)

    monkeypatch.setattr(play, "place_of", transaction.atomic(too_late))
    person("carla")
    tried = {"phase_serial": game.phase_serial, "actions": [BID], "dry_run": True}
    assert Program("ada").post(f"games/{game.pk}/moves", tried).status_code == 403
    assert not Case.objects.exists()


def test_a36_nor_a_draft(game: Game, page: Client) -> None:
    form = {**form_of(page, game), "touched": "yes"}
    person("carla")
    answer = overtaken(lambda: hand_over(game), lambda: page.post(f"/games/{game.pk}/drafts/", form))
    assert answer.status_code == 403
    assert nothing_is_of(game, "ada")


def test_nor_is_the_position_copied(client: Client) -> None:
    client.force_login(person("ada"))
    source = new_game("ada", "ben")
    person("carla")
    path, form = f"/games/{source.pk}/copy/", {"token": "t"}
    answer = overtaken(lambda: hand_over(source), lambda: client.post(path, form))
    assert answer.status_code == 409
    assert not copies.copies_of(person("ada"))


def test_nor_the_draft_of_a_program(game: Game) -> None:
    program, serial = Program("ada"), game.phase_serial
    person("carla")
    body = {"phase_serial": serial, "actions": [BID]}
    answer = overtaken(lambda: hand_over(game), lambda: program.put(f"games/{game.pk}/draft", body))
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (403, "not-seated")
    assert nothing_is_of(game, "ada")


def test_whoever_had_the_seat_throws_no_draft_of_the_next_player_away(game: Game) -> None:
    program, seat = Program("ada"), game.seats.get(number=0)

    def next_player_drafts() -> None:
        hand_over(game)
        seat.refresh_from_db()
        drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[BID])

    person("carla")
    answer = overtaken(next_player_drafts, lambda: program.delete(f"games/{game.pk}/draft"))
    assert answer.status_code == 403
    assert Draft.objects.filter(seat=seat).count() == 1


def test_a_draft_of_a_phase_that_closes_meanwhile_is_told_so(game: Game) -> None:
    program, serial = Program("ada"), game.phase_serial
    body = {"phase_serial": serial, "actions": [BID]}
    close = lambda: moves.resolve_now(game_id=game.pk, user_id=None, note=NOTE)  # noqa: E731
    answer = overtaken(close, lambda: program.put(f"games/{game.pk}/draft", body))
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (409, "phase-closed")
    assert not Draft.objects.filter(seat__game=game).exists()


def test_whoever_is_banned_meanwhile_moves_no_more(game: Game) -> None:
    program = Program("ada")
    body = {"phase_serial": game.phase_serial, "actions": [BID]}

    def ban() -> None:
        moves.lock(game.pk)
        sanctions.impose(person=person("ada"), moderator=lena, kind="ban", reason="threats", days=2)

    lena = moderator("Lena")
    answer = overtaken(ban, lambda: program.post(f"games/{game.pk}/moves", body))
    assert answer.status_code in {403, 422}
    assert nothing_is_of(game, "ada")


def next_week() -> date:
    return timezone.now().date() + timedelta(days=7)


BARRED: dict[str, Callable[[Game, User], Any]] = {
    "say": lambda game, ada: writing.say(game_id=game.pk, user=ada, text="Sell all"),
    "mute": lambda game, ada: reading.mute(game_id=game.pk, user=ada, seat_number=1, is_on=True),
    "switch the chat": lambda game, ada: writing.switch(game_id=game.pk, user=ada, is_on=False),
    "notes": lambda game, ada: reading.save_notes(game=game, user=ada, text="Sell all", revision=0),
    "extend": lambda game, ada: extensions.extend(game_id=game.pk, user=ada, serial=game.phase_serial),
    "come back": lambda game, ada: attendance.reclaim_seat(game_id=game.pk, user=ada),
    "copy": lambda game, ada: copies.make_copy(game_id=game.pk, user=ada),
    "end lending": lambda game, ada: stand_ins.reclaim_seat(game_id=game.pk, user=ada),
    "hours": lambda game, ada: play_times.choose_hours(user=ada, hours=range(100)),
    "vacation": lambda game, ada: play_times.declare_vacation(user=ada, first=next_week(), last=next_week()),
    "webhook": lambda game, ada: webhooks.add(user=ada, url="https://hooks.example.org/"),
    "add a bot": lambda game, ada: lobby.add_bot(game_id=game.pk, user=ada),
    "cancel": lambda game, ada: lobby.cancel_game(game_id=game.pk, user=ada),
    "rename": lambda game, ada: lobby.change_game(game_id=game.pk, user=ada, name="Mine"),
    "renew the link": lambda game, ada: lobby.renew_invitation(game_id=game.pk, user=ada),
    "start": lambda game, ada: lobby.start_game(game_id=game.pk, user=ada),
    "invite": lambda game, ada: inviting.invite(game_id=game.pk, user=ada, person="Lena"),
}  # fmt: skip
IN_A_ROOM = {"add a bot", "cancel", "rename", "renew the link", "start", "invite"}


@pytest.mark.parametrize("act", BARRED)
def test_a36_whoever_is_banned_meanwhile_does_nothing_more(game: Game, act: str) -> None:
    """What they sent had passed the door before the ban, and waited for the game or the account."""
    ada, lena = person("ada"), moderator("Lena")
    if act in IN_A_ROOM:
        game = lobby.create_game(host=ada, name="Tuesday", seats=3, ruleset="toy", pace="demo")
        lobby.join_game(game_id=game.pk, user=person("ben"))
    if act == "copy":
        game = new_game("ada", "ben")  # of rules that can make a whole position
    if act == "come back":
        game.seats.filter(number=0).update(keeper="away")
    if act == "end lending":
        lend(game, ada, person("carla"))
    was = traces_of(game)

    def ban() -> None:
        moves.lock(game.pk)
        sanctions.impose(person=person("ada"), moderator=lena, kind="ban", reason="threats", days=2)

    assert overtaken(ban, lambda: BARRED[act](game, ada)) == "barred"
    assert traces_of(game) == was


def lend(game: Game, owner: User, to: User) -> None:
    locked = moves.lock(game.pk)
    assert locked is not None
    until = locked.now + timedelta(days=3)
    tenures.seat_stand_in(StandIn.objects.create(game=locked, number=0, owner=owner, user=to, until=until))


def traces_of(game: Game) -> tuple[Any, ...]:
    """What somebody's act would leave in a game."""
    now = fresh(game)
    seats = list(now.seats.order_by("number").values_list("user", "keeper"))
    left = [rows.objects.filter(game=game).count() for rows in (Message, Mute, Notebook, Invitee, StandIn)]
    return now.version, now.status, now.name, now.deadline_at, now.invitation.token, seats, left


def test_a_message_of_a_former_player_is_not_written(game: Game, page: Client) -> None:
    person("carla")
    fields = {"text": "Sell all", "token": "t"}
    answer = overtaken(lambda: hand_over(game), lambda: page.post(f"/games/{game.pk}/chat/say/", fields))
    assert answer.status_code in {403, 422}
    assert not Message.objects.filter(author=person("ada")).exists()


def test_a_former_host_switches_no_chat_off(game: Game, page: Client) -> None:
    person("carla")
    answer = overtaken(lambda: hosted_by(game, "carla"), lambda: page.post(f"/games/{game.pk}/chat/switch/", {}))
    assert answer.status_code == 409
    assert not Message.objects.filter(game=game).exists()


@pytest.mark.parametrize("act", ["cancel", "send away", "rename", "start", "invite"])
def test_a36_a_former_host_does_nothing_to_a_game_that_waits(act: str) -> None:
    ada, ben, program = person("ada"), person("ben"), Program("ada")
    game = lobby.create_game(host=ada, name="Tuesday", seats=2, ruleset="toy", pace="demo")
    lobby.join_game(game_id=game.pk, user=ben)
    at, tag = f"games/{game.pk}", {"If-Match": "*"}
    acts: dict[str, Callable[[], Any]] = {
        "cancel": lambda: program.delete(at),
        "send away": lambda: program.delete(f"{at}/seats/1"),
        "rename": lambda: program.patch(at, {"name": "Mine"}, **tag),
        "start": lambda: program.post(f"{at}/start"),
        "invite": lambda: program.post(f"{at}/invitation"),
    }
    answer = overtaken(lambda: hosted_by(game, "ben"), acts[act])
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (403, "not-host")
    now = fresh(game)
    assert (now.status, now.name, now.seats.count()) == ("waiting", "Tuesday", 2)


def hosted_by(game: Game, name: str) -> None:
    """Somebody else hosts the game, as when a guest turns out to have an account."""
    moves.lock(game.pk)
    Game.objects.filter(pk=game.pk).update(host=person(name))


REPLACED: dict[str, Callable[[Game, User], Any]] = {
    "renew the link": lambda game, ada: lobby.renew_invitation(game_id=game.pk, user=ada),
    "invite": lambda game, ada: inviting.invite(game_id=game.pk, user=ada, person="carla"),
    "withdraw": lambda game, ada: inviting.withdraw(game_id=game.pk, user=ada, person=person("finn").pk),
}


@pytest.mark.parametrize("act", REPLACED)
def test_a36_a_host_whose_seat_is_handed_on_meanwhile_hosts_no_more(act: str, client: Client) -> None:
    """A host who resigned still has the seat, and may find somebody for it."""
    ada, finn = person("ada"), person("finn")
    game = new_game("ada", "ben", "dora", ruleset="toy", pace="daily")
    takeover.resign(game_id=game.pk, user=person("dora"))
    inviting.invite(game_id=game.pk, user=ada, person=finn.pk)
    person("carla")
    token = game.invitation.token
    assert overtaken(lambda: hand_over(game, to="emil"), lambda: REPLACED[act](game, ada)) == "not_host"
    assert fresh(game).invitation.token == token
    assert list(game.invitees.values_list("user", flat=True)) == [finn.pk]
    assert not takeover.may_share_link(fresh(game), ada)
    client.force_login(ada)
    assert client.get(f"/games/{game.pk}/substitutes/").status_code == 404
    assert Program("ada").get(f"games/{game.pk}/invitees").status_code == 403


@pytest.mark.parametrize("what", ["pause", "ending"])
def test_a36_a_former_player_has_no_say(game: Game, page: Client, what: str) -> None:
    person("carla")
    answer = overtaken(lambda: hand_over(game), lambda: page.post(f"/games/{game.pk}/{what}/"))
    assert answer.status_code == 409
    now = fresh(game)
    assert (open_proposal(now, VoteTopic.PAUSE), open_proposal(now, VoteTopic.ENDING)) == (None, None)


def test_a_page_that_was_made_for_a_former_player_says_nothing_of_what_the_next_one_has_seen(game: Game) -> None:
    was = game.seats.get(number=0)
    with transaction.atomic():
        hand_over(game)
    now = fresh(game)
    visits.record_visit(now, was, visits.Visit(None, None, is_news=True))
    forget_absence(was)
    assert game.seats.get(number=0).seen_version < now.version


WHY = {"reason": "insults"}
STAFF_ACTS: dict[str, Callable[[Game, User], Any]] = {
    "pause": lambda game, lena: interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), **WHY),
    "hold": lambda game, lena: interventions.hold(game_id=game.pk, moderator=lena, seen=seen(game), **WHY),
    "ask to rewind": lambda game, lena: two_people.request_game_act(
        what=Intervention.REWIND_TO, game_id=game.pk, moderator=lena, seen=seen(game), number=1, **WHY
    ),
    "read secrets": lambda game, lena: break_glass.request_reading(game_id=game.pk, moderator=lena, **WHY),
    "export": lambda game, lena: break_glass.bundle_of(game_id=game.pk, moderator=lena, **WHY),
    "warn": lambda game, lena: sanctions.impose(person=person("ada"), moderator=lena, kind="warning", **WHY),
    "note": lambda game, lena: sanctions.add_note(person=person("ada"), moderator=lena, text="insults"),
    "close account": lambda game, lena: account_closure.request_closure(
        user_id=person("ada").pk, moderator=lena, **WHY
    ),
    "link": lambda game, lena: multi_accounts.record_link(
        person=person("ada"), username="ben", moderator=lena, **WHY
    ),
    "banner": lambda game, lena: site_desk.set_banner(
        moderator=lena, english="Hello", german="Hallo", until=None, is_read_only=False, **WHY
    ),
    "stop": lambda game, lena: site_desk.stop_resolving(moderator=lena, is_stopped=True, **WHY),
    "shift": lambda game, lena: site_desk.shift_deadlines(moderator=lena, hours=2, **WHY),
}  # fmt: skip


@pytest.mark.parametrize("act", STAFF_ACTS)
def test_a36_staff_whose_powers_are_taken_meanwhile_do_nothing(game: Game, act: str) -> None:
    """The account is read anew, and its row is locked as by whoever takes its powers."""
    lena, root = moderator("Lena"), moderator("Root", is_superuser=True)
    assert lena.has_perm(Intervention.PAUSE.permission), "what the request knows already"
    nothing = roles.Powers(is_staff=False, is_superuser=False, groups=frozenset(), permissions=frozenset())
    take = partial(roles.change_powers, user_id=lena.pk, moderator=root, reason="left", wanted=nothing)
    before = ModeratorAction.objects.count()
    assert overtaken(take, lambda: STAFF_ACTS[act](game, lena)) == "no_permission"
    assert ModeratorAction.objects.count() == before + 1, "the record has the powers alone"
    assert fresh(game).status == "running"


def test_nor_is_a_second_person_one_whose_powers_are_taken_meanwhile(game: Game) -> None:
    lena, max_, root = moderator("Lena"), moderator("Max"), moderator("Root", is_superuser=True)
    request = break_glass.request_reading(game_id=game.pk, moderator=lena, reason="looks wrong")
    nothing = roles.Powers(is_staff=False, is_superuser=False, groups=frozenset(), permissions=frozenset())
    for person_, code in ((max_, "no_permission"), (lena, "asker_may_not")):
        take = partial(roles.change_powers, user_id=person_.pk, moderator=root, reason="left", wanted=nothing)
        second = max_ if person_ is max_ else moderator("Mia")
        confirm = partial(break_glass.confirm, request_id=request.pk, moderator=second)
        assert overtaken(take, confirm) == code
    request.refresh_from_db()
    assert not request.answer


def test_two_who_act_on_each_other_at_once_wait_for_each_other_in_order(game: Game) -> None:
    """The rows of both are locked in the order of their keys: one act goes first, and neither is lost to a deadlock."""
    roots = [moderator(name, is_superuser=True) for name in ("Ina", "Ole")]
    wanted = roles.Powers(is_staff=False, is_superuser=False, groups=frozenset(), permissions=frozenset())
    one, other = (
        partial(roles.change_powers, user_id=b.pk, moderator=a, reason="left", wanted=wanted)
        for a, b in (roots, roots[::-1])
    )
    assert overtaken(one, other) == "no_permission"
