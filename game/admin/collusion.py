"""The collusion desk of one game: money between seats, equal choices, orders given together, shared addresses."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern

from game.admin.read_only import moderator_of
from game.engine.codec import Damaged
from game.history.ledger import may_read_books
from game.moderation import collusion, interventions, multi_accounts, permissions
from game.store.game import Game, Status
from game.store.log import Intervention
from game.store.readers import get_game
from game.store.seating import seats_of


def urls() -> list[URLPattern]:
    """The URL, beside those of a game's verbs."""
    return [path("<int:game_id>/pairs/", admin.site.admin_view(pairs), name="pairs")]


def pairs(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show all pairs; with `a` and `b`, two seats side by side. Each view is recorded."""
    game, moderator = get_game(game_id=game_id), moderator_of(request)
    if game is None or not permissions.may(Intervention.COMPARE_PLAYERS, moderator):
        raise PermissionDenied
    if permissions.why_barred(game, moderator):
        raise PermissionDenied
    names = [seat.shown_name for seat in seats_of(game)]
    choices = collusion.choices_of(game)
    pair = _read_pair(request, len(names))
    people = [seat.number for seat in seats_of(game) if not seat.bot]
    context: dict[str, Any] = {
        "title": "Pairs of players", "game": game, "opts": Game._meta, "names": names, "books": may_read_books(game),
        "is_over": game.status == Status.FINISHED,
        "rows": [(_names_of_pair(each.seats, names), each) for each in collusion.concords(choices, people)],
        "hints": multi_accounts.hints_of_game(game.pk) if moderator.has_perm("game.can_see_hints") else None,
        "chosen": _names_of_pair(pair, names) if pair else None,
        "beside": collusion.side_by_side(choices, pair) if pair else [],
    }  # fmt: skip
    try:
        payments = collusion.off_market_payments(game)
        context["paid"] = [(names[each.payer], names[each.payee], each) for each in payments]
    except Damaged:
        context["paid"] = []
    seat_numbers = [number + 1 for number in pair or ()]
    interventions.record(
        game, moderator, Intervention.COMPARE_PLAYERS, "looked at the pairs of this game", pair=seat_numbers
    )
    everywhere = admin.site.each_context(request)
    return TemplateResponse(request, "admin/game/pairs.html", everywhere | context)


def _read_pair(request: HttpRequest, seat_count: int) -> collusion.Pair | None:
    texts = [request.GET.get(name, "") for name in ("a", "b")]
    numbers = [int(each) for each in texts if each.isdecimal() and len(each) < 3]
    return (numbers[0], numbers[1]) if len(numbers) == 2 and max(numbers) < seat_count else None


def _names_of_pair(pair: collusion.Pair, names: list[str]) -> tuple[str, str]:
    return names[pair[0]], names[pair[1]]
