"""Somebody plays a seat for its player: they see its hand and decide while it lasts, and nothing of it afterwards."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from game.bots import accounts
from game.bots.accounts import Declared
from game.clock import sweep
from game.delivery import board_links
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.lobby import lobby, lobby_page
from game.moderation import sanctions, seat_acts
from game.people import account_deletion
from game.reputation.models import HouseholdLink, RatedResult
from game.seats import stand_ins as proxies
from game.seats import takeover
from game.seats.page import day_words
from game.store import eyes
from game.store.case_models import Case
from game.store.eyes import eyes_among
from game.store.game import Game, Seat, Status
from game.store.log import LoggedAction, Notice
from game.store.moderation_models import Intervention
from game.store.proposals import VoteTopic, open_proposal
from game.store.seat_models import StandIn, Tenure
from game.table.board import board_context
from game.votes import voting
from tests.api.clients import Program
from tests.scenes import by_two, client_of, close_by_two, moderator, person, play_on, run_out, seen, table, who
from tests.servers import Mailbox
from tests.tables import confirmed, fresh, send

pytestmark = [pytest.mark.django_db]
BID = {"kind": "bid_influence", "points": 7}
WHY = "in hospital"


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    person("Carla")
    return table(person("Ada"), person("Ben"), bots=1, max_turns=2)


def lena() -> User:
    return User.objects.filter(username="Lena").first() or moderator("Lena")


def asked(game: Game, username: str = "Carla", **more: Any) -> dict[str, Any]:
    what: dict[str, Any] = {"game_id": game.pk, "moderator": lena(), "reason": WHY, "seen": seen(game)}
    return {**what, "seat_number": 1, "username": username, "days": 7, **more}


def stand_in(game: Game, username: str = "Carla", **more: Any) -> None:
    by_two(Intervention.SET_PROXY, **asked(game, username, **more))


def seat_seen_by(game: Game, name: str) -> int | None:
    """The seat whose secrets the board, its own pages and the sockets show this reader."""
    context = board_context(game=fresh(game), user=who(name))
    number = eyes_among(game, game.seats.all(), who(name).pk)
    assert context["view"].seat == number == (context["own_seat"] and context["own_seat"].number)
    return number


def page_of(game: Game, name: str) -> str:
    return client_of(name).get(game.get_absolute_url()).content.decode()


def last_note(game: Game) -> str:
    return LoggedAction.objects.filter(game=game).exclude(note="").latest("number").note


def is_back(game: Game) -> bool:
    """Whether everything is Ben's, and Carla sees what strangers see."""
    now = fresh(game)
    seats = (seat_seen_by(game, "Ben"), seat_seen_by(game, "Carla"))
    return seats == (1, None) and not now.proxies and not StandIn.objects.filter(ended_at=None).exists()


def test_a_proxy_sees_the_hand_and_decides_until_the_owner_is_back(game: Game) -> None:
    send(game, 1, BID)
    mine = board_context(game=fresh(game), user=who("Ben"))["view"]
    assert seat_seen_by(game, "Carla") is None
    stand_in(game)
    assert board_context(game=fresh(game), user=who("Carla"))["view"] == mine
    assert seat_seen_by(game, "Carla") == 1
    assert seat_seen_by(game, "Ben") is None, "one head plays a hand"
    until = StandIn.objects.get().until
    assert last_note(game) == f"Moderator Lena lets Carla play the seat of Ben until {until:%Y-%m-%d}: {WHY}"
    sentence = f"for Ben until {until.day} {until:%B %Y}"
    assert sentence in page_of(game, "Ada")
    brief = page_of(game, "Carla").split('id="stand-in"')[1].split("</p>")[0]
    assert "You play for Ben until" in brief
    assert f"/games/{game.pk}/seat/resign/" not in page_of(game, "Carla")
    page = page_of(game, "Ben")
    assert "Carla plays for you." in page
    assert f'action="/games/{game.pk}/seat/back/"' in page
    User.objects.filter(username="Ben").update(language="de")
    assert re.search(r"Bis \d{1,2}\. \w+ 20\d\d", page_of(game, "Ben"))
    User.objects.filter(username="Ben").update(language="en")
    send(game, 1, BID | {"points": 3})
    assert client_of("Ben").post(f"/games/{game.pk}/seat/back/").status_code == 302
    assert is_back(game)
    assert last_note(game) == "Ben is back and has taken over again from Carla."
    assert fresh(game).load_position().pending[1] != {}, "what was sent in the owner's name counts"
    page = page_of(game, "Carla")
    assert "You play this seat" not in page
    assert sentence not in page
    assert client_of("Carla").post(f"/games/{game.pk}/seat/back/").status_code == 409
    assert client_of("Ben").post(f"/games/{game.pk}/seat/back/").status_code == 302, "doing so twice changes nothing"


def test_a_game_by_invitation_is_open_to_both_only_while_it_lasts(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert client_of("Carla").get(game.get_absolute_url()).status_code == 404
    stand_in(game)
    for name, status in {"Ben": 200, "Carla": 200}.items():
        assert client_of(name).get(game.get_absolute_url()).status_code == status
    assert client_of("Carla").post(f"/games/{game.pk}/seat/give-back/").status_code == 302
    assert last_note(game) == "Carla gave the seat back to Ben, who plays it again."
    assert client_of("Ben").get(game.get_absolute_url()).status_code == 200
    for page in ("", "chat/", "log/", "actions/"):
        assert client_of("Carla").get(f"{game.get_absolute_url()}{page}").status_code in {404, 405}
    assert client_of("Carla").post(f"/games/{game.pk}/seat/give-back/").status_code != 302


def test_the_end_of_the_time_and_a_moderator_end_it(game: Game) -> None:
    stand_in(game)
    sweep.sweep()
    assert seat_seen_by(game, "Carla") == 1
    early = fresh(game).proxies["1"] | {"until": (game.now - timedelta(minutes=1)).isoformat()}
    StandIn.objects.update(until=Now() - timedelta(minutes=1))
    Game.objects.filter(pk=game.pk).update(proxies={"1": early})
    sweep.sweep()
    assert is_back(game)
    assert last_note(game) == "Ben plays again; Carla no longer stands in."
    stand_in(game)
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena(), "reason": "Ben wrote", "seen": seen(game)}
    seat_acts.end_stand_in(**fields, seat_number=1)
    assert is_back(game)
    with pytest.raises(Refused, match="Nobody plays seat 2 for somebody else"):
        seat_acts.end_stand_in(**fields | {"seen": seen(game)}, seat_number=1)
    assert list(StandIn.objects.values_list("end", flat=True)) == ["expired", "moderator"]


def test_mails_go_to_the_proxy_and_misses_are_excused(game: Game) -> None:
    stand_in(game)
    kinds = set(Notice.objects.filter(game=game, seat__number=1).values_list("kind", "user__username"))
    assert ("turn", "Carla") in kinds
    assert {kind for kind, name in kinds if name == "Ben"} == {"proxied"}, (
        "nothing about this decision is left for them"
    )
    run_out(game)
    mine = Tenure.objects.get(game=game, number=1)
    assert (mine.user, mine.missed, mine.decisions, mine.ended_at) == (who("Ben"), 0, 0, None)
    assert mine.excused == 1
    assert Seat.objects.get(game=game, number=1).keeper == ""


def mails_of(mailbox: Mailbox, name: str) -> dict[str, str]:
    """What was sent to somebody, by its subject: the plain text and the page."""
    fields: dict[str, str] = {}
    for message in mailbox.messages:
        if message["To"] == who(name).email:
            parts = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
            fields[message["Subject"]] = " ".join(" ".join(parts).split())
    return fields


def sent(mailbox: Mailbox, name: str) -> str:
    """Everything that is due, sent now to this person, and forgotten."""
    Notice.objects.filter(sent_at=None).update(due_at=Now())
    send_due_notices()
    joined_text = " / ".join(f"{subject}: {text}" for subject, text in mails_of(mailbox, name).items())
    mailbox.messages.clear()
    Notice.objects.filter(sent_at__isnull=False).update(handed_at=Now() - timedelta(hours=1))
    return joined_text


def test_the_owner_is_mailed_what_concerns_them_and_nothing_of_the_hand(mailbox: Mailbox, game: Game) -> None:
    sent(mailbox, "Ben")
    send(game, 1, BID)
    stand_in(game)
    mails, until = sent(mailbox, "Ben"), f"{StandIn.objects.get().until:%-d %B}"
    assert mails.startswith("The Tuesday Consortium: Carla plays for you until ")
    assert f"{until} Carla plays for you, and only Carla sees your seat. Results and rating stay yours." in mails
    assert "choose “Take your seat back”" in mails
    assert game.get_absolute_url() in mails
    assert "Cash" not in mails
    assert "Look at it without signing in" not in mails
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Ada"))
    with pytest.raises(Refused, match="Only they can agree to this"):
        voting.agree(
            topic=VoteTopic.ENDING,
            game_id=game.pk,
            user=who("Carla"),
            number=fresh(game).proposals_made,
        )
    mails = sent(mailbox, "Ben")
    assert "A player proposes to end The Tuesday Consortium" in mails
    assert "Cash" not in mails
    proxies.give_back(game_id=game.pk, user=who("Carla"))
    assert "Your seat is yours again. You see it, and you decide." in sent(mailbox, "Ben")


def test_nobody_inherits_the_vote_on_a_pause_of_whoever_played_before(game: Game) -> None:
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Ben"))
    stand_in(game)
    assert open_proposal(fresh(game), VoteTopic.PAUSE) is None
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Carla"))
    proxies.reclaim_seat(game_id=game.pk, user=who("Ben"))
    assert open_proposal(fresh(game), VoteTopic.PAUSE) is None
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Ada"))
    assert fresh(game).is_running


def test_a_proxy_has_a_say_in_a_pause_and_none_in_the_end_of_the_game(game: Game) -> None:
    """A stand-in votes about the clock, which counts the stand-in's time; only the player votes about the end of the
    game."""
    stand_in(game)
    with pytest.raises(Refused, match="You have no seat"):
        voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Ben"))
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Ada"))
    voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Carla"), number=fresh(game).proposals_made)
    assert fresh(game).status == Status.PAUSED
    with pytest.raises(Refused, match="Only they can agree to this"):
        voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Carla"))


def test_the_proxy_is_mailed_for_whom_until_when_and_that_it_is_over(mailbox: Mailbox, game: Game) -> None:
    sent(mailbox, "Carla")
    stand_in(game)
    kinds = Notice.objects.filter(game=game, user=who("Carla"), channel="mail").values_list("kind", flat=True)
    assert {"stands in", "turn"} <= set(kinds)
    Notice.objects.filter(game=game, user=who("Carla"), kind="turn").delete()
    mails = sent(mailbox, "Carla")
    assert mails.startswith("The Tuesday Consortium: you play for Ben until ")
    assert "you play for Ben, in their name. Results and rating stay theirs." in mails
    proxies.reclaim_seat(game_id=game.pk, user=who("Ben"))
    mails = sent(mailbox, "Carla")
    assert mails.startswith("The Tuesday Consortium: you no longer play for Ben")
    assert "Ben plays again. You see what everybody sees of this game." in mails
    assert "Cash" not in mails
    assert "returned" not in Notice.objects.filter(user=who("Ben")).values_list("kind", flat=True)


def lobby_of(name: str) -> dict[str, Any]:
    return lobby_page.lobby_context(user=who(name))


def test_the_owner_finds_the_game_among_theirs_and_the_proxy_among_what_needs_them(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_open=False)
    stand_in(game)
    told = day_words(StandIn.objects.get().until)
    mine, theirs = lobby_of("Ben"), lobby_of("Carla")
    assert [(entry.stand_in_text, entry.is_asked) for entry in mine["waiting"]] == [
        (f"Carla plays until {told}", False)
    ]
    assert not mine["needs_you"]
    assert [entry.stand_in_text for entry in theirs["needs_you"]] == [f"for another player until {told}"]
    for name in ("Ben", "Carla"):
        assert told in client_of(name).get("/games/").content.decode()
        assert game.name in client_of(name).get("/games/?show=running&mine=1").content.decode()
        assert [each["id"] for each in Program(name).get("games").json()["items"]] == [game.pk]
    proxies.reclaim_seat(game_id=game.pk, user=who("Ben"))
    assert [entry.stand_in_text for entry in lobby_of("Ben")["needs_you"]] == [""]
    assert game.name not in client_of("Carla").get("/games/?show=running").content.decode()
    assert Program("Carla").get("games").json()["items"] == []


def test_tokens_tags_and_links_follow_the_seat(game: Game) -> None:
    """What was fetched, kept or signed while it lasted is worth nothing afterwards, and the other way round."""
    send(game, 1, BID)
    ben, carla, path = Program("Ben"), Program("Carla"), f"games/{game.pk}/position"
    own, links = ben.get(path), {"Ben": link_of(game, "Ben")}
    stand_in(game)
    links["Carla"] = link_of(game, "Carla")
    during = carla.get(path)
    assert during.json()["view"] == own.json()["view"]
    assert ben.get(path, **{"If-None-Match": own["ETag"]}).json()["view"]["seat"] is None
    assert ben.get(f"games/{game.pk}/offers").status_code == ben.move(game, BID).status_code == 403
    assert carla.move(game, BID | {"points": 3}).status_code == 200
    assert {name: Client().get(link).status_code for name, link in links.items()} == {"Ben": 404, "Carla": 200}
    page = client_of("Carla").get(game.get_absolute_url())
    assert ben.post(f"games/{game.pk}/return").status_code < 300
    after = carla.get(path, **{"If-None-Match": during["ETag"]})
    assert (after.status_code, after.json()["view"]["seat"]) == (200, None)
    assert carla.get(f"games/{game.pk}/offers").status_code == carla.move(game, BID).status_code == 403
    assert carla.post(f"games/{game.pk}/give-back").status_code == 403
    assert {name: Client().get(link).status_code for name, link in links.items()} == {"Ben": 200, "Carla": 404}
    again = client_of("Carla").get(game.get_absolute_url(), headers={"If-None-Match": page.get("ETag", '"none"')})
    assert again.status_code == 200, "nothing kept is shown once more"


def link_of(game: Game, name: str) -> str:
    notice = Notice(game=game, seat=game.seats.get(number=1), user=who(name), kind="turn")
    return board_links.board_url(notice).removeprefix("http://testserver")


def test_who_cannot_play_for_somebody(game: Game) -> None:
    for name, why in {"Ada": "plays or played", "Nobody": "No active account", "Lena": "about you"}.items():
        with pytest.raises(Refused, match=why):
            stand_in(game, name)
    for days in (0, 15):
        with pytest.raises(Refused, match="for 1 to 14 days"):
            stand_in(game, days=days)
    with pytest.raises(Refused, match="player with an account"):
        stand_in(game, seat_number=2)
    stand_in(game)
    for more in ({"username": "Ben"}, {"seat_number": 0}):
        with pytest.raises(Refused):
            stand_in(game, **more)
    with pytest.raises(Refused, match="only they can resign"):
        takeover.resign(game_id=game.pk, user=who("Carla"))
    handed = asked(game)
    del handed["days"]
    with pytest.raises(Refused, match="End that first"):
        by_two(Intervention.HAND_SEAT_TO_USER, **handed | {"username": person("Dora").username})
    proxies.give_back(game_id=game.pk, user=who("Carla"))
    with pytest.raises(Refused, match="plays or played"):
        stand_in(game, seat_number=0)  # who saw one hand plays no other


def test_the_result_of_a_rated_game_is_the_owners() -> None:
    ada, ben = person("Ada"), person("Ben")
    person("Carla")
    game = lobby.create_game(host=ada, name="Rated", seats=2, pace="daily", ruleset="toy", is_rated=True)
    lobby.join_game(game_id=game.pk, user=ben, is_rated=True)
    game = lobby.start_game(game_id=game.pk, user=ada)
    stand_in(game)
    assert seat_seen_by(game, "Carla") == 1
    assert play_on(game).status == Status.FINISHED
    assert is_back(game)
    assert StandIn.objects.get().end == StandIn.End.GAME_OVER
    results = RatedResult.objects.filter(game=game).values_list("rating__user__username", "has_left")
    assert set(results) == {("Ada", False), ("Ben", False)}


@pytest.mark.parametrize("name", ["Ben", "Carla"])
@pytest.mark.parametrize("is_closed", [True, False])
def test_an_account_that_goes_ends_it(game: Game, name: str, is_closed: bool) -> None:
    stand_in(game)
    if is_closed:
        close_by_two(user_id=who(name).pk, moderator=lena(), reason="asked for it")
    else:
        account_deletion.delete_account(user=who(name))
        notes = LoggedAction.objects.filter(game=game).values_list("note", flat=True)
        assert not [note for note in notes if name in note]
    seat = Seat.objects.select_related("user").get(game=game, number=1)
    assert (seat.user, seat.keeper) == ((None, "resigned") if name == "Ben" else (who("Ben"), ""))
    assert fresh(game).proxies == {}
    assert not StandIn.objects.filter(ended_at=None).exists()


def files_of(name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(
        io.BytesIO(confirmed(who(name), "correct horse battery").get("/accounts/my-data.zip").content)
    )


def test_both_download_when_it_was(game: Game) -> None:
    stand_in(game)
    for name, role in {"Ben": "player", "Carla": "proxy"}.items():
        (told,) = json.loads(files_of(name).read("stand_ins.json"))
        assert (told["game"], told["seat"], told["as"], told["ended"]) == (game.name, 2, role, None)


@pytest.mark.parametrize("how", ["sat", "stood in"])
def test_a_seat_is_handed_to_nobody_who_has_seen_another_hand_of_the_game(game: Game, how: str) -> None:
    """Whoever had the same seat before may have it again."""
    handed = {key: value for key, value in asked(game).items() if key != "days"}
    if how == "sat":
        by_two(Intervention.HAND_SEAT_TO_USER, **handed)
        by_two(Intervention.HAND_SEAT_TO_USER, **handed | {"seen": seen(game), "username": person("Dora").username})
    else:
        stand_in(game)
        proxies.give_back(game_id=game.pk, user=who("Carla"))
    with pytest.raises(Refused, match="Carla had seat 2 of this game") as refused:
        by_two(Intervention.HAND_SEAT_TO_USER, **handed | {"seen": seen(game), "seat_number": 0})
    assert refused.value.code == "knows_another_hand"
    assert game.seats.get(number=0).user == who("Ada")
    by_two(Intervention.HAND_SEAT_TO_USER, **handed | {"seen": seen(game)})
    assert game.seats.get(number=1).user == who("Carla")


def test_in_a_rated_game_a_player_s_home_may_play_for_them_and_no_rival_s() -> None:
    ada, ben, carla = person("Ada"), person("Ben"), person("Carla")
    game = lobby.create_game(host=ada, name="Rated", seats=2, pace="daily", ruleset="toy", is_rated=True)
    lobby.join_game(game_id=game.pk, user=ben, is_rated=True)
    game = lobby.start_game(game_id=game.pk, user=ada)
    HouseholdLink.objects.create(one=ada, two=carla, asked_by=ada, since=Now())
    with pytest.raises(Refused, match="shares a home"):
        by_two(Intervention.SET_PROXY, **asked(game))
    by_two(Intervention.SET_PROXY, **asked(game, seat_number=0))
    assert fresh(game).seat_stood_in_by(carla.pk) == 0


def test_no_bot_of_the_owner_or_of_the_proxy_plays_against_the_lent_seat(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(takes_bots=True)
    Seat.objects.filter(game=game, number=0).update(keeper="resigned", left_at=Now() - timedelta(days=1))
    stand_in(game)
    bots = {name: bot_of(name) for name in ("Ben", "Carla")}
    for bot in bots.values():
        assert refusal_of(lambda bot=bot: takeover.take_seat(game_id=game.pk, user=bot, number=0)) == "owner_sits"
    proxies.reclaim_seat(game_id=game.pk, user=who("Ben"))
    assert refusal_of(lambda: takeover.take_seat(game_id=game.pk, user=bots["Carla"], number=0)) == "owner_sits", (
        "Carla has seen the hand"
    )
    person("Dora")
    assert takeover.take_seat(game_id=game.pk, user=bot_of("Dora"), number=0).user == User.objects.get(username="Dora1")


def test_nobody_stands_in_or_is_given_a_seat_beside_a_bot_of_their_own(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(takes_bots=True)
    Seat.objects.filter(game=game, number=0).update(keeper="resigned", left_at=Now() - timedelta(days=1))
    takeover.take_seat(game_id=game.pk, user=bot_of("Carla"), number=0)
    assert refusal_of(lambda: stand_in(game)) == "own_bot_sits"
    given = {key: value for key, value in asked(game).items() if key != "days"}
    assert refusal_of(lambda: by_two(Intervention.HAND_SEAT_TO_USER, **given)) == "own_bot_sits"
    by_two(Intervention.HAND_SEAT_TO_USER, **given | {"seat_number": 0})
    assert game.seats.get(number=0).user == who("Carla"), "their bot made way for them"


def bot_of(owner: str) -> User:
    declared = Declared(["sectors"], ["daily"], 2, 8, 2)
    return accounts.make_bot(owner=who(owner), name=f"{owner}1", declared=declared).user


def refusal_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


@pytest.mark.parametrize("why", ["ban", "no_join", "was_sent_away"])
def test_a_seat_goes_to_nobody_whom_the_host_or_a_decision_keeps_out(game: Game, why: str) -> None:
    """Neither to keep nor for a time."""
    if why == "was_sent_away":
        eyes.keep_out(game=game, user_id=who("Carla").pk)
    else:
        sanctions.impose(person=who("Carla"), moderator=lena(), kind=why, reason="no tricks", days=3)
    handed = {key: value for key, value in asked(game).items() if key != "days"}
    expected = why if why == "was_sent_away" else "barred"
    assert refusal_of(lambda: by_two(Intervention.HAND_SEAT_TO_USER, **handed)) == expected
    assert refusal_of(lambda: stand_in(game)) == expected
    assert game.seats.get(number=1).user == who("Ben")


def test_a_player_who_goes_away_asks_a_moderator_at_the_foot_of_the_board(game: Game) -> None:
    ben, address = client_of("Ben"), f"/games/{game.pk}/problem/?kind=proxy"
    assert f'href="{address}"' in page_of(game, "Ben")
    assert re.search(r'value="proxy" required\s+checked', ben.get(address).content.decode())
    words = {"kind": "proxy", "words": "Carla plays for me until Sunday."}
    assert ben.post(address, words).status_code == 302
    case = Case.objects.get()
    assert (case.kind, case.severity, case.reporter) == ("proxy", Case.Severity.HIGH, who("Ben"))
    assert "Ask a moderator" not in page_of(game, "Carla"), "who only looks on has no seat to lend"
    stand_in(game)
    assert [name for name in ("Ben", "Carla") if "Ask a moderator" in page_of(game, name)] == []


def test_nobody_lends_a_seat_for_an_evening() -> None:
    game = table(person("Ada"), person("Ben"), pace="live")
    assert "Resign from this" in page_of(game, "Ben")
    assert "Ask a moderator" not in page_of(game, "Ben")
