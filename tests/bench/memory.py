"""Memory of the one-process site after thousands of resolutions through its own bots."""

from __future__ import annotations

from game.bots import playing
from game.store.game import Game
from tests.bench.processes import resident_megabytes
from tests.bench.rows import Row
from tests.bench.tables import is_running, start_table
from tests.live_site import LiveSite

MOST_MEGABYTES = 150
SEATS = 6


def memory_row(resolutions: int) -> Row:
    """Resident megabytes of this process, in which server, worker and beat's tasks run as in `./dev play`."""
    site = LiveSite()
    site.start()
    try:
        early, done = 0.0, 0
        while done < resolutions:
            done += _play_game(f"memory {done}", resolutions - done)
            early = early or resident_megabytes()
        now = resident_megabytes()
    finally:
        site.stop()
    note = f"{early:.0f} MB after the first game, {now:.0f} MB after {done:,} resolutions"
    return Row(
        f"memory after {done:,} resolutions",
        now,
        "MB",
        "",
        None,
        None,
        f"≤ {MOST_MEGABYTES} MB",
        now <= MOST_MEGABYTES,
        note,
    )


def _play_game(name: str, most: int) -> int:
    game = _bots_only(name)
    done = 0
    while done < most and is_running(game.pk):
        done += playing.play_bots(game_id=game.pk)
    return done


def _bots_only(name: str) -> Game:
    game = start_table(name, SEATS)
    game.seats.update(bot="house")
    game.bots, game.bots_due = {str(seat): "house" for seat in range(SEATS)}, True
    game.save(update_fields=["bots", "bots_due"])
    return game
