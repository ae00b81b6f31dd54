"""Whatever a mail or a browser tells a player, a webhook is told too, at every pace, and in numbers alone."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client

from accounts.models import User
from game.chat import writing
from game.clock import extensions, outages, play_times
from game.lobby import lobby, waiting_games
from game.moderation import interventions
from game.outbox import notices, preferences
from game.outbox.models import Delivery, NoticeTiming, Topic
from game.people import two_people
from game.play import attendance
from game.seats import takeover
from game.store import heartbeats
from game.store.game import Game
from game.store.heartbeats import Job
from game.store.log import Channel, Notice
from game.store.moderation_models import Intervention
from game.store.proposals import VoteTopic
from game.votes import rewinds, voting
from tests.clock.test_play_times import DAY, NIGHTS, away, playable
from tests.faults import canaries
from tests.hooks import Host, active, as_the_api_writes, hook_host, reach_to, round_of_hooks
from tests.scenes import moderator, person, run_out, seen
from tests.tables import READY, clock_runs_out, everybody_ready, fresh, new_game, send, silent_for

pytestmark = [pytest.mark.django_db]
PACES = pytest.mark.parametrize("pace", ["daily", "demo"])
KEYS = {"game", "version", "phase_serial", "seat", "deadline"}


@pytest.fixture
def host(settings: Any) -> Iterator[Host]:
    with hook_host() as found:
        settings.OUTGOING = reach_to(found.port)
        yield found
        assert all(set(taken.json["data"]) == KEYS for taken in found.taken), "numbers alone"
        result = b"".join(taken.body for taken in found.taken).decode()
        assert list(canaries.told(result)) == []


@pytest.fixture
def ada(host: Host) -> User:
    user = person("ada")
    active(user, host)
    return user


def table(pace: str = "daily") -> Game:
    person("ben")
    person("cid")
    return new_game("ada", "ben", "cid", ruleset="toy", pace=pace)


def since(host: Host) -> list[Any]:
    """What has been told of since this was last asked, but for the steps of a game."""
    round_of_hooks()
    lines = [taken.json for taken in host.taken]
    host.taken.clear()
    return [each for each in lines if each["type"] not in {"phase.closed", "decision.opened", "game.started"}]


def types(host: Host) -> list[str]:
    return sorted(each["type"] for each in since(host))


@PACES
def test_a_missed_decision_and_the_caretaker_who_steps_in_and_goes(ada: User, host: Host, pace: str) -> None:
    game = table(pace)
    for number in (1, 2):
        send(game, number, {"kind": "bid", "coins": 1})
    missed = fresh(game).phase_serial
    run_out(game)
    (told,) = since(host)
    assert told["type"] == "decision.missed"
    assert (told["data"]["phase_serial"], told["data"]["version"]) == (missed, fresh(game).version)
    while fresh(game).keepers.get("0") != "away":
        run_out(game)
    assert types(host).count("seat.away") == 1
    attendance.reclaim_seat(game_id=game.pk, user=ada)
    assert types(host) == ["seat.returned"]
    attendance.reclaim_seat(game_id=game.pk, user=ada)
    assert types(host) == []


@PACES
def test_who_comes_back_to_a_game_that_waits_for_them_is_told_of_the_decision(ada: User, host: Host, pace: str) -> None:
    game = table(pace)
    while fresh(game).is_running:
        run_out(game)
    since(host)
    attendance.reclaim_seat(game_id=game.pk, user=ada)
    round_of_hooks()
    assert sorted(taken.json["type"] for taken in host.taken) == ["decision.opened", "seat.returned"]
    assert {taken.json["data"]["phase_serial"] for taken in host.taken} == {fresh(game).phase_serial}


def test_that_the_caretaker_plays_is_not_told_to_who_is_back(ada: User, host: Host) -> None:
    game = table()
    while fresh(game).keepers.get("0") != "away":
        clock_runs_out(game)
    attendance.reclaim_seat(game_id=game.pk, user=ada)
    assert "seat.away" not in types(host)
    assert Delivery.objects.get(type="seat.away").how == "cancelled"


def test_what_is_turned_off_for_a_game_is_not_told_of_it(ada: User, host: Host, client: Client) -> None:
    quiet, loud = table(), new_game("ada", "ben", ruleset="toy")
    client.force_login(ada)
    where = f"/games/{quiet.pk}/notifications/"
    assert client.post(where, hooked(turn="off", step="off", mention="off")).status_code == 302
    host.taken.clear()
    for game in (quiet, loud):
        everybody_ready(game)
        writing.say(game_id=game.pk, user=person_of("ben"), text="@ada look")
    round_of_hooks()
    lines = [(taken.json["data"]["game"], taken.type) for taken in host.taken]
    kinds = {kind for game, kind in lines if game == loud.pk}
    assert kinds - {"decision.opened"} == {"game.started", "phase.closed", "chat.mention"}, "whoever's turn it is"
    assert {kind for game, kind in lines if game == quiet.pk} == {"game.started"}
    assert not Delivery.objects.filter(game=quiet).exclude(type__in=["game.started", "decision.reminder"]).exists()


def test_one_game_may_be_told_of_alone(ada: User, host: Host, client: Client) -> None:
    quiet, loud = table(), new_game("ada", "ben", ruleset="toy")
    round_of_hooks()
    client.force_login(ada)
    hours = {"quiet_from": "23", "quiet_until": "6", "digest_hour": "18"}
    mail = {f"{topic}-mail": "now" for topic in preferences.OF_MAIL}
    off = {f"{topic}-hook": "off" for topic in Topic}
    assert client.post("/notifications/", mail | off | hours).status_code == 302
    client.post(f"/games/{loud.pk}/notifications/", hooked(mention="now"))
    host.taken.clear()
    for game in (quiet, loud):
        writing.say(game_id=game.pk, user=person_of("ben"), text="@ada look")
    assert [(each["type"], each["data"]["game"]) for each in since(host)] == [("chat.mention", loud.pk)]


def test_what_was_turned_off_after_it_was_made_is_not_sent(ada: User, host: Host) -> None:
    game = table()
    notices.write_notices()
    started = Delivery.objects.get(type="game.started")
    preferences.choose(user_id=ada.pk, game_id=game.pk, chosen={(Topic.STARTED, Channel.HOOK): NoticeTiming.OFF})
    round_of_hooks()
    assert "game.started" not in host.types()
    started.refresh_from_db()
    assert started.how == "cancelled"


def test_only_who_has_a_webhook_chooses_for_webhooks(ada: User, client: Client) -> None:
    game = table()
    where = f"/games/{game.pk}/notifications/"
    for name, is_there in (("ada", True), ("ben", False)):
        client.force_login(person_of(name))
        page = client.get(where).content.decode()
        assert ("step-hook" in page) is ("A phase closes" in page) is is_there
        assert "step-mail" not in page


def hooked(**chosen: str) -> dict[str, str]:
    """What the form of one game sends, with choices for webhooks."""
    return {f"{topic}-hook": how for topic, how in chosen.items()}


@PACES
def test_each_mention_once(ada: User, host: Host, pace: str) -> None:
    game = table(pace)
    for text in ("@ada look", "@ada, and again"):
        writing.say(game_id=game.pk, user=person_of("ben"), text=text)
    writing.say(game_id=game.pk, user=ada, text="@ada to myself")
    assert types(host) == ["chat.mention", "chat.mention"]


@PACES
def test_a_pause_is_proposed_begins_and_ends(ada: User, host: Host, pace: str) -> None:
    game = table(pace)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person_of("ben"))
    assert types(host) == ["pause.proposed"]
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada)
    assert types(host) == ["game.paused"], "also to the program of who had the last word"
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada)
    assert types(host) == [], "who proposes is not asked"
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person_of("ben"))
    assert types(host) == ["game.resumed"]


def test_what_has_been_answered_is_not_asked(ada: User, host: Host) -> None:
    game = table()
    for topic in (VoteTopic.PAUSE, VoteTopic.ENDING):
        voting.propose(topic=topic, game_id=game.pk, user=person_of("ben"))
        voting.agree(topic=topic, game_id=game.pk, user=ada, number=fresh(game).proposals_made)
    assert types(host) == ["game.paused"]


@PACES
def test_a_proposal_to_end_the_game(ada: User, host: Host, pace: str) -> None:
    game = table(pace)
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person_of("ben"))
    assert types(host) == ["ending.proposed"]


def test_a_deadline_that_moved(ada: User, host: Host) -> None:
    game = table()
    extensions.extend(game_id=game.pk, user=person_of("ben"), serial=game.phase_serial)
    (told,) = since(host)
    now = fresh(game)
    assert now.deadline_at is not None
    assert told["type"] == "deadline.moved"
    assert (told["data"]["deadline"], told["data"]["version"]) == (as_the_api_writes(now.deadline_at), now.version)
    lena: Any = {"game_id": game.pk, "moderator": moderator("lena"), "seen": seen(game), "reason": "A holiday."}
    interventions.extend_deadline(**lena, minutes=60)
    assert types(host) == ["deadline.moved"]
    Game.objects.filter(pk=game.pk).update(clock_since=now.now - timedelta(days=1))
    silent_for(timedelta(hours=2))
    heartbeats.beat(Job.CLOCK)
    assert outages.settle()
    assert types(host) == ["deadline.moved"]


def test_whichever_way_a_deadline_moves_programs_are_told(ada: User, host: Host) -> None:
    """People are mailed only where they were reminded before."""
    game, ben = table("relaxed"), person_of("ben")
    one = away("ben", days=4)
    assert moved_to(host, game) == game.deadline_at + 4 * DAY
    send(game, 1, READY)
    assert moved_to(host, game) == game.deadline_at, "nobody waits for him any more"
    send(game, 1, {"kind": "ready", "on": False})
    assert moved_to(host, game) == game.deadline_at + 4 * DAY
    play_times.end_vacation(user=ben, number=one.pk)
    assert moved_to(host, game) == game.deadline_at
    away("ben", days=4)
    since(host)
    takeover.resign(game_id=game.pk, user=ben)
    assert moved_to(host, game) == game.deadline_at
    send(game, 2, {"kind": "bid", "coins": 1})
    assert types(host) == [], "nothing has moved"
    assert not Notice.objects.filter(kind="moved").exists()


def test_other_hours_move_a_deadline_and_pages_and_programs_hear_of_it(ada: User, host: Host) -> None:
    game = playable("ada", "ben")
    play_times.choose_hours(user=person_of("ben"), hours=NIGHTS)
    assert moved_to(host, game) > game.deadline_at
    assert fresh(game).version > game.version


def moved_to(host: Host, game: Game) -> datetime:
    """The deadline that the one message since then tells of, which is the one that holds."""
    (told,) = since(host)
    now = fresh(game)
    assert (told["type"], told["data"]["version"]) == ("deadline.moved", now.version)
    assert datetime.fromisoformat(told["data"]["deadline"]) == now.deadline_at
    return now.deadline_at


def test_a_rewind_is_asked_and_a_hold_of_a_moderator_told(ada: User, host: Host) -> None:
    game, lena = everybody_ready(table()), moderator("lena")
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": "A wrong rule.", "seen": seen(game)}
    request = two_people.request_game_act(what=Intervention.REWIND_TO, number=1, **fields)
    rewinds.put_to_players(request_id=request.pk, moderator=lena)
    assert types(host) == ["rewind.asked"]
    interventions.hold(game_id=game.pk, moderator=lena, reason="It looks odd.", seen=seen(game))
    assert types(host) == ["game.held"]
    interventions.retry(game_id=game.pk, moderator=lena, reason="It is fine.", seen=seen(game))
    assert types(host) == ["game.resumed"]


def person_of(name: str) -> User:
    return User.objects.get(username=name)


def test_a_room_that_nobody_comes_to_is_told_to_its_host_and_closed_to_all(ada: User, host: Host) -> None:
    game = lobby.create_game(host=ada, name="Fridays", seats=3, pace="daily", ruleset="toy")
    for days in (settings.WAITING_DAYS - settings.WAITING_NOTICE_DAYS, settings.WAITING_NOTICE_DAYS):
        gone = timedelta(days=days)
        Game.objects.update(stirred_at=F("stirred_at") - gone, closes_at=F("closes_at") - gone)
        waiting_games.close_idle()
        (told,) = since(host)
        assert (told["type"], told["data"]["game"], told["data"]["seat"]) == ("game.idle", game.pk, 0)
    assert told["data"]["version"] == fresh(game).version
