"""Seats that a stand-in plays: updates of the rows of a locked game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import F

from game.live import announce
from game.store import access
from game.store.game import Game, Seat
from game.store.stand_in_models import Proxy

RESET_VISITS = {"seen_at": None, "away_version": None, "away_at": None}


def seat_proxy(proxy: Proxy) -> None:
    """Give the seat to this proxy; the caretaker leaves it."""
    game = proxy.game
    entry: dict[str, object] = {"owner": proxy.owner_id, "user": proxy.user_id, "until": proxy.until.isoformat()}
    _reseat(game, proxy.number, proxy.user_id, {**game.proxies, str(proxy.number): entry})


def return_seat(game: Game, number: int, end: Proxy.End) -> Proxy:
    """Return the seat to its owner; its proxy no longer sees it."""
    entry, proxy = game.proxies[str(number)], Proxy.objects.get(game=game, number=number, ended_at=None)
    proxy.game, proxy.ended_at, proxy.end = game, game.now, end
    proxy.save(update_fields=["ended_at", "end"])
    _reseat(game, number, entry["owner"], {key: each for key, each in game.proxies.items() if key != str(number)})
    return proxy


def return_all(game: Game) -> None:
    """At the end of the game, return all seats, and with them the results, to their owners."""
    for number in sorted(map(int, game.proxies)):
        return_seat(game, number, Proxy.End.GAME_OVER)


def owner_of(game: Game, seat: Seat) -> int | None:
    """The key of the seat's owner, whoever plays it."""
    entry = game.proxies.get(str(seat.number))
    return entry["owner"] if entry else seat.user_id


def until_of(game: Game, number: int) -> datetime:
    """When the proxy's time on this seat ends."""
    return datetime.fromisoformat(game.proxies[str(number)]["until"])


def note_misses(game: Game, numbers: Iterable[int]) -> dict[int, int]:
    """Count a missed decision for the proxies of these seats. Returns how many each has now missed in a row."""
    misses = {number: game.proxies[str(number)].get("missed", 0) + 1 for number in numbers}
    _store_misses(game, misses)
    return misses


def note_presence(game: Game, numbers: Iterable[int]) -> None:
    """Reset the misses in a row of the proxies of these seats, if they have one."""
    _store_misses(game, {number: 0 for number in numbers if game.proxies.get(str(number), {}).get("missed")})


def _store_misses(game: Game, misses: Mapping[int, int]) -> None:
    if misses:
        entries = {str(number): game.proxies[str(number)] | {"missed": count} for number, count in misses.items()}
        game.proxies = game.proxies | entries
        game.save(update_fields=["proxies"])


def _reseat(game: Game, number: int, user_id: int | None, proxies: dict[str, dict[str, object]]) -> None:
    seats = Seat.objects.filter(game=game, number=number)
    seats.update(
        user=user_id, keeper="", left_at=None, version=F("version") + 1, seen_version=game.version, **RESET_VISITS
    )
    game.proxies = proxies
    game.keepers = {key: keeper for key, keeper in game.keepers.items() if key != str(number)}
    game.save(update_fields=["proxies", "keepers"])
    access.forget_unless_left(game)
    announce.tell_seat(game.pk, number, game.version)
