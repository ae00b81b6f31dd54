"""Seats that somebody plays for their owner: the rows of a locked game, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import F

from game.live import announce
from game.store import access
from game.store.game import Game, Seat
from game.store.stand_in_models import Proxy

NOTHING_SEEN = {"seen_at": None, "away_version": None, "away_at": None}


def seat_proxy(proxy: Proxy) -> None:
    """From now on this proxy sees and plays the seat; the caretaker leaves it."""
    game = proxy.game
    told: dict[str, object] = {"owner": proxy.owner_id, "user": proxy.user_id, "until": proxy.until.isoformat()}
    _sit(game, proxy.number, proxy.user_id, {**game.proxies, str(proxy.number): told})


def return_seat(game: Game, number: int, end: Proxy.End) -> Proxy:
    """The seat belongs to its owner again: its proxy sees nothing of it from now on."""
    told, proxy = game.proxies[str(number)], Proxy.objects.get(game=game, number=number, ended_at=None)
    proxy.game, proxy.ended_at, proxy.end = game, game.now, end
    proxy.save(update_fields=["ended_at", "end"])
    _sit(game, number, told["owner"], {key: each for key, each in game.proxies.items() if key != str(number)})
    return proxy


def return_all(game: Game) -> None:
    """The game is over: its seats are their owners', and so are the results."""
    for number in sorted(map(int, game.proxies)):
        return_seat(game, number, Proxy.End.GAME_OVER)


def owner_of(game: Game, seat: Seat) -> int | None:
    """Who owns the seat, whoever plays it."""
    told = game.proxies.get(str(seat.number))
    return told["owner"] if told else seat.user_id


def until_of(game: Game, number: int) -> datetime:
    """When the time of the proxy on this seat is over."""
    return datetime.fromisoformat(game.proxies[str(number)]["until"])


def note_misses(game: Game, numbers: Iterable[int]) -> dict[int, int]:
    """The proxies of these seats have missed a decision: how many in a row it is now, by seat."""
    missed = {number: game.proxies[str(number)].get("missed", 0) + 1 for number in numbers}
    _count(game, missed)
    return missed


def note_presence(game: Game, numbers: Iterable[int]) -> None:
    """Proxies of these seats, where they have one, are there and begin without a miss in a row."""
    _count(game, {number: 0 for number in numbers if game.proxies.get(str(number), {}).get("missed")})


def _count(game: Game, missed: Mapping[int, int]) -> None:
    if missed:
        counted = {str(number): game.proxies[str(number)] | {"missed": count} for number, count in missed.items()}
        game.proxies = game.proxies | counted
        game.save(update_fields=["proxies"])


def _sit(game: Game, number: int, user_id: int | None, proxies: dict[str, dict[str, object]]) -> None:
    seats = Seat.objects.filter(game=game, number=number)
    seats.update(
        user=user_id, keeper="", left_at=None, version=F("version") + 1, seen_version=game.version, **NOTHING_SEEN
    )
    game.proxies = proxies
    game.keepers = {key: keeper for key, keeper in game.keepers.items() if key != str(number)}
    game.save(update_fields=["proxies", "keepers"])
    access.forget_unless_left(game)
    announce.tell_seat(game.pk, number, game.version)
