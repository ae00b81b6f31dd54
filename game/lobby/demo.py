"""The first game of a private copy of the site: one person and bots."""

from __future__ import annotations

from accounts.models import User
from game.lobby import lobby
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace, Status

DEMO_NAME = "Demo"
TABLE = "The first game"
MOST_SEATS = 5


def ensure_demo(ruleset: str = lobby.FIRST) -> User:
    """The demo player, with a game of this ruleset that is not over."""
    player, is_new = User.objects.get_or_create(username=DEMO_NAME)
    if is_new:
        player.set_unusable_password()
        player.save(update_fields=["password"])
    games = Game.objects.filter(seats__user=player, ruleset=ruleset)
    if not games.exclude(status__in=[Status.FINISHED, Status.ABANDONED]).exists():
        seats = min(MOST_SEATS, max(RULESETS[ruleset].seats))
        lobby.create_game(
            host=player, name=TABLE, seats=seats, pace=Pace.DEMO, bots=seats - 1, is_open=False, ruleset=ruleset
        )
    return player


def begin_demo(*, player: User) -> None:
    """Start the demo player's game when they sign in."""
    waiting = Game.objects.filter(host=player, host__username=DEMO_NAME, name=TABLE, status=Status.WAITING)
    for game in waiting:
        if game.seats.count() == game.seats_wanted:
            lobby.start_game(game_id=game.pk, user=player)
