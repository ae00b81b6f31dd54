"""Who may intervene, and on what: one permission for each intervention, on the version that was looked at, never at
one's own table."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.admin.verbs import VERBS
from game.bots import accounts
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions, sanctions
from game.people import account_closure
from game.store.game import Game, Status
from game.store.log import LoggedAction
from game.store.moderation_models import Intervention, ModeratorAction
from tests.scenes import by_two, close_by_two, moderator, person, rewind_by_two, seen, table
from tests.tables import READY, fresh, send, signed_in

pytestmark = [pytest.mark.django_db]
WHY = "the post was away"
EXTRA: dict[str, dict[str, Any]] = {
    "extend": {"minutes": 60},
    "to-bot": {"seat_number": 1},
    "to-user": {"seat_number": 1, "username": "Carla"},
    "rewind": {"number": 1},
    "proxy": {"seat_number": 1, "username": "Carla", "days": 7},
    "end-proxy": {"seat_number": 1},
    "excuse": {"seat_number": 1},
    "correct": {"account": "cash:1", "amount": 5},
}
SERVICES: dict[Intervention, Any] = {verb.what: verb.service for verb in VERBS.values()}


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"))


def ask(client: Client, game: Game, key: str, at: interventions.Seen | None = None) -> Any:
    fields = {"reason": WHY, **(at or seen(game))._asdict(), **EXTRA.get(key, {})}
    return client.post(reverse("admin:moderate", args=[game.pk, key]), fields)


def stamp(game: Game) -> list[Any]:
    """Everything that an intervention could change."""
    rows = Game.objects.filter(pk=game.pk).values(), game.seats.values(), game.log.values("number", "note")
    return [*(list(each) for each in rows), ModeratorAction.objects.count()]


@pytest.mark.parametrize("key", VERBS)
def test_mere_staff_may_not_intervene(game: Game, key: str) -> None:
    before = stamp(game)
    lena = signed_in(person("Lena", is_staff=True))
    assert lena.get(reverse("admin:moderate", args=[game.pk, key])).status_code == 403
    assert ask(lena, game, key).status_code == 403
    assert stamp(game) == before


@pytest.mark.parametrize("key", VERBS)
def test_each_intervention_has_its_own_permission(game: Game, key: str) -> None:
    """All the others together do not open it: neither the page nor the service behind it."""
    what, before = VERBS[key].what, stamp(game)
    all_others = moderator("Lena", *(other.value for other in Intervention if other != what))
    assert ask(signed_in(all_others), game, key).status_code == 403
    extra = EXTRA.get(key, {})
    with pytest.raises(Refused, match=f"needs the permission game.can_{what}"):
        SERVICES[what](game_id=game.pk, moderator=all_others, seen=seen(game), reason=WHY, **extra)
    assert stamp(game) == before
    only_this = moderator("Max", what.value)
    assert signed_in(only_this).get(reverse("admin:moderate", args=[game.pk, key])).status_code == 200


def test_view_permission_closes_no_account(game: Game) -> None:
    lena = moderator("Lena", *(other.value for other in Intervention if other != Intervention.CLOSE_ACCOUNT))
    ben = User.objects.get(username="Ben")
    assert signed_in(lena).post(reverse("admin:close_account", args=[ben.pk]), {"reason": WHY}).status_code == 403
    with pytest.raises(Refused, match="can_close_account"):
        account_closure.request_closure(user_id=ben.pk, moderator=lena, reason=WHY)
    assert User.objects.get(pk=ben.pk).is_active


def test_the_desk_shows_only_what_the_moderator_may_do(game: Game) -> None:
    page = signed_in(moderator("Lena", "pause", "extend_deadline")).get(
        reverse("admin:game_game_change", args=[game.pk])
    )
    words = page.content.decode()
    items = [key for key in VERBS if reverse("admin:moderate", args=[game.pk, key]) in words]
    assert items == ["extend", "pause"]
    root = signed_in(person("Root", is_staff=True, is_superuser=True)).get(
        reverse("admin:game_game_change", args=[game.pk])
    )
    assert reverse("admin:moderate", args=[game.pk, "rewind"]) in root.content.decode()


def test_a_double_click_on_resolve_now_closes_one_phase(game: Game) -> None:
    lena, at = signed_in(moderator("Lena")), seen(game)
    assert ask(lena, game, "resolve", at).status_code == 302
    once = stamp(game)
    second = ask(lena, game, "resolve", at)
    assert second.status_code == 409
    assert "has changed since you looked at it" in second.content.decode()
    assert f"phase number {at.serial} then" in second.content.decode()
    assert stamp(game) == once
    assert ask(lena, game, "resolve").status_code == 302, "looked at again, it can be decided again"


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_who_resolve_at_once_one_is_refused(game: Game) -> None:
    at, clicks = seen(game), [moderator("Lena"), moderator("Max")]

    def click(who: User) -> str:
        try:
            interventions.resolve_now(game_id=game.pk, moderator=who, seen=at, reason=WHY)
        except interventions.Stale:
            return "stale"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as clickers:
        assert sorted(clickers.map(click, clicks)) == ["done", "stale"]
    assert ModeratorAction.objects.count() == 1
    assert LoggedAction.objects.filter(game=game, kind="moderation").count() == 1


@pytest.mark.parametrize("key", [key for key in VERBS if key not in {"resume", "retry", "remove"}])
def test_a_stale_intervention_changes_nothing(game: Game, key: str) -> None:
    person("Carla")
    lena, at = signed_in(moderator("Lena")), seen(game)
    send(game, 0, READY)
    before = stamp(game)
    assert ask(lena, game, key, at).status_code == 409
    assert stamp(game) == before


def test_an_intervention_without_its_version_is_refused(game: Game) -> None:
    before, lena = stamp(game), signed_in(moderator("Lena"))
    address = reverse("admin:moderate", args=[game.pk, "pause"])
    for asked in (
        {},
        {"version": "x", "serial": "1"},
        {"version": str(10**30), "serial": "1"},
        {"version": "-1", "serial": "0"},
    ):
        answer = lena.post(address, {"reason": WHY, **asked})
        assert answer.status_code == 422
        assert "does not say which version" in answer.content.decode()
    assert stamp(game) == before


def test_the_form_does_not_tell_of_sealed_revisions(game: Game) -> None:
    """Revising what is sealed changes the seat's own version alone, and the moderator's form stays good."""
    bid = {"kind": "bid_influence", "points": 3}
    send(game, 0, bid)
    lena, address = signed_in(moderator("Lena")), reverse("admin:moderate", args=[game.pk, "pause"])
    at = seen(game)
    send(game, 0, bid | {"points": 4})
    assert seen(game) == at
    assert f'name="version" value="{at.version}"' in lena.get(address).content.decode()


def test_a26_the_page_that_closes_an_account_does_not_tell_in_which_game_somebody_revised(game: Game) -> None:
    """Their games stand in their own order, not in that of the last change."""
    ada = game.seats.get(number=0).user
    assert ada is not None
    other = table(ada, person("Dora"), bots=1, name="The other table")
    lena, address = signed_in(moderator("Lena")), reverse("admin:close_account", args=[ada.pk])
    for revised in (game, other):
        send(revised, 0, {"kind": "bid_influence", "points": 3})
        page = lena.get(address).content.decode()
        assert page.index(game.name) < page.index(other.name)


def test_nobody_intervenes_where_they_sit_not_even_a_superuser(game: Game) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    person("Carla")
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=moderator("Max"),
        seen=seen(game),
        reason=WHY,
        seat_number=1,
        username="Root",
    )
    before, client = stamp(game), signed_in(root)
    desk = client.get(reverse("admin:game_game_change", args=[game.pk])).content.decode()
    assert "You play or played in this game" in desk
    for key in VERBS:
        assert reverse("admin:moderate", args=[game.pk, key]) not in desk
        answer = ask(client, game, key)
        assert answer.status_code == 422, key
        assert "You play or played in this game" in answer.content.decode()
        assert stamp(game) == before


def test_no_account_of_a_neighbour_is_closed(game: Game) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    together = table(person("Dora"), root, name="Wednesday")
    with pytest.raises(Refused, match="You play with Dora in Wednesday"):
        account_closure.request_closure(user_id=User.objects.get(username="Dora").pk, moderator=root, reason=WHY)
    assert fresh(together).bots.keys() == {"2"}


def bot_of(owner: User) -> User:
    declared = accounts.Declared(["toy"], ["daily"], 2, 8, 2)
    return accounts.make_bot(owner=owner, name=f"{owner}1", declared=declared).user


def together(*players: User) -> Game:
    """A game of these people and bots with accounts, the first of them its host."""
    host, *others = players
    waiting = lobby.create_game(host=host, name="Friday", seats=len(players), pace="daily", ruleset="toy")
    lobby.change_game(game_id=waiting.pk, user=host, takes_bots=True)
    for other in others:
        lobby.join_game(game_id=waiting.pk, user=other)
    lobby.start_game(game_id=waiting.pk, user=host)
    return waiting


def lend(game: Game, seat: int, to: str) -> None:
    by_two(
        Intervention.SET_PROXY,
        game_id=game.pk,
        moderator=moderator("Max"),
        seen=seen(game),
        reason=WHY,
        seat_number=seat,
        username=to,
        days=7,
    )


@pytest.mark.parametrize("how", ["their bot", "a bot of hers", "she lends", "they lend", "they play for somebody"])
def test_who_plays_with_somebody_by_whatever_seat_decides_nothing_about_them(how: str) -> None:
    lena, dora, eve, carla = moderator("Lena"), person("Dora"), person("Eve"), person("Carla")
    who = {"person": dora, "moderator": lena, "kind": "warning", "reason": WHY}
    sanctions.impose(**who)
    if how == "their bot":
        together(dora, bot_of(lena))
    elif how == "a bot of hers":
        together(lena, bot_of(dora))
    elif how == "she lends":
        lend(together(lena, dora), 1, carla.username)
    elif how == "they lend":
        lend(together(dora, lena), 1, carla.username)
    else:
        lend(together(dora, eve), 1, lena.username)
    with pytest.raises(Refused, match="You play with Dora in Friday"):
        sanctions.impose(**who)


def test_nobody_gives_a_seat_to_themselves(game: Game) -> None:
    lena = moderator("Lena")
    with pytest.raises(Refused, match="about you"):
        by_two(
            Intervention.HAND_SEAT_TO_USER,
            game_id=game.pk,
            moderator=lena,
            seen=seen(game),
            reason=WHY,
            seat_number=1,
            username="Lena",
        )


def test_an_account_with_more_rights_is_closed_by_its_equals_alone() -> None:
    lena, max_ = moderator("Lena", "close_account"), moderator("Max", "close_account", "pause")
    with pytest.raises(Refused, match="Max has more rights than you"):
        account_closure.request_closure(user_id=max_.pk, moderator=lena, reason=WHY)
    User.objects.filter(pk=max_.pk).update(is_active=True)
    close_by_two(user_id=lena.pk, moderator=max_, reason=WHY)
    assert not User.objects.get(pk=lena.pk).is_active


def test_a_waiting_table_is_removed_with_a_reason_and_its_page_says_so(client: Client) -> None:
    ada, ben = person("Ada"), person("Ben")
    waiting = lobby.create_game(host=ada, name="Buy my book", seats=3)
    lobby.join_game(game_id=waiting.pk, user=ben)
    lena = moderator("Lena", "remove_table")
    interventions.remove_table(game_id=waiting.pk, moderator=lena, seen=seen(waiting), reason="advertising")
    assert fresh(waiting).status == Status.ABANDONED
    act = ModeratorAction.objects.get()
    assert (act.verb, act.reason, act.game, act.user) == ("remove_table", "advertising", waiting, lena)
    assert LoggedAction.objects.get(game=waiting).note == "Moderator Lena removed this game: advertising"
    client.force_login(ben)
    assert "A moderator removed this game: advertising" in client.get(waiting.get_absolute_url()).content.decode()
    assert "Buy my book" not in client.get("/games/").content.decode()
    with pytest.raises(Refused, match="cancelled"):
        lobby.start_game(game_id=waiting.pk, user=ada)


def test_a_game_that_has_begun_is_not_removed(game: Game) -> None:
    with pytest.raises(Refused, match="while the game is running"):
        interventions.remove_table(game_id=game.pk, moderator=moderator("Lena"), seen=seen(game), reason=WHY)


def test_a_rewind_that_is_stale_is_refused(game: Game) -> None:
    lena, at = moderator("Lena"), seen(game)
    interventions.resolve_now(game_id=game.pk, moderator=lena, seen=at, reason=WHY)
    with pytest.raises(interventions.Stale):
        rewind_by_two(game_id=game.pk, moderator=lena, seen=at, reason=WHY, number=1)
