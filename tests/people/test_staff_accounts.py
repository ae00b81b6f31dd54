"""What staff can learn and change through the admin: nothing by filters, nobody else's name or address, no account with
more rights."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts import emails
from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, interventions, roles
from game.moderation.roles import Powers
from game.people import identity
from game.people.identity import Identity
from game.reputation.models import HouseholdLink
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from tests.accounts.test_second_factor import left_open
from tests.scenes import moderator, of_role, person, table

pytestmark = [pytest.mark.django_db]
# What nobody may guess, wherever a path through the tables leads to it.
HIDDEN = {
    "password", "secret", "past_secrets", "state", "inputs", "course", "token", "digest", "fingerprint", "action",
    "events", "snapshot", "packed",
    "content", "key", "session_key", "session_data", "version", "email", "is_superuser",
}  # fmt: skip
HOPS = 2


def hidden_paths(model: type[Model], hops: int = HOPS, prefix: str = "") -> Iterator[str]:
    """Every path from a model to a hidden column, through so many relations in either direction."""
    for field in model._meta.get_fields():
        if not field.is_relation:
            yield from [prefix + field.name] * (field.name in HIDDEN)
        elif isinstance(field.related_model, type) and hops and not getattr(field, "hidden", False):
            yield from hidden_paths(field.related_model, hops - 1, f"{prefix}{field.name}__")


ADMINS = sorted((model for model in admin.site._registry), key=lambda model: model._meta.label)


@pytest.mark.trial
@pytest.mark.parametrize("model", ADMINS, ids=lambda model: model._meta.label)
def test_no_page_of_the_admin_filters_by_what_is_hidden(client: Client, model: type[Model]) -> None:
    table(person("Ada"), person("Ben"))
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    # A column of the row itself that the list offers as a filter is no secret.
    open_ones = {name for name in admin.site._registry[model].list_filter if isinstance(name, str)}
    paths = [path for path in hidden_paths(model) if path not in open_ones]
    guessed = [f"{path}{way}" for path in paths for way in ("__startswith", "__gt", "")]
    answers = {lookup: client.get(address, {lookup: "a"}).status_code for lookup in guessed}
    assert {lookup: status for lookup, status in answers.items() if status != 400} == {}
    assert client.get(address).status_code == 200


def test_the_paths_that_are_tried_lead_through_relations() -> None:
    assert {"host__password", "seats__user__password", "secret", "log__fingerprint"} <= set(hidden_paths(Game))
    assert {"password", "groups__user__password", "seats__game__secret"} <= set(hidden_paths(User))


def test_a_password_is_not_guessed_letter_by_letter(client: Client) -> None:
    lena = person("Lena", is_staff=True)
    lena.user_permissions.add(Permission.objects.get(codename="view_user"))
    ada = person("Ada")
    client.force_login(lena)
    address = reverse("admin:accounts_user_changelist")
    assert client.get(address, {"password__startswith": ada.password[:20]}).status_code == 400
    assert client.get(address, {"is_staff__exact": "1", "q": "Lena"}).status_code == 200


def test_a_helper_learns_no_address_and_nobody_a_time_zone(client: Client) -> None:
    """Whoever may change an address reads it, and when its owner last signed in."""
    ada = person("Ada")
    User.objects.filter(pk=ada.pk).update(timezone="Pacific/Chatham", last_login="2025-03-04T12:00Z")
    places = reverse("admin:accounts_user_changelist"), reverse("admin:accounts_user_change", args=[ada.pk])
    for role, reads in {"helper": False, "moderator": True, "admin": True}.items():
        client.force_login(of_role(role.capitalize(), role))
        pages = [client.get(place).content.decode() for place in places]
        assert all("Ada" in page for page in pages)
        assert ["ada@example.org" in page for page in pages] == [reads, reads], role
        assert ["March 4, 2025" in page or "4 March 2025" in page for page in pages] == [reads, reads], role
        assert not [page for page in pages if "Chatham" in page]
        found = client.get(places[0], {"q": "ada@example"}).content.decode()
        assert (reverse("admin:accounts_user_change", args=[ada.pk]) in found) is reads, role


def test_nobody_changes_a_group_not_even_a_superuser(client: Client) -> None:
    lena = person("Lena", is_staff=True)
    lena.user_permissions.set(
        Permission.objects.filter(codename__in=["view_group", "add_group", "change_group", "delete_group"])
    )
    moderators = Group.objects.create(name="Moderators")
    lena.groups.add(moderators)
    client.force_login(lena)
    address = reverse("admin:auth_group_change", args=[moderators.pk])
    everything = [str(pk) for pk in Permission.objects.values_list("pk", flat=True)]
    assert client.post(address, {"name": "Moderators", "permissions": everything}).status_code == 403
    assert not moderators.permissions.exists()
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    assert client.get(address).status_code == 200
    changed = {"name": "Others", "permissions": everything[:1]}
    places = (address, reverse("admin:auth_group_add"), reverse("admin:auth_group_delete", args=[moderators.pk]))
    assert [client.post(place, changed).status_code for place in places] == [403, 403, 403]
    assert not moderators.permissions.exists()
    assert Group.objects.get(pk=moderators.pk).name == "Moderators"


def test_the_addresses_of_people_have_no_page_of_their_own(client: Client) -> None:
    """Allauth's page would confirm an address that nobody has confirmed."""
    assert not [model for model in admin.site._registry if model._meta.app_label in {"account", "sessions"}]
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    assert client.get("/admin/account/emailaddress/").status_code == 404


# -- Names and addresses of others --

WHY = "lost the mailbox, known to me in person"


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def lena() -> User:
    return moderator("Lena", "change_identity")


@pytest.fixture
def desk(lena: User) -> Client:
    client = Client()
    client.force_login(lena)
    return client


@pytest.fixture
def ask(desk: Client) -> Any:
    """Ask for a change on the moderator's page, and send the mails."""

    def asking(user: User, **asked: str) -> Any:
        known = {"username": user.username, "email": user.email, "was_username": user.username, "was_email": user.email}
        answer = desk.post(reverse("admin:change_identity", args=[user.pk]), {"reason": WHY, **known, **asked})
        emails.send_queued()
        return answer

    return asking


@pytest.fixture
def change(ask: Any) -> Any:
    """Ask for a change, and let a second moderator confirm it if it needs one."""

    def changing(user: User, **asked: str) -> Any:
        answer = ask(user, **asked)
        if request := ApprovalRequest.objects.first():
            second = Client()
            second.force_login(moderator("Second", "change_identity"))
            assert second.post(reverse("admin:second", args=[request.pk, "confirm"])).status_code == 302
            emails.send_queued()
        return answer

    return changing


def act(who: User, on: User, **wanted: str) -> ApprovalRequest | None:
    now, wish = identity.identity_of(on), {"moderator": who, "reason": WHY}
    return identity.change_identity(user_id=on.pk, **wish, seen=now, wanted=now._replace(**wanted))


def test_change_user_changes_nobodys_address_and_signs_in_as_nobody(
    client: Client, ada: User, mailoutbox: list[Any]
) -> None:
    """The attack: another's address by the plain form, a new password by mail, and in."""
    mallory = person("Mallory", is_staff=True)
    mallory.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client.force_login(mallory)
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    fields = {"username": "Adam", "email": "mallory@evil.example", "timezone": "UTC", "theme": "auto", "is_active": ""}
    client.post(page, fields)
    ada.refresh_from_db()
    assert (ada.username, ada.email, ada.is_active) == ("Ada", "ada@example.org", True)
    client.post(reverse("account_reset_password"), {"email": "mallory@evil.example"})
    emails.send_queued()
    assert not [message for message in mailoutbox if "/password/reset/key/" in str(message.body)]
    assert client.get(reverse("admin:change_identity", args=[ada.pk])).status_code == 403
    assert client.post(reverse("admin:change_identity", args=[ada.pk]), fields | {"reason": WHY}).status_code == 403
    assert "Change name or address" not in client.get(page).content.decode()


def test_not_even_a_superuser_closes_an_account_by_its_plain_form(client: Client, ada: User) -> None:
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    assert 'name="is_staff"' not in client.get(page).content.decode()
    assert 'name="is_active"' not in client.get(page).content.decode()
    assert client.post(page, {"timezone": "UTC", "is_staff": "on"}).status_code == 403
    ada.refresh_from_db()
    assert (ada.is_active, ada.is_staff) == (True, False)


def test_powers_are_changed_with_a_reason_on_record_and_told_to_the_person(
    client: Client, ada: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    page, helper = reverse("admin:change_powers", args=[ada.pk]), Group.objects.get(name="helper")
    fields: dict[str, Any] = {"is_staff": "on", "groups": [helper.pk]}
    assert client.get(page).status_code == 200
    assert client.post(page, fields).status_code == 422, "nothing happens without a reason"
    assert not User.objects.get(pk=ada.pk).is_staff
    assert client.post(page, fields | {"reason": "joins the team"}).status_code == 302
    ada = User.objects.get(pk=ada.pk)
    assert (ada.is_staff, ada.is_superuser, list(ada.groups.all())) == (True, False, [helper])
    record = ModeratorAction.objects.get()
    assert (record.verb, record.reason) == ("change_powers", "joins the team")
    keys = {"account": ada.pk, "by": User.objects.get(username="Root").pk}
    assert record.details == {"user": "Ada", **keys, "staff": "no → yes", "groups": "none → helper"}
    emails.send_queued()
    (message,) = mailoutbox
    assert message.to == [ada.email]
    for words in ("joins the team", "Gruppen: helper", "Superuser: nein"):
        assert words in str(message.body)
    assert client.post(page, fields | {"reason": "again"}).status_code == 422, "nothing would change"


def test_nobody_but_a_superuser_changes_powers_and_none_their_own(ada: User) -> None:
    max_, root = moderator("Max"), person("Root", is_staff=True, is_superuser=True)
    desk = Client()
    for who, whom, status in ((max_, ada, 403), (max_, max_, 403), (root, root, 422), (root, max_, 302)):
        desk.force_login(who)
        sent = {"is_staff": "on", "is_superuser": "on" if whom != root else "", "reason": WHY}
        assert desk.post(reverse("admin:change_powers", args=[whom.pk]), sent).status_code == status
    assert {user.username for user in User.objects.filter(is_superuser=True)} == {"Root", "Max"}
    wanted = Powers(True, True, frozenset(), frozenset())
    with pytest.raises(Refused, match="Only a superuser"):
        roles.change_powers(user_id=ada.pk, moderator=moderator("Mia"), reason=WHY, wanted=wanted)


def test_a_new_address_is_told_to_both_and_counts_once_confirmed(
    change: Any, ada: User, lena: User, mailoutbox: list[Any]
) -> None:
    assert change(ada, email="Ada@New.example").status_code == 302
    ada.refresh_from_db()
    assert ada.email == "ada@new.example"
    assert [(row.email, row.primary, row.verified) for row in ada.emailaddress_set.all()] == [
        ("ada@new.example", True, False)
    ]
    record = ModeratorAction.objects.get(verb="change_identity")
    assert (record.user, record.reason, record.details["user"]) == (lena, WHY, "Ada")
    assert not any("example" in str(row.details) for row in ModeratorAction.objects.all()), "none names an address"
    mails = {message.to[0]: str(message.body) for message in mailoutbox}
    assert set(mails) == {"ada@example.org", "ada@new.example"}
    assert all(WHY in words for words in mails.values())
    assert "new.example" not in mails["ada@example.org"], "the old address may be a stranger's by now"
    link = re.search(r"/accounts/confirm-email/\S+/", mails["ada@new.example"])
    assert link
    Client().post(link[0])
    assert ada.emailaddress_set.get().verified


def test_a_new_address_ends_sessions_and_links_for_a_new_password(
    change: Any, ada: User, mailoutbox: list[Any]
) -> None:
    at_home, neighbour = Client(), Client()
    at_home.force_login(ada)
    neighbour.force_login(person("Ben"))
    Client().post(reverse("account_reset_password"), {"email": ada.email})
    emails.send_queued()
    link = re.search(r"/accounts/password/reset/key/\S+/", str(mailoutbox[-1].body))
    assert link
    field = 'name="password1"'
    assert field in Client().get(link[0], follow=True).content.decode()
    has_doors = left_open(ada)
    change(ada, email="ada@new.example")
    assert not has_doors()
    assert at_home.get(reverse("preferences")).status_code == 302
    assert neighbour.get(reverse("preferences")).status_code == 200
    assert field not in Client().get(link[0], follow=True).content.decode()


def test_nobody_alone_moves_an_account_to_their_own_mailbox(
    ask: Any, desk: Client, ada: User, lena: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    page = reverse("admin:change_identity", args=[ada.pk])
    assert "confirm_request" in desk.get(page).content.decode(), "there is no second moderator"
    moderator("Max", "pause")
    assert ask(ada, email="lena@evil.example", username="Adam").status_code == 302
    request = ApprovalRequest.objects.get()
    (message,) = mailoutbox
    assert message.to == ["ada@example.org"]
    assert all(words in str(message.body) for words in (WHY, "eine andere E-Mail-Adresse"))
    assert "evil" not in str(message.body)
    own = reverse("admin:second", args=[request.pk, "confirm"])
    assert desk.post(own).status_code == 422
    Client().post(reverse("account_reset_password"), {"email": "lena@evil.example"})
    emails.send_queued()
    assert not [mail for mail in mailoutbox if "/password/reset/key/" in str(mail.body)]
    assert identity.identity_of(User.objects.get(pk=ada.pk)) == Identity("Ada", "ada@example.org")
    assert ask(ada, email="lena@other.example").status_code == 422, "one request at a time"
    act(moderator("Mia"), ada, username="Countess")
    with pytest.raises(interventions.Stale):
        identity.confirm_new_address(request_id=request.pk, moderator=moderator("Nora", "change_identity"))


@pytest.mark.parametrize("reader", ["Max", "Carla"])
def test_a38_no_account_goes_to_a_mailbox_of_either_of_the_two_nor_of_whom_they_live_with(
    ada: User, reader: str
) -> None:
    """In any spelling: the reader of the mailbox sees the hands of the account."""
    max_, nora, root = (moderator(name, "change_identity") for name in ("Max", "Nora", "Root"))
    HouseholdLink.objects.create(one=max_, two=person("Carla"), asked_by=max_, since=Now())
    seen, wanted = identity.identity_of(ada), Identity("Ada", f"{reader.lower()}+2@example.org")
    fields: dict[str, Any] = {"user_id": ada.pk, "reason": WHY, "seen": seen, "wanted": wanted}
    with pytest.raises(Refused, match="This mailbox is yours"):
        identity.change_identity(moderator=max_, **fields)
    request = identity.change_identity(moderator=nora, **fields)
    assert request is not None
    assert max_ not in approvals.who_may_confirm(request, nora)
    with pytest.raises(Refused, match="This mailbox is yours"):
        identity.confirm_new_address(request_id=request.pk, moderator=max_)
    identity.confirm_new_address(request_id=request.pk, moderator=root)
    assert identity.identity_of(User.objects.get(pk=ada.pk)) == wanted


def test_a_new_name_is_told_to_its_owner(change: Any, ada: User, mailoutbox: list[Any]) -> None:
    at_home = Client()
    at_home.force_login(ada)
    assert change(ada, username="Countess").status_code == 302
    assert User.objects.get(pk=ada.pk).username == "Countess"
    (message,) = mailoutbox
    assert message.to == ["ada@example.org"]
    assert "from Ada to Countess" in str(message.body)
    assert at_home.get(reverse("preferences")).status_code == 200, "a name signs nobody out"
    assert EmailAddress.objects.get(user=ada).verified


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "nothing to change"),
        ({"email": ""}, "can be replaced, not removed"),
        ({"email": "ben@example.org"}, "already has an account"),
        ({"email": "BEN@second.example"}, "already has an account"),
        ({"email": "no address"}, "valid email"),
        ({"username": "Ben"}, "name"),
        ({"username": "ben"}, "name"),
        ({"username": "admin"}, "reserved"),
        ({"username": "x" * 25}, "at most 24"),
        ({"reason": " "}, "required"),
        ({"email": "ada@new.example", "was_email": "other@example.org"}, "has changed since you opened it"),
    ],
)
def test_what_cannot_be_changed_is_refused_and_nobody_gets_mail(
    change: Any, ada: User, mailoutbox: list[Any], asked: dict[str, str], words: str
) -> None:
    ben = person("Ben")
    EmailAddress.objects.create(user=ben, email="ben@second.example")
    answer = change(ada, **asked)
    assert answer.status_code == (409 if "was_email" in asked else 422)
    assert words in answer.content.decode()
    ada.refresh_from_db()
    assert (ada.username, ada.email) == ("Ada", "ada@example.org")
    assert EmailAddress.objects.get(user=ada).verified
    assert not ModeratorAction.objects.exists()
    assert not mailoutbox


def test_nobody_acts_on_an_account_with_more_rights(ada: User, lena: User) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    for above in (root, moderator("Max", "change_identity", "pause")):
        with pytest.raises(Refused, match="has more rights than you"):
            act(lena, above, email="mine@new.example")
    by_group = moderator("Nora", "change_identity")
    group = Group.objects.create(name="Resolvers")
    group.permissions.set(Permission.objects.filter(codename="can_resolve_now"))
    by_group.groups.add(group)
    with pytest.raises(Refused, match="has more rights than you"):
        act(lena, by_group, username="Somebody")
    act(lena, moderator("Olga", "change_identity"), username="Olive")
    act(root, by_group, username="Norah")


def test_a_closed_superuser_is_still_above(lena: User) -> None:
    """The rights come back with the account."""
    root = person("Root", is_staff=True, is_superuser=True, is_active=False)
    with pytest.raises(Refused):
        act(lena, root, email="mine@new.example")
    client = Client()
    lena.user_permissions.add(
        Permission.objects.get(codename="change_user"), Permission.objects.get(codename="view_user")
    )
    client.force_login(User.objects.get(pk=lena.pk))
    page = reverse("admin:accounts_user_change", args=[root.pk])
    assert client.post(page, {"timezone": "UTC", "theme": "dark"}).status_code == 403


def test_own_names_and_those_of_neighbours_are_left_to_others(ada: User, lena: User) -> None:
    with pytest.raises(Refused, match="This is about you"):
        act(lena, lena, email="mine@new.example")
    table(ada, lena, name="Thursday")
    with pytest.raises(Refused, match="You play with Ada in Thursday"):
        act(lena, ada, email="mine@new.example")


def test_identity_needs_its_own_permission(ada: User) -> None:
    all_others = moderator("Max", *(other.value for other in Intervention if other != Intervention.CHANGE_IDENTITY))
    with pytest.raises(Refused, match="can_change_identity"):
        act(all_others, ada, username="Adam")


def test_a_stale_change_of_an_account_is_refused(ada: User, lena: User) -> None:
    act(lena, ada, username="Countess")
    seen, wanted = Identity("Ada", ada.email), Identity("Ada", "ada@new.example")
    with pytest.raises(interventions.Stale):
        identity.change_identity(user_id=ada.pk, moderator=lena, reason=WHY, seen=seen, wanted=wanted)
