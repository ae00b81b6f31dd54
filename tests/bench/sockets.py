"""Thousands of sockets on the service's two web processes, beside as many of a bare Channels consumer there: opened,
told of a resolution, lost and opened again."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import close_old_connections, transaction
from django.utils import timezone

from accounts.models import User
from tests.bench.rows import Row
from tests.bench.socket_server import BARE, GROUP
from tests.bench.tables import play_phase, start_table
from tests.callers import Caller, call_all, hang_up, told
from tests.servers import accepts, end, free_port, wait_until
from tests.service import Visitor

ROUNDS = 3  # ours and the bare ones take turns, since a machine's other work comes and goes
AT_ONCE = 100  # handshakes under way while the rate is measured
RESOLUTIONS = 3  # told in each round
MOST_SLOWER, LEAST_RATE, LONGEST_STORM, MOST_MEGABYTES = 2, 0.5, 10, 110


class Round(NamedTuple):
    """Seconds: until all were let in, from each commit to the last who was told, and until all were back."""

    opening: float
    telling: list[float]
    storm: float


def socket_rows(sockets: int) -> Iterator[Row]:
    """So many sockets of as many people, of visitors, and bare ones."""
    game_id, people = start_table("sockets", 4).pk, _people(sockets)
    visitors = [Caller(caller.address) for caller in people]
    bench = Bench(game_id, sockets)
    with bench.server():
        before = bench.megabytes()
        bench.measure("people", bench.path, people)
        after = bench.megabytes()
        bench.rest()
        for _ in range(ROUNDS):
            bench.measure("bare", BARE, visitors)
            bench.measure("people", bench.path, people)
            bench.measure("visitors", bench.path, visitors)
    yield bench.telling_row()
    yield bench.rate_row("people")
    yield bench.rate_row("visitors")
    yield bench.storm_row()
    yield bench.memory_row(before, after)


class Bench:
    """The service's web processes, and what was measured with each kind of caller."""

    def __init__(self, game_id: int, sockets: int) -> None:
        self.game_id, self.sockets = game_id, sockets
        self.path, self.port = f"/ws/games/{game_id}/", free_port()
        self.rounds: dict[str, list[Round]] = {"people": [], "visitors": [], "bare": []}
        self.open_megabytes: list[float] = []
        self.pages: list[tuple[int, float]] = []

    @contextmanager
    def server(self) -> Iterator[None]:
        self.process = subprocess.Popen([sys.executable, "-m", "tests.bench.socket_server", str(self.port)])
        try:
            wait_until(lambda: accepts(self.port), self.process)
            for _ in range(20):
                Visitor(self.port).get(f"/games/{self.game_id}/")
            yield
        finally:
            end(self.process)

    def measure(self, kind: str, path: str, callers: Sequence[Caller]) -> None:
        self.rounds[kind].append(asyncio.run(self._round(kind, path, callers)))

    def rest(self) -> None:
        """The first round filled caches and code that is loaded at its first use: it counts for memory alone."""
        self.rounds["people"].clear()
        self.pages.clear()

    async def _round(self, kind: str, path: str, callers: Sequence[Caller]) -> Round:
        began = perf_counter()
        lines = await call_all(self.port, path, callers, at_once=AT_ONCE)
        opening = perf_counter() - began
        assert all(line.is_open for line in lines), [(line.status, line.code) for line in lines if not line.is_open][:3]
        act = self._tell_bare if kind == "bare" else self._resolve
        telling = [max(await told(lines, act)) for _ in range(RESOLUTIONS)]
        if kind == "people":
            self.open_megabytes.append(max(self.megabytes()))
        hang_up(lines)
        with self._pages_meanwhile(kind):
            began = perf_counter()
            lines = await call_all(self.port, path, callers, at_once=len(callers))
            storm = perf_counter() - began
        assert all(line.is_open for line in lines), [(line.status, line.code) for line in lines if not line.is_open][:3]
        await told(lines, act)
        hang_up(lines)
        await asyncio.sleep(1)
        return Round(opening, telling, storm)

    async def _tell_bare(self) -> float:
        layer: Any = get_channel_layer("bare")
        began = perf_counter()
        await layer.group_send(GROUP, {"type": "game.changed", "version": 1})
        return began

    async def _resolve(self) -> float:
        return await asyncio.to_thread(self._play)

    def _play(self) -> float:
        """Resolve the open phase; the moment of its commit."""
        committed: list[float] = []

        def closing(act: Any) -> None:
            with transaction.atomic():
                transaction.on_commit(lambda: committed.append(perf_counter()))
                act()

        play_phase(self.game_id, closing)
        close_old_connections()
        return committed[0]

    @contextmanager
    def _pages_meanwhile(self, kind: str) -> Iterator[None]:
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                self.pages.append(Visitor(self.port).get(f"/games/{self.game_id}/"))

        asker = threading.Thread(target=ask)
        if kind != "bare":
            asker.start()
        yield
        done.set()
        if kind != "bare":
            asker.join()

    def megabytes(self) -> list[float]:
        """Resident, of each web process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        served = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        lines = [line for pid in served for line in Path(f"/proc/{pid}/status").read_text().splitlines()]
        return [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")]

    def telling_row(self) -> Row:
        kinds = ("people", "visitors", "bare")
        people, visitors, bare = (median(t for each in self.rounds[kind] for t in each.telling) for kind in kinds)
        ratio, goal = people / bare, f"≤ {MOST_SLOWER} ×"
        note = f"visitors {visitors * 1000:.0f} ms; the commit of a resolution to the last socket of {self.sockets:,}"
        name = f"{self.sockets:,} sockets told, last"
        return Row(name, people * 1000, "ms", "bare, ms", bare * 1000, ratio, goal, ratio <= MOST_SLOWER, note)

    def rate_row(self, kind: str) -> Row:
        ours, bare = (self.sockets / median(each.opening for each in self.rounds[of]) for of in (kind, "bare"))
        ratio, goal = ours / bare, f"≥ {LEAST_RATE} ×"
        return Row(f"sockets of {kind} let in", ours, "/s", "bare, /s", bare, ratio, goal, ratio >= LEAST_RATE)

    def storm_row(self) -> Row:
        ours, bare = (max(each.storm for each in self.rounds[kind]) for kind in ("people", "bare"))
        times = sorted(seconds for _, seconds in self.pages)
        failed = sum(status != 200 for status, _ in self.pages)
        note = f"{len(times)} pages meanwhile, {failed} failed, p50 {median(times):.2f} s, slowest {times[-1]:.2f} s"
        is_reached = ours <= LONGEST_STORM and not failed
        name, goal = f"{self.sockets:,} lost at once, all back", f"≤ {LONGEST_STORM} s"
        return Row(name, ours, "s", "bare, s", bare, ours / bare, goal, is_reached, note)

    def memory_row(self, before: list[float], after: list[float]) -> Row:
        now, was = max(self.open_megabytes), max(before)
        first = sum(self.open_megabytes[:1]) - was
        note = (
            f"the larger of two; {was:.0f} MB before, {first:.0f} more with the first, {max(after):.0f} when they left"
        )
        name, goal = f"a web process, {self.sockets:,} sockets in two", f"≤ {MOST_MEGABYTES} MB"
        return Row(name, now, "MB", "without, MB", was, now / was, goal, now <= MOST_MEGABYTES, note)


def _people(number: int) -> list[Caller]:
    """So many people, each signed in."""
    fresh = [User(username=f"caller{n}", password=f"!{secrets.token_hex(20)}") for n in range(number)]
    people = User.objects.bulk_create(fresh, batch_size=500)
    store, ends = SessionStore(), timezone.now() + timedelta(days=1)
    sessions = [
        Session(session_key=secrets.token_hex(16), session_data=store.encode(_signed_in(user)), expire_date=ends)
        for user in people
    ]
    Session.objects.bulk_create(sessions, batch_size=500)
    return [Caller(f"198.18.{n // 250}.{n % 250 + 1}", session.session_key) for n, session in enumerate(sessions)]


def _signed_in(user: User) -> dict[str, str]:
    backend = settings.AUTHENTICATION_BACKENDS[0]
    return {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
