"""The desk's lists and filters name games as players see them, and say in words what the rules call by a key."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from game.rulesets.registry import RULESETS
from game.store.board_rows import Company
from tests.scenes import moderator
from tests.tables import new_game

pytestmark = [pytest.mark.django_db]
KEY = re.compile(r"\b[A-Za-z]+_[a-z_]+\b")


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(moderator("Lena", is_superuser=True))
    return client


def words_of_list(desk: Client, model: str) -> str:
    html = desk.get(reverse(f"admin:{model}_changelist")).content.decode()
    return re.sub(r"<[^>]+>", " ", html.split('id="content"')[1])


def test_games_are_named_as_players_see_them(desk: Client) -> None:
    new_game("ada", bots=1, ruleset="power_up")
    page = words_of_list(desk, "game_game")
    assert page.count(RULESETS["power_up"].title) == 2  # in its row and in the filter
    assert "power_up" not in page.lower()
    assert "Show all" in page or "Filter" in page


def test_no_list_shows_a_key(desk: Client) -> None:
    for ruleset in ("sectors", "power_up", "stock_market_tycoon", "big_shoulders"):
        new_game(f"host of {len(ruleset)}", bots=2, ruleset=ruleset)
    ours = [each._meta for each in admin.site._registry if each._meta.app_label in {"game", "accounts"}]
    found = {each.label_lower: KEY.findall(words_of_list(desk, each.label_lower.replace(".", "_"))) for each in ours}
    assert not {name: keys for name, keys in found.items() if keys}


def test_a_filter_still_works_by_its_key(desk: Client) -> None:
    game = new_game("ada", bots=1, ruleset="power_up")
    address = reverse("admin:game_game_changelist")
    assert game.name in desk.get(f"{address}?ruleset=power_up").content.decode()
    assert game.name not in desk.get(f"{address}?ruleset=sectors").content.decode().split('id="changelist"')[1]


def test_keys_of_two_games_with_the_same_words_are_one_choice(desk: Client) -> None:
    """Healthcare of Sectors and of Stock Market Tycoon."""
    rulesets = {"ada": "sectors", "bob": "stock_market_tycoon"}
    games = [new_game(host, bots=2, ruleset=ruleset) for host, ruleset in rulesets.items()]
    Company.objects.all().delete()
    for game, group in zip(games, ("healthcare", "Healthcare"), strict=True):
        Company.objects.create(game=game, key="CARE", name="Care", group=group, price=40)
    address = reverse("admin:game_company_changelist")
    page = desk.get(address).content.decode()
    assert len(re.findall(r">\s*Healthcare\s*</a>", page)) == 1
    link = re.search(r'href="(\?group=[^"]+)"[^>]*>\s*Healthcare', page)
    assert link is not None
    listed = desk.get(f"{address}{link[1]}").content.decode()
    assert listed.count(">Care<") == 2
