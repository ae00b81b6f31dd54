"""Best-effort messages after commit: version numbers to open pages and a wake-up for bots."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import structlog
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

from game.store.game import Game

MOST_WAITING = 500  # hints in flight at the same time in one process
TIMEOUT_SECONDS = 5
log = structlog.get_logger("game.services.push")
_waiting: set[Future[None]] = set()


def game_changed(game: Game) -> None:
    """After the commit: everybody who may see the game may fetch something new."""
    hint = {"version": game.version, "is_open": game.is_open}
    # A lambda, not a partial, because Django logs the `__qualname__` of a callback that fails.
    transaction.on_commit(lambda: _send(f"game.{game.pk}", "game.changed", **hint), robust=True)


def seat_changed(game_id: int, seat: int, version: int) -> None:
    """After the commit: only this seat sees something new. Rivals get nothing, so that they do not learn when."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.seat.{seat}", "seat.changed", version=version), robust=True)


def chat_changed(game_id: int, version: int) -> None:
    """After the commit: players may fetch something new from the chat; strangers' pages get nothing."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.chat", "chat.changed", version=version), robust=True)


def chat_read(game_id: int, seat: int, version: int) -> None:
    """After the commit: a player has read the chat, and their other pages update the count."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.seat.{seat}", "chat.changed", version=version), robust=True)


def person_changed(user_id: int, version: int) -> None:
    """After the commit: a person may fetch something new about a game that they are not in."""
    transaction.on_commit(lambda: _send(f"person.{user_id}", "person.changed", version=version), robust=True)


def call_bots(game_id: int) -> None:
    """After the commit: bots must act. If the call is lost, the sweep finds them."""
    transaction.on_commit(lambda: _hand_over(_call(game_id)), robust=True)


def _send(group: str, kind: str, **hint: int) -> None:
    layer: Any = get_channel_layer()
    if layer is not None:
        _hand_over(layer.group_send(group, {"type": kind, **hint}))


async def _call(game_id: int) -> None:
    """Send the task in a thread, because Celery's client blocks."""

    def call() -> None:
        retry_policy = {
            "max_retries": 1,
            "interval_start": 0,
        }  # again on a new connection, in case the idle one broke
        current_app.send_task("game.tasks.play_bots", args=[game_id], retry=True, retry_policy=retry_policy)

    await asyncio.get_running_loop().run_in_executor(_caller(), call)


def _hand_over(hint: Coroutine[Any, Any, None]) -> None:
    """Send a hint in the hints' thread without waiting for it; drop it if too many are waiting for Redis."""
    if len(_waiting) >= MOST_WAITING:
        hint.close()
        log.warning("hint_lost", error=f"{MOST_WAITING} hints are waiting.")
        return
    future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(hint, TIMEOUT_SECONDS), _loop())
    _waiting.add(future)
    future.add_done_callback(_report)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop for all hints of this process: the channel layer keeps its connections, and no hint starts a
    thread."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="hints", daemon=True).start()
    return loop


@cache
def _caller() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="bots' calls")


def _report(future: Future[None]) -> None:
    _waiting.discard(future)
    if not future.cancelled() and (error := future.exception()) is not None:
        log.warning("hint_lost", error=str(error) or type(error).__name__)
