"""Addresses of rules that refusals cite, in the rulebook of the game and its variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from game.rulesets.registry import RULESETS
from game.store.game import Game
from game.store.rule_links import book_of


def rule_url(rule: str, *, ruleset: str, options: Mapping[str, Any]) -> str:
    """The address of a rule in the API; empty if the game has no rulebook."""
    book = book_of(ruleset) if ruleset in RULESETS else None
    if book is None:
        return ""
    variant = str(options.get(book.option, ""))
    query = f"?{urlencode({'variant': variant})}" if variant and variant in book.by_key else ""
    return settings.SITE_URL + reverse("api_rule", args=[ruleset, rule]) + query


def rule_url_at(rule: str, game_id: int) -> str:
    """The address of a rule for this game."""
    game = Game.objects.only("ruleset", "options").get(pk=game_id)
    return rule_url(rule, ruleset=game.ruleset, options=game.options)
