"""The API beside the hello view of the same web process: a position, the answer that nothing is new, and hundreds of
programs that wait for a game, told of a resolution."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.test import Client

from accounts import api_tokens
from game.play import moves
from game.store.game import Game, Seat
from tests.bench.pages import HELLO, SEATS, TURN, Asking, medians, sectors_at, session_cookie
from tests.bench.processes import family_of, resident_megabytes
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.sockets import web_server
from tests.bench.tables import decisions, make_user
from tests.servers import PATIENCE

WAITS, OF_ONE_PERSON, ROUNDS = size(500, small=8), 4, size(3, small=1)
WAIT = 55  # seconds, the longest that is held
QUIET = 0.5  # seconds without work, after which everybody waits
MOST_POSITION, MOST_NOTHING_NEW = 5, 3  # ms
MOST_TELLING, MOST_KILOBYTES = 2, 100
Headers = dict[str, str]


def api_rows() -> Iterator[Row]:
    """Answers one after another, then the waits."""
    game = Game.objects.get(pk=sectors_at(SEATS, TURN))
    address = settings.SITE_URL
    with web_server(urlsplit(address).port or 0, workers=1) as server:
        yield from _answer_rows(address, game)
        yield from Waits(address, game, server.pid).rows()


def _token(seat: Seat) -> Headers:
    assert seat.user is not None
    _, text = api_tokens.issue(user=seat.user, name="bench", scopes=["read"], days=1)
    return {"Authorization": f"Bearer {text}"}


def _answer_rows(address: str, game: Game) -> Iterator[Row]:
    seat = game.seats.select_related("user").get(number=0)
    token, path = _token(seat), f"/api/v1/games/{game.pk}/position"
    tag = Client().get(path, headers={**token, "host": "127.0.0.1"})["ETag"]
    asked = (
        Asking(HELLO, {"Cookie": session_cookie(seat.user)}),
        Asking(path, token),
        Asking(path, {**token, "If-None-Match": tag}, 304),
    )
    hello, position, nothing = medians(address, asked)
    for name, ours, most in (("position", position, MOST_POSITION), ("nothing is new", nothing, MOST_NOTHING_NEW)):
        taken = ours * 1000
        goal = f"≤ {most} ms"
        yield Row(f"API: {name}, p50", taken, "ms", "hello, ms", hello * 1000, ours / hello, goal, taken <= most)


class Waits:
    """Programs that wait for one game at one web process, beside as many that ask at once and are answered at once."""

    def __init__(self, address: str, game: Game, process: int) -> None:
        self.port, self.game, self.process = urlsplit(address).port or 0, game, process
        people = [make_user(f"waits {number}") for number in range(WAITS // OF_ONE_PERSON)]
        issued = [
            api_tokens.issue(user=person, name="bench", scopes=["read"], days=1)
            for person in people
            for _ in range(OF_ONE_PERSON)
        ]
        self.tokens = [text for _, text in issued]

    def rows(self) -> Iterator[Row]:
        """The first round fills caches: it counts for memory alone."""
        before = self.megabytes()
        asyncio.run(self._round())
        rounds = [asyncio.run(self._round()) for _ in range(ROUNDS)]
        told, plain = median(each[0] for each in rounds), median(each[1] for each in rounds)
        name = f"API: {WAITS} waits told, last"
        note = "from the commit of a resolution; beside as many who ask without waiting"
        goal = f"≤ {MOST_TELLING} ×"
        reached = told <= MOST_TELLING * plain
        yield Row(name, told * 1000, "ms", "asked at once, ms", plain * 1000, told / plain, goal, reached, note)
        each = (self.held - before) * 1024 / WAITS
        note = f"the web process: {before:.0f} → {self.held:.0f} MB"
        reached = each <= MOST_KILOBYTES
        yield Row("API: memory of a wait", each, "kB", "", None, None, f"≤ {MOST_KILOBYTES} kB", reached, note)

    async def _round(self) -> tuple[float, float]:
        """Seconds from a commit to the last who was told of it, and from the first who asks without waiting to the last
        answer, when as many ask at once."""
        tag = await self._tag()
        waiting = [asyncio.create_task(self._ask(token, tag, WAIT)) for token in self.tokens]
        await self._until_quiet()
        assert not any(each.done() for each in waiting), "everybody waits"
        self.held = self.megabytes()
        committed = await asyncio.to_thread(self._close_phase)
        told = max(await asyncio.gather(*waiting)) - committed
        began = perf_counter()
        plain = max(await asyncio.gather(*(self._ask(token, tag) for token in self.tokens))) - began
        return told, plain

    async def _tag(self) -> str:
        answer = await self._send(self.tokens[0])
        return next(line.partition(" ")[2] for line in answer if line.lower().startswith("etag:"))

    async def _ask(self, token: str, tag: str, wait: int = 0) -> float:
        """The moment at which there was something new for who has this tag."""
        wanted = [f"Prefer: wait={wait}"] if wait else []
        first, *_ = await self._send(token, f"If-None-Match: {tag}", *wanted)
        assert " 200 " in first, first
        return perf_counter()

    async def _send(self, token: str, *headers: str) -> list[str]:
        """The head of an answer about the game."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"GET /api/v1/games/{self.game.pk} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}"]
        writer.write("\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode())
        async with asyncio.timeout(WAIT + PATIENCE):
            answer = await reader.read()
        writer.close()
        return answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")

    async def _until_quiet(self) -> None:
        worked = -1
        while worked != (now := sum(stat.ticks for stat in family_of(self.process))):
            worked = now
            await asyncio.sleep(QUIET)

    def _close_phase(self) -> float:
        """Send every decision of the open phase; the moment at which the last of them, which closes it, is committed.

        All is one transaction, so that everybody is told once."""
        committed: list[float] = []
        with transaction.atomic():
            transaction.on_commit(lambda: committed.append(perf_counter()))
            for seat, requests in decisions(self.game.pk):
                moves.submit(game_id=self.game.pk, seat_number=seat, requests=requests)
        return committed[0]

    def megabytes(self) -> float:
        """Resident, of the web process and what it has begun."""
        return sum(resident_megabytes(stat.number) for stat in family_of(self.process))
