"""Where the rule stands on which a refusal rests: in the rulebook of the game that was asked, as it is played there."""

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
    """The address of a rule in the API; "" where the game has no rulebook."""
    book = book_of(ruleset) if ruleset in RULESETS else None
    if book is None:
        return ""
    variant = str(options.get(book.option, ""))
    chosen = f"?{urlencode({'variant': variant})}" if variant and variant in book.by_key else ""
    return settings.SITE_URL + reverse("api_rule", args=[ruleset, rule]) + chosen


def rule_url_at(rule: str, game_id: int) -> str:
    """The address of a rule by which this game is played."""
    game = Game.objects.only("ruleset", "options").get(pk=game_id)
    return rule_url(rule, ruleset=game.ruleset, options=game.options)
