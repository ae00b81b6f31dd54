"""The game on the table of a private copy: one person and four bots."""

from __future__ import annotations

from accounts.models import User
from game.models import Game, Pace, Status
from game.services import lobby

DEMO_NAME = "Demo"
TABLE = "The first table"
SEATS = 5


def ensure_demo() -> User:
    """The demo player, with a table that waits for them or a game that is not over."""
    player, is_new = User.objects.get_or_create(username=DEMO_NAME)
    if is_new:
        player.set_unusable_password()
        player.save(update_fields=["password"])
    if not Game.objects.filter(seats__user=player).exclude(status__in=[Status.FINISHED, Status.ABANDONED]).exists():
        lobby.create_game(host=player, name=TABLE, seats=SEATS, pace=Pace.DEMO, bots=SEATS - 1, is_open=False)
    return player


def begin_demo(*, player: User) -> None:
    """Start the demo player's full table when they come in."""
    waiting = Game.objects.filter(host=player, host__username=DEMO_NAME, name=TABLE, status=Status.WAITING)
    for game in waiting:
        if game.seats.count() == game.seats_wanted:
            lobby.start_game(game_id=game.pk, user=player)
