"""A player's private notes on one game. No one else can read them, not even a later player of the seat."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from game.chat.models import Notebook
from game.chat.rules import Reader
from game.chat.text import read_notes
from game.engine.actions import Refused
from game.engine.language import mark
from game.play import authority
from game.store.game import Game, Seat


class Elsewhere(Refused):
    """The notes were changed on another page since this one showed them."""

    usual_code = "notes_changed"

    def __init__(self) -> None:
        super().__init__(
            mark(
                "These notes were changed elsewhere after you read them. Nothing was saved: copy what you wrote, then "
                "read them again."
            )
        )


def notebook_of(*, game_id: int, user: Reader, is_player: bool | None = None) -> Notebook | None:
    """A user's notes on a game: for its players, and for former players who wrote notes."""
    if not isinstance(user, User):
        return None
    notebook = Notebook.objects.filter(game=game_id, user=user).first()
    if notebook is not None:
        return notebook
    sits = Seat.objects.filter(game=game_id, user=user).exists() if is_player is None else is_player
    return Notebook(game_id=game_id, user=user) if sits else None


@transaction.atomic
def save_notes(*, game: Game, user: User, text: str, revision: int) -> Notebook:
    """Save the notes; `revision` is the one that the page showed. Raises `Refused`."""
    new_text = read_notes(text)
    authority.hold_free(user)
    if notebook_of(game_id=game.pk, user=user) is None:
        raise Refused("Only the players of this game can keep notes on it.", code="not_seated")
    Notebook.objects.get_or_create(game=game, user=user)
    notebook = Notebook.objects.select_for_update().get(game=game, user=user)
    if notebook.text == new_text:
        return notebook
    if notebook.revision != revision:
        raise Elsewhere
    notebook.text, notebook.revision, notebook.saved_at = new_text, notebook.revision + 1, timezone.now()
    notebook.save(update_fields=["text", "revision", "saved_at"])
    return notebook
