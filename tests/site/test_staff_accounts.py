"""What staff can learn and change through the admin: nothing by filters, no other's name or address, no account above their own."""

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.models import Game
from tests.site.tables import person, table

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
# What nobody may guess, wherever a path through the tables leads to it.
HIDDEN = {
    "password", "secret", "state", "inputs", "course", "token", "digest", "fingerprint", "action", "events", "snapshot", "packed",
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


def test_only_a_superuser_hands_out_powers_by_groups(client: Client) -> None:
    lena = person("Lena", is_staff=True)
    lena.user_permissions.set(Permission.objects.filter(codename__in=["view_group", "add_group", "change_group", "delete_group"]))
    moderators = Group.objects.create(name="Moderators")
    lena.groups.add(moderators)
    client.force_login(lena)
    address = reverse("admin:auth_group_change", args=[moderators.pk])
    everything = [str(pk) for pk in Permission.objects.values_list("pk", flat=True)]
    assert client.post(address, {"name": "Moderators", "permissions": everything}).status_code == 403
    assert not moderators.permissions.exists()
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    assert client.post(address, {"name": "Moderators", "permissions": everything[:1]}).status_code == 302
    assert moderators.permissions.count() == 1


def test_the_addresses_of_people_have_no_page_of_their_own(client: Client) -> None:
    """Allauth's page would confirm an address that nobody has confirmed."""
    assert not [model for model in admin.site._registry if model._meta.app_label in {"account", "sessions"}]
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    assert client.get("/admin/account/emailaddress/").status_code == 404
