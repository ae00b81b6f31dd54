"""The decision panel of a reader."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any

from accounts.models import User
from game.boards.decision import Filled
from game.boards.lessons import Progress, Shown, next_note, progress_of
from game.boards.panel import Material, panel_of
from game.engine.actions import Refused
from game.store.readers import Reader


def panel_context(
    context: Mapping[str, Any],
    *,
    user: Reader,
    filled: Filled | None = None,
    refused: Refused | None = None,
    message: str = "",
) -> dict[str, Any]:
    """Add the reader's decision panel to the result of `board_context`; `filled` is a submitted form to redisplay."""
    draft = context["draft"]
    material = Material(
        board=context["board"],
        view=context["view"],
        seats=context["seats"],
        offers=context["offers"],
        draft=draft.content if draft else None,
        saved_at=draft.saved_at if draft else None,
        received=context["received"],
        deadline=context["deadline"],
        is_timed=context["is_timed"],
        filled=filled,
        refusal=refused,
        message=message,
        token=token_urlsafe(16),
        stays_ready=bool(filled.get("ready")) if filled else bool(getattr(user, "stays_ready", False)),
    )
    return {"panel": panel_of(material), "note": note_for(context, user), "lesson": lesson_for(context)}


def lesson_for(context: Mapping[str, Any]) -> Progress | None:
    """Progress of the lesson on the page."""
    game = context["game"]
    lessons, view = context["board"].lessons, context["view"]
    return progress_of(lessons, game.lesson, view, is_learnt=game.is_learnt) if game.lesson else None


def note_for(context: Mapping[str, Any], user: Reader) -> Shown | None:
    """The hint for newcomers beside the open decision."""
    phase = context["view"].phase
    if not context["is_asked"] or context["game"].lesson or phase is None or not isinstance(user, User):
        return None
    return next_note(context["board"].notes, phase.name, user.notes_seen, context["game"].ruleset)
