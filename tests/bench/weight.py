"""What a browser fetches for a board in the middle of a game: bytes on the wire, headers included."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

from tests.bench.pages import seated_at
from tests.bench.rows import Row
from tests.servers import find_chromium, find_headless_shell

MOST_COLD, MOST_WARM = 100_000, 60_000
MOST_BOARDS = 1
SETTLED = 1500  # ms after the page is there, in which a script that fetched it again would have done so
WINDOW = {"width": 1440, "height": 900}


def weight_rows(address: str, games: dict[str, int]) -> Iterator[Row]:
    """For each game's board: a newcomer's first load, the next load, and how often that fetched the board."""
    if not find_chromium():
        yield Row("wire of a board", 0, "", "", None, None, "", None, "there is no Chromium here: ./dev test says how")
        return
    seats = [seated_at(game_id) for game_id in games.values()]
    for game, (cold, warm) in zip(games, asyncio.run(_loads(address, seats)), strict=True):
        yield _row(f"{game}: wire of a cold board", cold.bytes, "bytes", MOST_COLD, cold.told)
        yield _row(f"{game}: wire of a warm board", warm.bytes, "bytes", MOST_WARM, warm.told)
        yield _row(f"{game}: fetches of the board a load", warm.boards, "", MOST_BOARDS, "")


def _row(name: str, ours: int, unit: str, most: int, note: str) -> Row:
    return Row(name, ours, unit, "", None, None, f"≤ {most:,}", ours <= most, note)


class Load:
    """One load of a page, as the browser's own network log counts it."""

    def __init__(self, page_url: str) -> None:
        self._page_url = page_url
        self._urls: dict[str, str] = {}
        self._sizes: dict[str, int] = {}

    def watch(self, session: Any) -> None:
        """Listen to a session of Chromium's debugging protocol."""
        session.on(
            "Network.requestWillBeSent", lambda sent: self._urls.update({sent["requestId"]: sent["request"]["url"]})
        )
        session.on(
            "Network.loadingFinished", lambda done: self._sizes.update({done["requestId"]: done["encodedDataLength"]})
        )

    @property
    def bytes(self) -> int:
        return round(sum(self._sizes.values()))

    @property
    def boards(self) -> int:
        """How often the board's own address was asked for, by the browser or by a script."""
        return sum(url == self._page_url for url in self._urls.values())

    @property
    def told(self) -> str:
        """The page and all else that came over the wire."""
        pages = sum(size for key, size in self._sizes.items() if self._urls.get(key) == self._page_url)
        others = sum(size > 0 for key, size in self._sizes.items() if self._urls.get(key) != self._page_url)
        return f"the page {pages:,.0f} bytes, {others} other answers"


async def _loads(address: str, seats: list[tuple[str, str]]) -> list[tuple[Load, Load]]:
    """Two loads of each path by whoever has its cookie, as a browser that comes for the first time."""
    from playwright.async_api import async_playwright

    loads = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_headless_shell() or find_chromium(),
            args=["--no-sandbox"] if os.getuid() == 0 else [],
        )
        try:
            for path, cookie in seats:
                name, _, value = cookie.partition("=")
                context = await browser.new_context(viewport=WINDOW)  # type: ignore[arg-type]
                await context.add_cookies([{"name": name, "value": value, "url": address}])
                loads.append((await _load(context, address + path), await _load(context, address + path)))
                await context.close()
        finally:
            await browser.close()
    return loads


async def _load(context: Any, url: str) -> Load:
    """A load in a tab of its own; the cache is that of all loads before."""
    tab = await context.new_page()
    session = await context.new_cdp_session(tab)
    await session.send("Network.enable")
    load = Load(url)
    load.watch(session)
    answer = await tab.goto(url)
    assert answer.status == 200, (url, answer.status)
    await tab.wait_for_timeout(SETTLED)
    await tab.close()
    return load
