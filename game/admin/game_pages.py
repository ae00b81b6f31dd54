"""Pages next to a game's desk: sealed orders (break-glass), the last resolution again, the bundle for engineers, and
pairs of players: money between seats, equal choices, orders submitted together, shared addresses."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.urls.resolvers import URLPattern

from game.admin.acts import do_once
from game.admin.forms import WhyForm, reason_field
from game.admin.read_only import desk_page, moderator_of
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.history.ledger import may_read_books
from game.moderation import approvals, break_glass, collusion, interventions, multi_accounts, permissions, repairs
from game.store.game import Game, Status
from game.store.moderation_models import Intervention
from game.store.readers import get_game, seats_of


class ReadForm(WhyForm):
    """The reason why a moderator wants to read what is sealed."""

    reason = reason_field("Reason, told to the players afterwards")


def urls() -> list[URLPattern]:
    """The URLs of these pages, below a game's desk."""
    guarded = admin.site.admin_view
    return [
        path("<int:game_id>/secrets/", guarded(secrets), name="secrets"),
        path("<int:game_id>/rerun/", guarded(rerun), name="rerun"),
        path("<int:game_id>/bundle/", guarded(bundle), name="bundle"),
        path("<int:game_id>/pairs/", guarded(pairs), name="pairs"),
    ]


def secrets(request: HttpRequest, game_id: int) -> HttpResponse:
    """Ask to read; while reading is allowed, a POST shows what each seat sees."""
    game = _game(request, game_id, Intervention.READ_SECRETS)
    moderator, view_texts, status = moderator_of(request), [], 200
    form = ReadForm(request.POST or None)
    if request.method == "POST":
        try:
            if request.POST.get("do") == "read":
                views = break_glass.read(game_id=game.pk, moderator=moderator)
                view_texts = [(name, json.dumps(view, indent=1)) for name, view in views]
            elif form.is_valid():
                ask = partial(break_glass.request_reading, game_id=game.pk, moderator=moderator, **form.cleaned_data)
                return redirect("admin:game_approvalrequest_change", do_once(request, ask, ""))
        except (Refused, Damaged) as refused:
            messages.error(request, str(refused))
            status = 422
    context = {
        "open": break_glass.opened_for(game, moderator), "shown": view_texts, "form": ReadForm(),
        "is_alone": not approvals.others_who_may(Intervention.READ_SECRETS, moderator, game=game),
    }  # fmt: skip
    response = _page(request, game, "admin/game/secrets.html", "Sealed orders and hands", context, status)
    response["Cache-Control"] = "private, no-store"
    return response


def rerun(request: HttpRequest, game_id: int) -> HttpResponse:
    """The last resolution by today's rules, next to the stored one."""
    game = _game(request, game_id, Intervention.REWIND_TO)
    context: dict[str, Any] = {}
    try:
        context["rerun"] = repairs.compare_rerun(game)
    except Refused as refused:
        context["trouble"] = str(refused)
    return _page(request, game, "admin/game/rerun.html", "The last resolution again", context)


def bundle(request: HttpRequest, game_id: int) -> HttpResponse:
    """Ask why, then send a ZIP for engineers."""
    game = _game(request, game_id, Intervention.EXPORT_BUNDLE)
    form: forms.Form = WhyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            zip_bytes = break_glass.bundle_of(game_id=game.pk, moderator=moderator_of(request), **form.cleaned_data)
        except Refused as refused:
            messages.error(request, str(refused))
        else:
            headers = {"Content-Disposition": f'attachment; filename="game-{game.pk}.zip"', "Cache-Control": "no-store"}
            return HttpResponse(zip_bytes, content_type="application/zip", headers=headers)
    context = {"form": form, "open": break_glass.opened_for(game, moderator_of(request))}
    status = 422 if request.method == "POST" else 200
    return _page(request, game, "admin/game/bundle.html", "Export for engineers", context, status)


def pairs(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show all pairs; with `a` and `b`, two seats side by side. Each view is recorded."""
    game, moderator = _game(request, game_id, Intervention.COMPARE_PLAYERS), moderator_of(request)
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
    return desk_page(request, "admin/game/pairs.html", context)


def _game(request: HttpRequest, game_id: int, what: Intervention) -> Game:
    game = get_game(game_id=game_id)
    moderator = moderator_of(request)
    if game is None or not permissions.may(what, moderator) or permissions.why_barred(game, moderator):
        raise PermissionDenied
    return game


def _page(
    request: HttpRequest, game: Game, template: str, title: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    return desk_page(request, template, {"title": title, "game": game, "opts": Game._meta} | context, status)


def _read_pair(request: HttpRequest, seat_count: int) -> collusion.Pair | None:
    texts = [request.GET.get(name, "") for name in ("a", "b")]
    numbers = [int(each) for each in texts if each.isdecimal() and len(each) < 3]
    return (numbers[0], numbers[1]) if len(numbers) == 2 and max(numbers) < seat_count else None


def _names_of_pair(pair: collusion.Pair, names: list[str]) -> tuple[str, str]:
    return names[pair[0]], names[pair[1]]
