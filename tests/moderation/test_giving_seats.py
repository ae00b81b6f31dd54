"""A moderator's act that lets a person see what a seat hides takes two, rated or not, and neither is tied to them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db.models.functions import Now
from django.urls import reverse

from accounts.models import User
from game.engine.actions import Refused
from game.lobby import free_seats
from game.moderation import approvals, roles, seat_acts
from game.people import account_closure, identity, two_people
from game.reputation.models import HouseholdLink
from game.store.game import Game
from game.store.moderation_models import Intervention
from tests.scenes import by_two, moderator, person, seen, table, who
from tests.seats.test_stand_ins import WHY, asked, lena, refusal_of, seat_seen_by, stand_in
from tests.seats.test_takeover import go_away

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    person("Carla")
    return table(person("Ada"), person("Ben"), bots=1)


@pytest.mark.parametrize("what", [Intervention.SET_PROXY, Intervention.HAND_SEAT_TO_USER])
@pytest.mark.parametrize("is_rated", [True, False])
def test_a38_no_moderator_alone_gives_anybody_a_hand_to_see(game: Game, what: Intervention, is_rated: bool) -> None:
    Game.objects.filter(pk=game.pk).update(is_rated=is_rated)
    given = {name: value for name, value in asked(game).items() if name != "days" or what is Intervention.SET_PROXY}
    with pytest.raises(Refused, match="needs a second person"):
        two_people.GAME_ACTS[what](**given)
    assert seat_seen_by(game, "Carla") is None
    by_two(what, **given)
    assert seat_seen_by(game, "Carla") == 1


@pytest.mark.parametrize("role", ["asker", "second"])
def test_a38_neither_of_the_two_is_tied_to_whoever_gets_a_seat(game: Game, role: str) -> None:
    """Powers given lately tie people as a home does, and both together."""
    root, max_ = moderator("Root", is_superuser=True), moderator("Max")
    staff = roles.Powers(is_staff=True, is_superuser=False, groups=frozenset(), permissions=frozenset())
    roles.change_powers(user_id=who("Carla").pk, moderator=root, reason=WHY, wanted=staff)
    HouseholdLink.objects.create(one=who("Carla"), two=person("Dora"), asked_by=who("Carla"), since=Now())
    for name in ("Carla", "Dora"):
        if role == "asker":
            assert refusal_of(partial(stand_in, game, name, moderator=root)) == "tied_to_receiver"
            continue
        request = two_people.request_game_act(what=Intervention.SET_PROXY, **asked(game, name))
        assert approvals.who_may_confirm(request, lena()) == [max_]
        confirm = partial(two_people.confirm_about_game, request_id=request.pk, moderator=root, seen=seen(game))
        assert refusal_of(confirm) == "tied_to_receiver"
        approvals.refuse(request_id=request.pk, moderator=lena(), reason="no need")


@pytest.mark.parametrize("what", [Intervention.SET_PROXY, Intervention.HAND_SEAT_TO_USER])
def test_a38_a_request_is_for_an_account_not_for_a_name(game: Game, client: Any, what: Intervention) -> None:
    max_ = moderator("Max")
    given = {name: value for name, value in asked(game).items() if name != "days" or what is Intervention.SET_PROXY}
    request = two_people.request_game_act(what=what, **given)
    for was, now in (("Carla", "Carola"), ("Sock", "carla")):
        User.objects.filter(pk=(who(was) if was == "Carla" else person(was)).pk).update(username=now)
    client.force_login(max_)
    page = client.get(reverse("admin:game_approvalrequest_change", args=[request.pk])).content.decode()
    assert "has another name now" in page
    assert "receiver" not in page.lower()
    sent = client.post(reverse("admin:second", args=[request.pk, "confirm"]), seen(game)._asdict())
    assert sent.status_code == 409
    assert not game.seats.filter(user__username__in=["carla", "Carola"]).exists()
    approvals.refuse(request_id=request.pk, moderator=lena(), reason="renamed")
    User.objects.filter(username="carla").update(username="Sock")
    by_two(what, **{**given, "username": "Carola", "seen": seen(game)})
    assert seat_seen_by(game, "Carola") == 1


@pytest.mark.parametrize("act", ["close", "address", "factors"])
def test_a38_who_decides_about_an_account_does_not_take_its_seat(game: Game, client: Any, act: str) -> None:
    """Closing it frees its seats at once; whoever is signed out everywhere may be away for long."""
    ben, root, max_ = who("Ben"), moderator("Root"), moderator("Max")
    asking: dict[str, Any] = {"user_id": ben.pk, "moderator": root, "reason": WHY}
    if act == "close":
        account_closure.confirm_closing(request_id=account_closure.request_closure(**asking).pk, moderator=max_)
    elif act == "address":
        request = identity.change_identity(
            **asking, seen=identity.identity_of(ben), wanted=identity.Identity("Ben", "new@example.net")
        )
        assert request is not None
        identity.confirm_new_address(request_id=request.pk, moderator=max_)
    else:
        Authenticator.objects.create(user=ben, type=Authenticator.Type.TOTP, data={"secret": "x"})
        identity.confirm_removing_factors(request_id=identity.request_factor_removal(**asking).pk, moderator=max_)
    if act != "close":
        go_away(game, 1, timedelta(days=3))
    HouseholdLink.objects.create(one=max_, two=person("Lars"), asked_by=max_, since=Now())
    for name, status in (("Root", 409), ("Max", 409), ("Lars", 409), ("Carla", 302)):
        client.force_login(who(name))
        if status == 409:
            assert not free_seats.free_seats(user=who(name))
        assert client.post(f"/games/{game.pk}/seats/1/take/").status_code == status, name
    assert game.seats.get(number=1).user == who("Carla")


def rename(game: Game, root: User) -> list[str]:
    """Ben cannot sign in by the name that he knows."""
    ben = who("Ben")
    names = {"seen": identity.identity_of(ben), "wanted": identity.Identity("Benno", ben.email)}
    identity.change_identity(user_id=ben.pk, moderator=root, reason=WHY, **names)
    return []


def end_lending(game: Game, root: User) -> list[str]:
    """The seat is Ben's again, who cannot play."""
    by_two(Intervention.SET_PROXY, **asked(game))
    seat_acts.end_stand_in(game_id=game.pk, moderator=root, reason=WHY, seen=seen(game), seat_number=1)
    return ["Lena", "Second"]


@pytest.mark.parametrize("act", [rename, end_lending])
def test_a38_who_acts_on_a_seat_or_its_player_does_not_take_it(
    game: Game, client: Any, act: Callable[[Game, User], list[str]]
) -> None:
    root = moderator("Root")
    HouseholdLink.objects.create(one=root, two=person("Lars"), asked_by=root, since=Now())
    person("Dora")
    others = act(game, root)
    go_away(game, 1, timedelta(days=3))
    for name in ("Root", "Lars", *others, "Dora"):
        client.force_login(who(name))
        assert bool(free_seats.free_seats(user=who(name))) is (name == "Dora"), name
        status = client.post(f"/games/{game.pk}/seats/1/take/").status_code
        assert status == (302 if name == "Dora" else 409), name
    assert game.seats.get(number=1).user == who("Dora")
