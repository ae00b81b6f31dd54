"""Thousands of sockets on the service's two web processes, beside as many of a bare Channels consumer on two more of
them: opened, told of a resolution, lost and opened again."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from channels.layers import get_channel_layer
from django.db import close_old_connections, transaction

from game.play import moves
from tests.bench.processes import share_of_megabytes
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.socket_server import BARE, GROUP
from tests.bench.tables import decisions, start_table
from tests.callers import Caller, call_all, callers_with, hang_up, told
from tests.crowd import sessions_of_a_crowd
from tests.servers import accepts, end, free_port, wait_until
from tests.service import Visitor

ROUNDS = size(3, small=1)  # ours and the bare ones take turns, since a machine's other work comes and goes
AT_ONCE = 250  # handshakes under way while the rate is measured
RESOLUTIONS = size(3, small=1)  # told in each round
QUIET = 0.5  # seconds between what is told before a resolution and itself
MOST_SLOWER, LEAST_RATE, LONGEST_STORM, MOST_KILOBYTES = 2, 0.5, 10, 30
MOST_MEGABYTES = 110


class Round(NamedTuple):
    """Seconds: until all were let in and those that the web processes worked for it, from each commit to the last who
    was told, and until all were back."""

    opening: float
    work: float
    telling: list[float]
    storm: float


def socket_rows(sockets: int) -> Iterator[Row]:
    """So many sockets of as many people, of visitors, and bare ones."""
    game_id, people = start_table("sockets", 4).pk, callers_with(sessions_of_a_crowd(sockets))
    visitors = [Caller(caller.address) for caller in people]
    bench = Bench(game_id, sockets)
    with bench.server():
        bench.begin()
        bench.measure("people", bench.path, people)
        bench.rest()
        for _ in range(ROUNDS):
            bench.measure("bare", BARE, visitors)
            bench.measure("people", bench.path, people)
            bench.measure("visitors", bench.path, visitors)
        bench.finish()
    yield bench.telling_row()
    for kind in ("people", "visitors"):
        yield bench.rate_row(kind)
        yield bench.work_row(kind)
    yield bench.storm_row()
    yield bench.memory_row()
    yield bench.process_row()


@contextmanager
def web_server(port: int, *, workers: int = 2) -> Iterator[subprocess.Popen[bytes]]:
    """The service's web processes."""
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.socket_server", str(port), str(workers)])
    try:
        wait_until(lambda: accepts(port), process)
        yield process
    finally:
        end(process)


def _server_of(kind: str) -> str:
    return "bare" if kind == "bare" else "people"


class Bench:
    """The service's web processes, and what was measured with each kind of caller."""

    def __init__(self, game_id: int, sockets: int) -> None:
        self.game_id, self.sockets = game_id, sockets
        self.path = f"/ws/games/{game_id}/"
        self.ports = {"people": free_port(), "bare": free_port()}
        self.rounds: dict[str, list[Round]] = {"people": [], "visitors": [], "bare": []}
        self.open_megabytes: list[float] = []
        self.shares: list[float] = []
        self.pages: list[tuple[int, float]] = []

    @contextmanager
    def server(self) -> Iterator[None]:
        """What is bare has processes of its own, and leaves nothing behind in ours."""
        with web_server(self.ports["people"]) as ours, web_server(self.ports["bare"]) as bare:
            self.servers = {"people": ours, "bare": bare}
            for _ in range(20):
                Visitor(self.ports["people"]).get(f"/games/{self.game_id}/")
            yield

    def measure(self, kind: str, path: str, callers: Sequence[Caller]) -> None:
        self.rounds[kind].append(asyncio.run(self._round(kind, path, callers)))

    def begin(self) -> None:
        self.megabytes_before = self.megabytes()

    def finish(self) -> None:
        """Afterwards, when all have hung up."""
        self.shares = [share_of_megabytes(int(web.name)) for web in self._web("people")]

    def rest(self) -> None:
        """The first round filled caches and code that is loaded at its first use: it counts for memory alone."""
        self.rounds["people"].clear()
        self.pages.clear()

    async def _round(self, kind: str, path: str, callers: Sequence[Caller]) -> Round:
        port = self.ports[_server_of(kind)]
        began, worked = perf_counter(), self.work(kind)
        lines = await call_all(port, path, callers, at_once=AT_ONCE)
        opening, work = perf_counter() - began, self.work(kind) - worked
        assert all(line.is_open for line in lines), [(line.status, line.code) for line in lines if not line.is_open][:3]
        telling = [max(await told(lines, await self._next(kind))) for _ in range(RESOLUTIONS)]
        if not self.open_megabytes:
            self.open_megabytes = self.megabytes()
        hang_up(lines)
        with self._pages_meanwhile(kind):
            began = perf_counter()
            lines = await call_all(port, path, callers, at_once=len(callers))
            storm = perf_counter() - began
        assert all(line.is_open for line in lines), [(line.status, line.code) for line in lines if not line.is_open][:3]
        await told(lines, await self._next(kind))
        hang_up(lines)
        await asyncio.sleep(1)
        return Round(opening, work, telling, storm)

    async def _next(self, kind: str) -> Callable[[], Awaitable[float]]:
        """What tells all sockets something at once, and gives back the moment from which it counts."""
        if kind == "bare":
            return self._tell_bare
        close = await asyncio.to_thread(self._all_but_one)
        await asyncio.sleep(QUIET)  # they were told of those that are ready
        return lambda: asyncio.to_thread(close)

    async def _tell_bare(self) -> float:
        layer: Any = get_channel_layer("bare")
        began = perf_counter()
        await layer.group_send(GROUP, {"type": "game.changed", "version": 1, "is_open": True})
        return began

    def _all_but_one(self) -> Callable[[], float]:
        """Send every decision of the open phase but the last, which resolves it when it is called; it gives back the
        moment of its commit."""
        *others, last = decisions(self.game_id)
        for seat, requests in others:
            moves.submit(game_id=self.game_id, seat_number=seat, requests=requests)
        close_old_connections()
        return lambda: self._close(*last)

    def _close(self, seat: int, requests: Sequence[Any]) -> float:
        committed: list[float] = []
        with transaction.atomic():
            transaction.on_commit(lambda: committed.append(perf_counter()))
            moves.submit(game_id=self.game_id, seat_number=seat, requests=requests)
        close_old_connections()
        return committed[0]

    @contextmanager
    def _pages_meanwhile(self, kind: str) -> Iterator[None]:
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                self.pages.append(Visitor(self.ports["people"]).get(f"/games/{self.game_id}/"))

        asker = threading.Thread(target=ask)
        if kind != "bare":
            asker.start()
        yield
        done.set()
        if kind != "bare":
            asker.join()

    def megabytes(self) -> list[float]:
        """Resident, of each web process."""
        lines = [line for web in self._web("people") for line in (web / "status").read_text().splitlines()]
        return [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")]

    def work(self, kind: str) -> float:
        """Seconds of processor that its web processes have had so far, whatever else the machine does."""
        fields = [(web / "stat").read_text().rpartition(")")[2].split() for web in self._web(kind)]
        return sum(int(field) for each in fields for field in each[11:13]) / os.sysconf("SC_CLK_TCK")

    def _web(self, kind: str) -> list[Path]:
        watching = self.servers[_server_of(kind)].pid
        children = Path(f"/proc/{watching}/task/{watching}/children").read_text().split()
        return [Path("/proc", pid) for pid in children if b"tracker" not in Path("/proc", pid, "cmdline").read_bytes()]

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

    def work_row(self, kind: str) -> Row:
        kinds = (kind, "bare")
        ours, bare = (median(each.work for each in self.rounds[of]) / self.sockets * 1000 for of in kinds)
        ratio, goal = ours / bare, f"≤ {1 / LEAST_RATE:.0f} ×"
        name = f"processor for a socket of {kind}"
        return Row(name, ours, "ms", "bare, ms", bare, ratio, goal, ratio * LEAST_RATE <= 1)

    def storm_row(self) -> Row:
        ours, bare = (max(each.storm for each in self.rounds[kind]) for kind in ("people", "bare"))
        times = sorted(seconds for _, seconds in self.pages)
        failed = sum(status != 200 for status, _ in self.pages)
        note = f"{len(times)} pages meanwhile, {failed} failed, p50 {median(times):.2f} s, slowest {times[-1]:.2f} s"
        is_reached = ours <= LONGEST_STORM and not failed
        name, goal = f"{self.sockets:,} lost at once, all back", f"≤ {LONGEST_STORM} s"
        return Row(name, ours, "s", "bare, s", bare, ours / bare, goal, is_reached, note)

    def memory_row(self) -> Row:
        """With the first sockets that a process has ever had."""
        before, now = sum(self.megabytes_before), sum(self.open_megabytes)
        each, goal = (now - before) * 1024 / self.sockets, f"≤ {MOST_KILOBYTES} kB"
        processes = " and ".join(
            f"{was:.0f} → {found:.0f} MB" for was, found in zip(self.megabytes_before, self.open_megabytes, strict=True)
        )
        note = f"the two web processes: {processes}"
        return Row("memory of a socket", each, "kB", "", None, None, goal, each <= MOST_KILOBYTES, note)

    def process_row(self) -> Row:
        """What the larger web process has kept when all sockets are gone."""
        ours, goal = max(self.shares), f"≤ {MOST_MEGABYTES} MB"
        name = f"a web process after rounds of {self.sockets:,} sockets"
        return Row(name, ours, "MB", "", None, None, goal, ours <= MOST_MEGABYTES)
