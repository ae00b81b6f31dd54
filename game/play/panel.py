"""The decision panel of a reader, and what the pages of a game share: find the game of a URL, call a service, and
prevent caching."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.models import User
from game.boards.decision import Filled, nothing_foreseen
from game.boards.lessons import NumberedNote, Progress, next_note, progress_of
from game.boards.panel import Material, filled_with, panel_of
from game.engine.actions import Refused
from game.engine.language import say
from game.infra.idempotency import submit_once
from game.play import late
from game.store.game import Game
from game.store.readers import Reader, game_for


def panel_context(
    context: Mapping[str, Any],
    *,
    user: Reader,
    filled: Filled | None = None,
    refused: Refused | None = None,
    message: str = "",
    withdrawn: Filled | None = None,
) -> dict[str, Any]:
    """Add the reader's decision panel to the result of `board_context`; `filled` is a submitted form to redisplay."""
    draft, lesson = context["draft"], lesson_for(context)
    is_stopped = lesson is not None and lesson.is_over
    material = Material(
        board=context["board"],
        view=context["view"],
        seats=context["seats"],
        offers=() if is_stopped else context["offers"],
        draft=draft.content if draft else None,
        saved_at=draft.saved_at if draft else None,
        received=context["received"],
        deadline=context["deadline"],
        is_timed=context["is_timed"],
        filled=filled,
        withdrawn=withdrawn or _filled_by(lesson, context),
        refusal=refused,
        message=message,
        token=token_urlsafe(16),
        foresee=context.get("foresee", nothing_foreseen),
        stays_ready=bool(filled.get("ready")) if filled else bool(getattr(user, "stays_ready", False)),
        is_stopped=is_stopped,
        headline=late.headline_of(context["game"]) if context["standstill"] else "",
    )
    return {"panel": panel_of(material), "note": note_for(context, user), "lesson": lesson}


def lesson_for(context: Mapping[str, Any]) -> Progress | None:
    """Progress of the lesson on the page."""
    game = context["game"]
    lessons, view = context["board"].lessons, context["view"]
    return progress_of(lessons, game.lesson, view, is_learnt=game.is_learnt) if game.lesson else None


def _filled_by(lesson: Progress | None, context: Mapping[str, Any]) -> Filled | None:
    """The form as the next goal of a lesson fills it in, if it is about the open phase."""
    request, offers = lesson.goal.request if lesson and lesson.goal else {}, context["offers"]
    if not any(offer.kind == request.get("kind") for offer in offers):
        return None
    return filled_with(context["board"], context["view"], [request], offers)


def note_for(context: Mapping[str, Any], user: Reader) -> NumberedNote | None:
    """The hint for newcomers next to the open decision."""
    phase = context["view"].phase
    if not context["is_asked"] or context["game"].lesson or phase is None or not isinstance(user, User):
        return None
    return next_note(context["board"].notes, phase.name, user.notes_seen, context["game"].ruleset)


def find_game(request: HttpRequest, game_id: int) -> Game:
    """The game of a URL. The same 404 whether it does not exist or this reader may not see it. At one device, a browser
    whose seat another browser has just replaced is a stranger."""
    game = game_for(game_id=game_id, user=request.user)
    if game is None:
        raise Http404(say("There is no such game."))
    if getattr(request, "held_seat", game.readers_seat) != game.readers_seat:
        game.readers_seat = None
    return game


def private(response: HttpResponse) -> HttpResponse:
    """Keep a page that shows sealed orders out of every cache, including the browser's back button."""
    response["Cache-Control"] = "private, no-store"
    return response


def call_service(
    request: HttpRequest,
    game_id: int,
    service: Callable[..., Any],
    *,
    then: str = "",
    back: str = "",
    message: str = "",
    **fields: Any,
) -> HttpResponse:
    """Call a service for the reader, then redirect to the game, or to `then`, with a success message. A refusal
    redirects `back` to the form, or is raised as `Refused`, which the game's page shows."""
    find_game(request, game_id)

    def make() -> None:
        service(game_id=game_id, user=request.user, **fields)

    try:
        submit_once(request, make)
    except Refused as refused:
        if not back:
            raise
        messages.error(request, str(refused))
        return redirect(back)
    if message:
        messages.success(request, say(message))
    return redirect(then) if then else redirect("game", game_id=game_id)
