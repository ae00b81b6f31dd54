"""WCAG 2.2 AA on every page beside the games: lobby, rules, people, accounts, the moderators' desk and errors."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from tests.browser.every_page import ACCOUNTS, DESK, NOBODY, PAGES, SITE, Visit, addresses
from tests.browser.no_pages import NO_PAGES
from tests.browser.visiting import HOW_OFTEN, told
from tests.servers import ROOT
from tests.tables import person

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.visiting import Visitors

ERRORS = sorted(path.name for path in (ROOT / "templates").glob("[45][0-9][0-9]*.html"))


def test_every_address_is_known_as_a_page_or_as_none() -> None:
    """Who adds a page says in every_page.py how it is reached, so that it is measured."""
    assert set(addresses()) == set(PAGES) | NO_PAGES
    assert not set(PAGES) & NO_PAGES


@pytest.mark.django_db
def test_what_is_called_no_page_shows_none() -> None:
    client = Client()
    client.force_login(person("ada"))
    table = addresses()
    for name in sorted(NO_PAGES):
        path = "/" + re.sub(r"<[^>]*>", "1", table[name])
        answer: Any = client.get(path)
        is_page = answer.status_code == 200 and "<h1" in answer.content.decode(errors="replace")
        assert not is_page, f"{path} shows a page"


@pytest.mark.parametrize("rounds", HOW_OFTEN)
@pytest.mark.parametrize("pages", [SITE, ACCOUNTS, DESK], ids=["site", "accounts", "desk"])
def test_pages_of_the_site(visitors: "Visitors", settings: Any, pages: Any, rounds: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    settings.MFA_REAUTHENTICATION_REQUIRED = settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
    assert not (found := visitors.faults_on(pages, rounds)), told(found)


def test_error_pages(visitors: "Visitors") -> None:
    found = {}
    for name in [*ERRORS, "web/damaged.html", "web/newer.html"]:
        address = f"{visitors.site.address}/answers-with/{name}"
        visitors.page_of(NOBODY).route(address, answering(render_to_string(name, {"minutes": 5, "is_held": True})))
        if faults := visitors.faults_at(Visit(address, NOBODY)):
            found[name] = faults
    assert not found, told(found)


def answering(body: str) -> Callable[["Route"], None]:
    return lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8")
