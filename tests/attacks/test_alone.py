"""One member of staff alone, superusers too: every page of the desk, and every form sent to each of its addresses. No
answer tells what is sealed, and nobody gets a seat, an account or powers by it."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.bots import accounts
from game.reputation.models import HouseholdLink
from game.store.game import Game, Seat
from game.store.moderation_models import ApprovalRequest, ModeratorAction
from tests.attacks.test_desk_keys import busy_desk, links_of
from tests.scenes import moderator, of_role, person, seen, table
from tests.tables import send

pytestmark = pytest.mark.django_db
SEALED = re.compile(r"points(?:&quot;|\W){1,8}29\b")
PAGE = re.compile(r"^/admin/(?:game|accounts|auth|mfa)/\w+/\d+/change/$")
ENOUGH = 2  # rows of a kind that forms are sent about; each person is one of a kind


def guarded(game: Game, staff: User) -> dict[str, Any]:
    """What one of them must not change alone."""
    return {
        "seats": sorted(Seat.objects.filter(game=game).values_list("number", "user", "bot")),
        "accounts": sorted(User.objects.exclude(is_bot=True).values_list("pk", "email", "password", "is_active")),
        "addresses": sorted(EmailAddress.objects.values_list("user", "email", "verified")),
        "factors": sorted(Authenticator.objects.values_list("user", "type")),
        "own powers": sorted(User.objects.get(pk=staff.pk).get_all_permissions()),
        "roles": sorted(Group.objects.values_list("name", "permissions")),
        "confirmed": ApprovalRequest.objects.filter(answer="confirmed").count(),
    }


def forms_for(game: Game, staff: User, ben: User) -> list[dict[str, Any]]:
    """Every field that a form of the desk has, and those that Django's own forms would have."""
    who = {"username": staff.username, "email": "lena@example.net", "was_username": ben.username}
    who |= {"was_email": ben.email, "password": "x", "is_active": "", "kind": "ban", "days": "3"}
    seat = {"seat_number": "1", "user": staff.pk, "account": "cash:0", "amount": "1", "minutes": "5"}
    powers = {"is_staff": "on", "is_superuser": "on", "groups": [*Group.objects.values_list("pk", flat=True)]}
    powers["permissions"] = [*Permission.objects.filter(codename="can_read_secrets").values_list("pk", flat=True)]
    every = {"reason": "why", **who, **seat, **powers, **seen(game)._asdict(), "number": game.phase_serial}
    every |= {"post": "yes", "action": "delete_selected", "_selected_action": 1}
    return [every, {**every, "do": "preview"}, {"reason": "why", "do": "read"}]


def words_of(answer: Any) -> str:
    if answer.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return " ".join(archive.read(name).decode() for name in archive.namelist())
    return str(answer.content.decode(errors="replace"))


def signed_in(who: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(who)
    return client


def test_a38_no_form_of_the_desk_opens_a_seat_or_an_account_to_one_alone() -> None:
    game = busy_desk(moderator("Max"), closes=False)
    Game.objects.filter(pk=game.pk).update(is_rated=True, status="running")
    staff = moderator("Lena", is_superuser=True)
    ben = User.objects.get(username="Ben")
    Authenticator.objects.create(user=ben, type=Authenticator.Type.TOTP, data={"secret": "x"})
    client, visited, due = signed_in(staff), set[str](), ["/admin/"]
    met: Counter[str] = Counter()
    before, forms = guarded(game, staff), forms_for(game, staff, ben)
    while due:
        url = due.pop().partition("?")[0]
        if url in visited:
            continue
        visited.add(url)
        answers = [client.get(url)]
        if answers[0].headers.get("Content-Type", "").startswith("text/html"):
            due += links_of(url, words_of(answers[0]))
        kind = url if "/user/" in url else re.sub(r"\d+", "0", url)
        met[kind] += 1
        if met[kind] > ENOUGH:
            assert not SEALED.search(words_of(answers[0])), url
            continue
        if PAGE.match(url):
            due += [url.replace("/change/", f"/{more}/") for more in ("delete", "history")]
            due.append(url.rpartition("/change/")[0].rpartition("/")[0] + "/add/")
        cache.clear()
        answers += [client.post(url, form) for form in (forms if "/game/game/" in url else forms[:1])]
        assert [answer.status_code for answer in answers if answer.status_code >= 500] == [], url
        assert [words for words in map(words_of, answers) if SEALED.search(words)] == [], url
        assert guarded(game, staff) == before, url
    assert len(visited) > 100


def loses_role(who: User) -> None:
    who.groups.clear()


def is_banned(who: User) -> None:
    User.objects.filter(pk=who.pk).update(banned_until=timezone.now() + timedelta(days=1))


def moves_in_with_the_other(who: User) -> None:
    one, two = User.objects.filter(username__in=["Lena", "Max"]).order_by("pk")
    HouseholdLink.objects.create(one=one, two=two, asked_by=who, since=Now())


def gets_powers_from_the_other(who: User) -> None:
    other = User.objects.filter(username__in=["Lena", "Max"]).exclude(pk=who.pk).get()
    details = {"account": who.pk, "by": other.pk}
    ModeratorAction.objects.create(verb="change_powers", reason="why", user=None, details=details)


def sits_down(who: User) -> None:
    Seat.objects.filter(number=1).update(user=who)


def bot_sits_down(who: User) -> None:
    declared = accounts.Declared(["sectors"], ["daily"], 2, 8, 5)
    Seat.objects.filter(number=1).update(user=accounts.make_bot(owner=who, name="Robbie", declared=declared).user)


CHANGES = [loses_role, is_banned, moves_in_with_the_other, gets_powers_from_the_other, sits_down, bot_sits_down]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["Lena", "Max"])
@pytest.mark.parametrize("is_superuser", [False, True])
def test_a38_a_reading_is_asked_for_and_confirmed_by_two_who_still_may(
    change: Callable[[User], None], name: str, is_superuser: bool
) -> None:
    """Between asking and confirming, one of the two loses the role, or comes to be tied to the other or the game."""
    game = table(person("Ada"), person("Ben"))
    send(game, 0, {"kind": "bid_influence", "points": 29})
    lena, max_ = of_role("Lena", "moderator"), of_role("Max", "moderator")
    User.objects.filter(username=name).update(is_superuser=is_superuser and change is not loses_role)
    reader, page = signed_in(lena), reverse("admin:secrets", args=[game.pk])
    assert reader.post(page, {"reason": "why"}).status_code == 302
    request = ApprovalRequest.objects.get()
    confirm = reverse("admin:second", args=[request.pk, "confirm"])
    assert reader.post(confirm).status_code == 422, "her own"
    change(User.objects.get(username=name))
    assert signed_in(max_).post(confirm).status_code >= 400
    for client in (reader, signed_in(max_)):
        assert not SEALED.search(words_of(client.post(page, {"do": "read"})))
    assert ApprovalRequest.objects.get().answer == ""
    assert not ModeratorAction.objects.filter(verb="read_secrets").exists()


def test_a38_a_confirmation_is_used_once_and_by_whoever_asked() -> None:
    game, other = table(person("Ada"), person("Ben")), table(person("Cid"), person("Dan"))
    send(game, 0, {"kind": "bid_influence", "points": 29})
    lena, max_ = of_role("Lena", "moderator"), of_role("Max", "moderator")
    reader, second = signed_in(lena), signed_in(max_)
    page, elsewhere = (reverse("admin:secrets", args=[each.pk]) for each in (game, other))
    reader.post(page, {"reason": "why"})
    confirm = reverse("admin:second", args=[ApprovalRequest.objects.get().pk, "confirm"])
    assert [second.post(confirm).status_code for _ in range(2)] == [302, 422]
    assert SEALED.search(words_of(reader.post(page, {"do": "read"})))
    for client, path in ((second, page), (reader, elsewhere), (second, elsewhere)):
        assert client.post(path, {"do": "read"}).status_code == 422
    ApprovalRequest.objects.update(ends_at=timezone.now())
    assert second.post(confirm).status_code == 422, "again, after the hour"
    assert reader.post(page, {"do": "read"}).status_code == 422
    reader.post(page, {"reason": "once more"})
    assert second.post(confirm).status_code == 422, "the former confirmation"
    assert reader.post(page, {"do": "read"}).status_code == 422
    lena.groups.clear()
    assert reader.post(page, {"do": "read"}).status_code == 403
