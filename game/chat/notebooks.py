"""A player's private notes on one game: no one else reads them, not even a later player of the seat."""

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
    """A person's notes on a game: those who play in it, and those who once did and wrote notes."""
    if not isinstance(user, User):
        return None
    found = Notebook.objects.filter(game=game_id, user=user).first()
    if found is not None:
        return found
    sits = Seat.objects.filter(game=game_id, user=user).exists() if is_player is None else is_player
    return Notebook(game_id=game_id, user=user) if sits else None


@transaction.atomic
def save_notes(*, game: Game, user: User, text: str, revision: int) -> Notebook:
    """Keep the notes; `revision` is that of the notes which the page showed. Raises `Refused`."""
    words = read_notes(text)
    authority.hold_free(user)
    if notebook_of(game_id=game.pk, user=user) is None:
        raise Refused("Only the players of this game can keep notes on it.", code="not_seated")
    Notebook.objects.get_or_create(game=game, user=user)
    book = Notebook.objects.select_for_update().get(game=game, user=user)
    if book.text == words:
        return book
    if book.revision != revision:
        raise Elsewhere
    book.text, book.revision, book.saved_at = words, book.revision + 1, timezone.now()
    book.save(update_fields=["text", "revision", "saved_at"])
    return book
