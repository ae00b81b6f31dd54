"""People who share a home say so themselves: they never sit together in a rated game, and are not suspected for it."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts import emails
from accounts.languages import override_language
from accounts.models import User
from game import tasks
from game.engine.actions import Refused
from game.lobby import lobby
from game.lobby.free_seats import free_seats
from game.moderation import detectors, interventions, multi_accounts
from game.moderation.models import Fingerprint
from game.moderation.multi_accounts import note_visit
from game.people import account_deletion
from game.reputation import households
from game.reputation.models import HouseholdLink
from game.seats import takeover
from game.store.case_models import Case
from game.store.game import Game, Keeper, Seat, Status
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.seat_models import Invitation
from tests import scenes
from tests.api.clients import Program
from tests.scenes import by_two, meanwhile, moderator, play_on
from tests.tables import confirmed, fresh, new_game, person, signed_in

pytestmark = [pytest.mark.django_db]
PAGE = "/accounts/households/"


def answer_at(link: HouseholdLink, verb: str) -> str:
    """The address of an answer; it contains no key, which would count the links of others."""
    return reverse("answer_household", args=[link.pk, verb])


def link(one: str = "ada", other: str = "ben") -> HouseholdLink:
    """The one asks, the other confirms."""
    households.request_link(user=person(one), name=person(other).username)
    made = HouseholdLink.objects.latest("pk")
    households.confirm(user=person(other), number=made.pk)
    return HouseholdLink.objects.get(pk=made.pk)


def rated(host: str = "ada", seats: int = 3, **more: Any) -> Game:
    return lobby.create_game(
        host=person(host), name="Rated", seats=seats, ruleset="power_up", pace="daily", is_rated=True, **more
    )


def running(*names: str) -> Game:
    """A rated game under way."""
    game = rated(names[0], seats=len(names))
    for name in names[1:]:
        lobby.join_game(game_id=game.pk, user=person(name))
    return fresh(lobby.start_game(game_id=game.pk, user=person(names[0])))


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def share_browser(*names: str) -> None:
    people = [person(name) for name in names]
    note_visit(user=people[0], address="192.0.2.10", others_here=[other.pk for other in people[1:]])
    Fingerprint.objects.exclude(kind=Fingerprint.Kind.DEVICE).delete()


# --- saying so


def test_one_asks_on_the_page_the_other_confirms_and_both_see_since_when() -> None:
    ada, ben = signed_in(person("ada")), signed_in(person("ben"))
    assert ada.post(PAGE, {"name": "BEN"})["Location"] == PAGE
    made = HouseholdLink.objects.get()
    assert "has not answered yet" in ada.get(PAGE).content.decode()
    html = ben.get(PAGE).content.decode()
    assert "says that you share a home or a connection" in html
    assert f'action="{answer_at(made, "confirm")}"' in html
    assert ben.post(answer_at(made, "confirm")).status_code == 302
    day = timezone.localdate()
    for reader in (ada, ben):
        assert f"confirmed on {day.day} {day:%B %Y}" in reader.get(PAGE).content.decode()
    assert PAGE in ada.get("/accounts/preferences/").content.decode()


def test_whoever_asks_back_confirms_and_asking_twice_changes_nothing() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    households.request_link(user=person("ada"), name="ben")
    households.request_link(user=person("ben"), name="ada")
    assert HouseholdLink.objects.get().since
    households.request_link(user=person("ada"), name="ben")
    assert HouseholdLink.objects.count() == 1


def test_who_declines_is_not_asked_again_for_thirty_days_and_may_ask_themselves() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    households.decline(user=person("ben"), number=HouseholdLink.objects.get().pk)
    with override_language("de"), pytest.raises(Refused, match=r"Ab \d{1,2}\. \w+ 20\d\d kannst") as refused:
        households.request_link(user=person("ada"), name="ben")
    assert refused.value.code == "was_declined"
    assert [each.state for each in households.links_of(person("ada"))] == ["declined"]
    assert households.links_of(person("ben")) == []
    households.request_link(user=person("ben"), name="ada")
    assert {each.state for each in households.links_of(person("ada"))} == {"asks", "declined"}


def test_only_the_asker_withdraws_only_the_other_answers_and_a_stranger_does_neither() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    link = HouseholdLink.objects.get()
    number = link.pk
    assert code_of(lambda: households.confirm(user=person("ada"), number=number)) == "not_yours"
    assert code_of(lambda: households.withdraw(user=person("ben"), number=number)) == "no_such_link"
    mallory = signed_in(person("mallory"))
    for verb in ("confirm", "decline", "withdraw", "end"):
        answer = mallory.post(answer_at(link, verb))
        assert answer.status_code == 422
        assert "no such link or request" in answer.content.decode()
    assert mallory.post(answer_at(link, "sell")).status_code == 404
    assert HouseholdLink.objects.get().since is None
    households.withdraw(user=person("ada"), number=number)
    assert not HouseholdLink.objects.exists()


def test_names_tell_no_more_than_the_pages_of_people_do() -> None:
    User.objects.create_user("Gone", is_active=False)
    User.objects.create_user("Robot", is_bot=True)
    ada = signed_in(person("ada"))
    result = set()
    for name in ("nobody", "Gone", "Robot"):
        answer = ada.post(PAGE, {"name": name})
        assert answer.status_code == 422
        result.add("There is no such player." in answer.content.decode())
    assert result == {True}
    assert "your own name" in ada.post(PAGE, {"name": "Ada"}).content.decode()
    assert ada.post(PAGE, {"name": ""}).status_code == 422


def test_guests_declare_nothing() -> None:
    guest = User.objects.create_user("Guest 7", is_guest=True)
    person("ben")
    client = signed_in(guest)
    page = client.get(PAGE).content.decode()
    assert "Sign up to declare a shared home" in page
    assert 'name="name"' not in page
    assert client.post(PAGE, {"name": "ben"}).status_code == 422
    assert not HouseholdLink.objects.exists()


def test_ten_questions_a_day_and_ten_links(settings: Any) -> None:
    ada = signed_in(person("ada"))
    settings.LIMITED, settings.LIMITS = True, {"household": 2, "households": 1}
    assert ada.post(PAGE, {"name": person("ben").username}).status_code == 302
    full = ada.post(PAGE, {"name": person("carla").username})
    assert (full.status_code, "1 links and requests" in full.content.decode()) == (422, True)
    assert ada.post(PAGE, {"name": "carla"}).status_code == 429


def test_what_is_over_is_forgotten_after_thirty_days() -> None:
    made = link()
    households.end(user=person("ben"), number=made.pk)
    tasks.forget_old_traces()
    assert [each.state for each in households.links_of(person("ada"))] == ["ended"]
    HouseholdLink.objects.update(kept_until=timezone.now())
    assert households.links_of(person("ada")) == []
    tasks.forget_old_traces()
    assert not HouseholdLink.objects.exists()


# --- sitting down


def test_linked_people_do_not_sit_together_in_a_rated_game_and_do_in_others() -> None:
    link()
    game = rated()
    refused = signed_in(person("ben")).post(f"/games/{game.pk}/join/", {"rated": "1"}, follow=True)
    assert "Choose a game that is not rated." in refused.content.decode()
    program = Program("ben")
    answer = program.post(f"games/{game.pk}/seats")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "linked_player")
    hidden = rated(is_open=False)
    token = Invitation.objects.get(game=hidden).token
    assert code_of(lambda: lobby.join_game(game_id=hidden.pk, user=person("ben"), token=token)) == "linked_player"
    assert lobby.join_game(game_id=game.pk, user=person("carla"))
    open_to_all = lobby.create_game(host=person("ada"), name="Friends", seats=2, ruleset="power_up", pace="daily")
    assert lobby.join_game(game_id=open_to_all.pk, user=person("ben"))


def test_a_link_between_two_guests_of_a_table_counts_like_one_with_its_host() -> None:
    link("ben", "carla")
    game = rated()
    lobby.join_game(game_id=game.pk, user=person("ben"))
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("carla"))) == "linked_player"
    lobby.leave_game(game_id=game.pk, user=person("ben"))
    assert lobby.join_game(game_id=game.pk, user=person("carla")), "who left before the start has seen nothing"


def test_a_game_in_which_both_sit_does_not_become_rated() -> None:
    link()
    game = lobby.create_game(host=person("ada"), name="Friends", seats=2, ruleset="power_up", pace="daily")
    lobby.join_game(game_id=game.pk, user=person("ben"))
    assert code_of(lambda: lobby.change_game(game_id=game.pk, user=person("ada"), is_rated=True)) == "others_seated"
    lobby.leave_game(game_id=game.pk, user=person("ben"))
    lobby.change_game(game_id=game.pk, user=person("ada"), is_rated=True)
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("ben"))) == "linked_player"


def test_who_waits_in_a_rated_game_together_confirms_when_one_has_left() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    number, game = HouseholdLink.objects.get().pk, rated()
    lobby.join_game(game_id=game.pk, user=person("ben"))
    assert code_of(lambda: households.confirm(user=person("ben"), number=number)) == "sits_there"
    lobby.leave_game(game_id=game.pk, user=person("ben"))
    households.confirm(user=person("ben"), number=number)
    assert HouseholdLink.objects.get().since


def test_an_ended_link_holds_for_thirty_days_more() -> None:
    made, game = link(), rated()
    assert signed_in(person("ada")).post(answer_at(made, "end")).status_code == 302
    HouseholdLink.objects.update(kept_until=timezone.now() + timedelta(minutes=1))
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("ben"))) == "linked_player"
    HouseholdLink.objects.update(kept_until=timezone.now())
    assert lobby.join_game(game_id=game.pk, user=person("ben"))


def test_no_seat_of_a_rated_game_is_taken_over_beside_a_linked_player_or_after_one() -> None:
    link("ada", "dora")
    link("ben", "emil")
    game = running("ada", "ben", "carla")
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.RESIGNED, left_at=timezone.now() - timedelta(days=9))
    for name in ("dora", "emil"):
        assert (
            code_of(lambda name=name: takeover.take_seat(game_id=game.pk, user=person(name), number=1)) == "cannot_take"
        )
        page = signed_in(person(name)).get(game.get_absolute_url()).content.decode()
        assert f"/games/{game.pk}/seats/1/take/" not in page
    assert takeover.take_seat(game_id=game.pk, user=person("fay"), number=1).user == person("fay")


def test_no_page_offers_a_seat_of_a_rated_game_beside_a_linked_player_and_each_says_why() -> None:
    link("ada", "dora")
    game, hidden = rated(), rated(is_open=False)
    invitation = reverse("invitation", args=[hidden.pk, Invitation.objects.get(game=hidden).token])
    fields = {"/": True, "/games/?show=open": True, "/games/?show=open&may=1": False}
    for path, is_listed in fields.items():
        for name, may_join in (("dora", False), ("emil", True)):
            page = signed_in(person(name)).get(path).content.decode()
            assert (f'action="/games/{game.pk}/join/"' in page) is may_join, (path, name)
            assert ("a player of this rated game" in page) is (is_listed and not may_join), (path, name)
    for path in (game.get_absolute_url(), invitation):
        for name, may_join in (("dora", False), ("emil", True)):
            page = signed_in(person(name)).get(path).content.decode()
            assert ("Take a seat" in page) is may_join, (path, name)
            assert ("You cannot take a seat in this rated game" in page) is not may_join, (path, name)


def test_a_free_seat_of_a_rated_game_is_not_listed_for_a_linked_player() -> None:
    link("ada", "dora")
    game = running("ada", "ben", "carla")
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.RESIGNED, left_at=timezone.now())
    assert not free_seats(user=person("dora"))
    assert [seat.take_url for seat in free_seats(user=person("emil"))] == [f"/games/{game.pk}/seats/1/take/"]


def test_a_moderator_hands_no_seat_of_a_rated_game_to_a_linked_player() -> None:
    link("ada", "dora")
    game, lena = running("ada", "ben"), moderator("Lena")
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": "ben asked", "seat_number": 1}
    give = interventions.Intervention.HAND_SEAT_TO_USER

    def hand(name: str) -> None:
        by_two(give, seen=scenes.seen(game), username=person(name).username, **fields)

    assert code_of(lambda: hand("dora")) == "linked_player"
    assert game.seats.get(number=1).user == person("ben")
    hand("fay")
    assert game.seats.get(number=1).user == person("fay")


def test_nobody_plays_a_seat_of_a_rated_game_for_its_player_beside_a_linked_one() -> None:
    link("ada", "dora")
    link("emil", "fay")
    game, lena = running("ada", "ben"), moderator("Lena")
    fields: dict[str, Any] = {
        "game_id": game.pk,
        "moderator": lena,
        "reason": "ben is ill",
        "seat_number": 1,
        "days": 2,
    }

    def stand_in(name: str) -> None:
        by_two(Intervention.SET_PROXY, seen=scenes.seen(game), username=person(name).username, **fields)

    assert code_of(lambda: stand_in("dora")) == "linked_player"
    stand_in("emil")
    assert households.why_not(game=fresh(game), user_id=person("fay").pk), "emil knows the hand of a seat"


@pytest.mark.django_db(transaction=True)
def test_of_two_linked_people_who_sit_down_at_once_one_is_refused() -> None:
    link("ben", "carla")
    game, carla = rated(), person("carla")
    ben = person("ben")
    sits, other = (partial(lobby.join_game, game_id=game.pk, user=user) for user in (ben, carla))
    assert meanwhile(sits, other) == "linked_player"
    assert game.seats.count() == 2


@pytest.mark.django_db(transaction=True)
def test_who_confirms_while_the_other_sits_down_is_refused() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    number, game, ben = HouseholdLink.objects.get().pk, rated(), person("ben")
    sits, confirms = partial(lobby.join_game, game_id=game.pk), partial(households.confirm, number=number)
    assert meanwhile(partial(sits, user=ben), partial(confirms, user=ben)) == "sits_there"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("answer", ["confirm", "decline", "end", "withdraw"])
def test_a_request_that_is_withdrawn_while_it_is_answered_is_no_longer_there(answer: str) -> None:
    ada, ben = person("ada"), person("ben")
    households.request_link(user=ada, name=ben.username)
    number = HouseholdLink.objects.get().pk
    answers = partial(getattr(households, answer), user=ada if answer == "withdraw" else ben, number=number)
    assert meanwhile(partial(households.withdraw, user=ada, number=number), answers) == "no_such_link"
    assert not HouseholdLink.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_who_sits_down_while_the_other_confirms_is_refused() -> None:
    households.request_link(user=person("ada"), name=person("ben").username)
    number, game, ben = HouseholdLink.objects.get().pk, rated(), person("ben")
    sits, confirms = partial(lobby.join_game, game_id=game.pk), partial(households.confirm, number=number)
    assert meanwhile(partial(confirms, user=ben), partial(sits, user=ben)) == "linked_player"


# --- what it is worth: no suspicion


def toy(*names: str) -> Game:
    return play_on(new_game(*names, ruleset="toy", pace="daily", rounds=1))


@pytest.fixture(autouse=True)
def short(settings: Any) -> None:
    settings.LIMITED, settings.EXTRA_CHOICES = False, {"rounds": (12,)}


def test_what_linked_people_share_opens_no_case_and_for_others_it_does() -> None:
    share_browser("ada", "ben")
    share_browser("carla", "dora")
    link()
    toy("ada", "ben", "carla", "dora")
    assert detectors.compare_ended() == 1
    assert set(Case.objects.get().people.values_list("username", flat=True)) == {"carla", "dora"}


def test_a_link_that_was_only_asked_for_explains_nothing() -> None:
    share_browser("ada", "ben")
    households.request_link(user=person("ada"), name="ben")
    toy("ada", "ben")
    assert detectors.compare_ended() == 1


def test_play_that_stands_out_opens_a_case_that_says_they_are_linked() -> None:
    from tests.moderation.test_detectors import bidding

    share_browser("ada", "ben")
    made = link()
    bidding(carla=1)
    detectors.compare_ended()
    case = Case.objects.get()
    assert case.evidence["detectors"] == ["choices"], "neither the browser nor the hour they play at"
    assert case.severity == Case.Severity.NORMAL
    assert made.since
    assert f"Both declared on {made.since.date()} that they share a home" in case.evidence["play"][0]["text"]


def test_a_rated_game_that_they_played_before_they_said_so_is_looked_at_all_the_same() -> None:
    share_browser("ada", "ben")
    game = running("ada", "ben")
    made = link()
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, finished_at=timezone.now(), deadline_at=None)
    detectors.compare_ended()
    rows = Case.objects.get().evidence
    assert rows["detectors"][0] == "device"
    assert made.since
    assert f"Both declared on {made.since.date()}" in rows["accounts"][0]["text"]


def test_a_hint_says_since_when_they_are_linked() -> None:
    share_browser("ada", "ben")
    game = new_game("ada", "ben", ruleset="toy", pace="daily")
    assert "share a home" not in multi_accounts.hints_of_game(game.pk)[0].words
    link()
    day = timezone.now().date()
    assert f"they share a home or a connection, as declared on {day}" in multi_accounts.hints_of_game(game.pk)[0].words


# --- the desk


def test_a_moderator_records_a_link_tells_both_and_only_moderators_end_it() -> None:
    lena, game = moderator("Lena"), rated()
    ada, ben = person("ada"), scenes.person("ben")
    desk, client = reverse("admin:person_desk", args=[ada.pk]), signed_in(lena)
    sent = {"username": "ben", "reason": "They wrote so in case 7."}
    assert client.post(reverse("admin:act_on_person", args=[ada.pk, "link"]), sent)["Location"] == desk
    made = HouseholdLink.objects.get()
    html = client.get(desk).content.decode()
    assert "recorded by a moderator" in html
    assert reverse("admin:person_desk", args=[ben.pk]) in html
    emails.send_queued()
    assert ["ada" in each.body and "case 7" in each.body for each in mail.outbox] == [True]
    assert mail.outbox[0].to == [ben.email]
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=ben)) == "linked_player"
    assert code_of(lambda: households.end(user=ben, number=made.pk)) == "moderators_only"
    assert answer_at(made, "end") not in signed_in(ben).get(PAGE).content.decode()
    unlink = reverse("admin:unlink_players", args=[ada.pk, made.pk])
    assert client.post(unlink, {"reason": ""}).status_code == 422
    assert client.post(unlink, {"reason": "They moved."})["Location"] == desk
    assert lobby.join_game(game_id=game.pk, user=ben), "what a moderator ends, ends at once"
    acts = ModeratorAction.objects.order_by("pk").values_list("verb", "user", "reason", "details__state")
    assert [*acts] == [
        ("link_players", lena.pk, "They wrote so in case 7.", "linked"),
        ("link_players", lena.pk, "They moved.", "ended"),
    ]


def test_who_has_not_the_permission_sees_links_and_changes_none() -> None:
    made, hugo = link(), moderator("Hugo", "handle_cases")
    client, ada = signed_in(hugo), person("ada")
    page = client.get(reverse("admin:person_desk", args=[ada.pk])).content.decode()
    assert "declared by both" in page
    assert "unlink" not in page
    assert "Record a shared home" not in page
    client.post(reverse("admin:unlink_players", args=[ada.pk, made.pk]), {"reason": "no"})
    sent = {"username": person("carla").username, "reason": "no"}
    assert client.post(reverse("admin:act_on_person", args=[ada.pk, "link"]), sent).status_code == 422
    assert HouseholdLink.objects.get() == made


def test_no_moderator_acts_on_links_of_their_own_or_of_those_they_play_with() -> None:
    lena = moderator("Lena")
    fields: dict[str, Any] = {"moderator": lena, "reason": "why"}
    assert code_of(lambda: multi_accounts.record_link(person=person("ada"), username="Lena", **fields)) == "about_you"
    made = link("ada", "Lena")
    assert code_of(lambda: multi_accounts.remove_link(person=person("ada"), number=made.pk, **fields)) == "lives_with"
    made.delete()
    new_game("ben", "Lena", ruleset="toy", pace="daily")
    assert code_of(lambda: multi_accounts.record_link(person=person("ada"), username="ben", **fields)) == "plays_with"
    other = multi_accounts.record_link
    assert code_of(lambda: other(person=person("ada"), username="ada", **fields)) == "about_you"
    assert code_of(lambda: other(person=person("ada"), username="nobody", **fields)) == "no_such_account"


# --- what is kept


def test_the_export_has_it_and_deleting_the_account_removes_it() -> None:
    made, ada = link(), person("ada")
    packed = confirmed(ada).get("/accounts/my-data.zip").content
    part = json.loads(zipfile.ZipFile(io.BytesIO(packed)).read("account.json"))["shared_home"]
    assert [(each["with"], each["state"]) for each in part] == [("ben", "linked")]
    assert part[0]["since"][:10] == str(made.since)[:10]
    account_deletion.delete_account(user=ada)
    assert not HouseholdLink.objects.exists()
    assert households.links_of(person("ben")) == []
