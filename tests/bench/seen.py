"""From the last one's “ready” to what another player sees of the next phase: at a program that listens on a socket and
fetches the page's part, and in a browser. Beside a hint of a bare consumer and the hello view on the same server."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

import msgspec
from channels.layers import get_channel_layer
from django.conf import settings
from websockets.sync.client import ClientConnection, connect

from accounts import api_tokens
from game.play import moves
from game.store.game import Game
from tests.bench.pages import session_cookie
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.socket_server import BARE, GROUP
from tests.bench.sockets import web_server
from tests.bench.tables import decisions, is_running, start_table
from tests.servers import PATIENCE, find_chromium

SEATS, WATCHER = 6, 0
PHASES, WARM = size((40, 5), small=(2, 1))
QUIET = 0.4  # seconds between what is told before a resolution and itself
MOST_PART, MOST_PANEL = 60, 300  # ms
HELLO = "/hello/"
# When the new panel, or the bare page's text, has been painted.
PAINTED = "const painted = () => requestAnimationFrame(() => setTimeout(() => window.done(Date.now())))"
EXPECT = "() => { window.seen = new Promise((done) => { window.done = done; }); }"
WATCH = f"() => {{ window.done = () => {{}}; {PAINTED}; document.addEventListener('refreshed', painted); }}"
WATCH_BARE = f"""() => new Promise((open) => {{
    {PAINTED};
    const socket = new WebSocket(`ws://${{location.host}}{BARE}`);
    socket.onopen = open;
    socket.onmessage = async () => {{
        document.body.textContent = await (await fetch('{HELLO}', {{ cache: 'no-store' }})).text();
        painted();
    }};
}})"""
Act = Callable[[], float]  # gives back the moment at which it began


def seen_rows() -> Iterator[Row]:
    """A program, then a browser where there is one."""
    address = settings.SITE_URL
    with web_server(urlsplit(address).port or 0), ThreadPoolExecutor(1) as player:
        table = Table(address, player)
        ours, bare = _seen_by_programs(table)
        yield _row("all ready to the part at another's socket", ours, bare, MOST_PART)
        if not find_chromium():
            yield Row("panel", 0, "", "", None, None, "", None, "there is no Chromium here: ./dev test says how")
            return
        ours, bare = _seen_in_browser(table)
        yield _row("all ready to the new panel in a browser", ours, bare, MOST_PANEL)


class Table:
    """A game whose phases are closed by a request of somebody else than the watcher; all that is done at it is done in
    one thread of its own."""

    def __init__(self, address: str, player: ThreadPoolExecutor) -> None:
        self.address, self.player, self.runner = address, player, asyncio.Runner()
        self.names = (f"seen {number}" for number in count())
        self.do(self._start)

    def do(self, work: Callable[[], Any]) -> Any:
        return self.player.submit(work).result()

    def _start(self) -> None:
        """A new game; the watcher's cookie, and what the others' programs sign in with."""
        self.game = start_table(next(self.names), SEATS)
        self.cookie = session_cookie(self.game.seats.get(number=WATCHER).user)
        self.tokens = {seat.number: _token(seat.user) for seat in self.game.seats.select_related("user")}

    def next_phase(self) -> tuple[int, Act]:
        """Everybody's decision but the last one's, which closes the phase; the game's version until then."""
        found: tuple[int, Act] = self.do(self._next_phase)
        time.sleep(QUIET)
        return found

    def _next_phase(self) -> tuple[int, Act]:
        while len(sent := decisions(self.game.pk)) < 2 or sent[-1][0] == WATCHER:
            self._submit(sent)
        self._submit(sent[:-1])
        now = Game.objects.get(pk=self.game.pk)
        seat, requests = sent[-1]
        result = msgspec.json.encode({"phase_serial": now.phase_serial, "actions": requests})
        return now.version, lambda: self._close(seat, result)

    def _submit(self, sent: Sequence[tuple[int, Any]]) -> None:
        for seat, requests in sent:
            moves.submit(game_id=self.game.pk, seat_number=seat, requests=requests)

    def _close(self, seat: int, asked: bytes) -> float:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc)
        connection.connect()
        began = time.time()
        connection.request("POST", f"/api/v1/games/{self.game.pk}/moves", asked, headers)
        answer = connection.getresponse()
        result = msgspec.json.decode(answer.read())
        assert answer.status == 200, result
        assert result["phase_closed"], result
        return began

    def tell_bare(self) -> float:
        """A hint to all who listen to the bare consumer."""
        layer: Any = get_channel_layer("bare")
        began = time.time()
        self.runner.run(layer.group_send(GROUP, {"type": "game.changed", "version": 1, "is_open": True}))
        return began

    @property
    def is_over(self) -> bool:
        return not self.do(lambda: is_running(self.game.pk))

    def begin_again(self) -> None:
        self.do(self._start)


def _token(user: Any) -> str:
    return api_tokens.issue(user=user, name="seen", scopes=tuple(api_tokens.SCOPES), days=1)[1]


class Program:
    """A socket, and a connection on which what it hints at is fetched."""

    def __init__(self, address: str, path: str, *, socket: str, cookie: str = "") -> None:
        self.path, self.headers = path, {"Cookie": cookie, "HX-Request": "true", "X-Visible": "watching"}
        self.connection = http.client.HTTPConnection(urlsplit(address).netloc)
        self.socket: ClientConnection = connect(
            address.replace("http", "ws", 1) + socket,
            origin=address,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
            open_timeout=PATIENCE,
        )

    def get_ready(self) -> None:
        """What it was told before does not count; and servers end connections that nobody uses for some seconds."""
        self.connection.close()
        self.connection.connect()
        try:
            while True:
                self.socket.recv(timeout=0)
        except TimeoutError:
            return

    def see(self, is_new: Callable[[str], bool]) -> float:
        """The moment at which it has what it was told of."""
        while True:
            self.socket.recv(timeout=PATIENCE)
            self.connection.request("GET", self.path, headers=self.headers)
            answer = self.connection.getresponse()
            result = answer.read().decode()
            assert answer.status == 200, result[:200]
            if is_new(result):
                return time.time()

    def close(self) -> None:
        self.socket.close()
        self.connection.close()


def _seen_by_programs(table: Table) -> tuple[list[float], list[float]]:
    """Milliseconds, ours and of the bare one in turns."""
    ours: list[float] = []
    bare: list[float] = []
    with ExitStack() as open_ones:
        plain = Program(table.address, HELLO, socket=BARE, cookie=table.cookie)
        open_ones.callback(plain.close)
        while len(ours) < PHASES + WARM:
            program = _watching(table)
            while len(ours) < PHASES + WARM and not table.is_over:
                version, close = table.next_phase()
                ours.append(_until(table, program, close, lambda page, was=version: _version(page) > was))
                bare.append(_until(table, plain, table.tell_bare, bool))
            program.close()
            if table.is_over:
                table.begin_again()
    return ours[WARM:], bare[WARM:]


def _watching(table: Table) -> Program:
    path = table.game.get_absolute_url()
    return Program(table.address, path, socket=f"/ws{path}", cookie=table.cookie)


def _until(table: Table, program: Program, act: Act, is_new: Callable[[str], bool]) -> float:
    program.get_ready()
    began = table.player.submit(act)
    seen = program.see(is_new)
    return (seen - began.result()) * 1000


def _version(page: str) -> int:
    found = re.search(r'data-version="(\d+)', page)
    assert found, page[:500]
    return int(found[1])


def _seen_in_browser(table: Table) -> tuple[list[float], list[float]]:
    """Measure a change between two windows of a browser, until the page is painted."""
    from playwright.sync_api import sync_playwright

    ours: list[float] = []
    bare: list[float] = []
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
        try:
            plain = _window(browser, table, HELLO)
            plain.evaluate(WATCH_BARE)
            while len(ours) < PHASES + WARM:
                page = _window(browser, table, table.game.get_absolute_url())
                page.wait_for_selector("[data-live][data-link=open]")
                page.evaluate(WATCH)
                while len(ours) < PHASES + WARM and not table.is_over:
                    _, close = table.next_phase()
                    ours.append(_until_painted(table, page, close))
                    bare.append(_until_painted(table, plain, table.tell_bare))
                page.context.close()
                if table.is_over:
                    table.begin_again()
        finally:
            browser.close()
    return ours[WARM:], bare[WARM:]


def _window(browser: Any, table: Table, path: str) -> Any:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    name, _, value = table.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": table.address}])
    page = context.new_page()
    assert page.goto(table.address + path).status == 200
    return page


def _until_painted(table: Table, page: Any, act: Act) -> float:
    page.evaluate(EXPECT)
    began = table.do(act)
    return float(page.evaluate("window.seen")) - began * 1000


def _row(name: str, ours: list[float], bare: list[float], most: int) -> Row:
    mine, theirs = median(ours), median(bare)
    worst = quantiles(ours, n=100, method="inclusive")[98]
    note = f"p99 {worst:.0f} ms of {len(ours)} phases; from the request of the last one, over HTTP, its commit included"
    return Row(f"{name}, p50", mine, "ms", "bare, ms", theirs, mine / theirs, f"≤ {most} ms", mine <= most, note)
