"""The desk, followed from link to link: no page names the key of a row, which would count what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.db.models import AutoField, BigAutoField, Model
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.admin.read_only import ReadOnlyAdmin
from game.moderation import case_filing, cases, interventions, multi_accounts, rewind, sanctions
from game.people import two_people
from game.store.game import Game
from game.store.moderation_models import Intervention
from game.votes import rewinds
from tests.scenes import moderator, person, run_out, seen, send, table
from tests.tables import fresh

pytestmark = pytest.mark.django_db
FIRST = 765_400_000
KEY = re.compile(r"765,?400,?0\d\d")
LINK = re.compile(r'(?:href|action|src)="([^"#]*)')
AS_POPUP = ("_popup=1", "_to_field=id", "_popup=1&_to_field=id")


def start_keys_at(models: list[type[Model]]) -> None:
    """The rows of these models get keys that no other number on a page looks like, until the test is rolled back."""
    with connection.cursor() as cursor:
        for table_name, column in ((model._meta.db_table, model._meta.pk.column) for model in models):
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table_name])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table_name, FIRST])
            else:
                cursor.execute(f'ALTER TABLE "{table_name}" ALTER COLUMN "{column}" RESTART WITH {FIRST}')


def hidden_models() -> list[type[Model]]:
    """All models of the game whose keys not everybody may know."""
    public = {model for model, desk in admin.site._registry.items() if getattr(desk, "has_public_keys", False)}
    return [
        model
        for model in apps.get_app_config("game").get_models()
        if model not in public and not model._meta.proxy and isinstance(model._meta.pk, (AutoField, BigAutoField))
    ]


def busy_desk(lena: User, *, closes: bool = True) -> Game:
    """A game, and something of everything that the desk shows; Ada has sealed a bid in its open or its last phase."""
    ada, ben = person("Ada"), person("Ben")
    game = table(ada, ben)
    case = case_filing.report_problem(game=game, user=ada, kind="collusion", words="they told each other", seats=[1])
    cases.assign(case_id=case.pk, moderator=lena, to_me=True)
    cases.add_note(case_id=case.pk, moderator=lena, text="a note")
    why = {"moderator": lena, "reason": "why"}
    sanctions.impose(person=ben, kind="mute", days=3, case=case, exculpatory="they joked", **why)
    sanctions.impose(person=ben, kind="ban", days=90, case=case, exculpatory="they joked", **why)
    multi_accounts.record_link(person=ben, username=person("Dora").username, **why)
    send(game, 0, {"kind": "bid_influence", "points": 29})
    if closes:
        run_out(game)
    interventions.pause(game_id=game.pk, seen=seen(game), **why)
    back = {"game_id": game.pk, "seen": seen(game), "number": rewind.moments_of(fresh(game))[-1].number}
    request = two_people.request_game_act(what=Intervention.REWIND_TO, **back, **why)
    rewinds.put_to_players(request_id=request.pk, moderator=lena)
    return game


def links_of(url: str, page: str) -> Iterator[str]:
    """The further pages of the desk to which a page leads, with one filter or one order each."""
    for link in LINK.findall(page):
        parts = urlsplit(urljoin(url, unescape(link)))
        choices = {name: value for name, value in parse_qs(parts.query).items() if name != "_changelist_filters"}
        is_plain = len(choices) < 2 and not (choices.get("o", [""])[0].count("."))
        if parts.path.startswith("/admin/") and "logout" not in parts.path and is_plain:
            yield parts.path + (f"?{parts.query}" if choices else "")


def test_a20_no_page_of_the_desk_names_a_key() -> None:
    start_keys_at(hidden_models())
    lena = moderator("Lena", is_superuser=True)
    game = busy_desk(lena)
    staff = Client()
    staff.force_login(lena)
    lists = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model, desk in admin.site._registry.items()
        if isinstance(desk, ReadOnlyAdmin)
    ]
    due, keys_by_url = ["/admin/", *(f"{path}?{query}" for path in lists for query in AS_POPUP)], {}
    while due:
        url = due.pop()
        if url in keys_by_url:
            continue
        answer = staff.get(url)
        page = answer.content.decode(errors="replace")
        keys_by_url[url] = KEY.findall(page + str(answer.headers))
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            due += links_of(url, page)
    assert len(keys_by_url) > 100
    assert {url: keys for url, keys in keys_by_url.items() if keys} == {}
    for name in ("Ada", "Ben"):
        player = Client()
        player.force_login(User.objects.get(username=name))
        for url in (game.get_absolute_url(), "/", "/moderation/mine/"):
            assert KEY.findall(player.get(url).content.decode()) == []
