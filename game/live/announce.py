"""What is sent after a commit: numbers to the open pages and a call to the bots. Games continue without any of it."""

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

MOST_WAITING = 500  # hints that may be on their way at once in one process
LONGEST = 5  # seconds on the way
log = structlog.get_logger("game.services.push")
_waiting: set[Future[None]] = set()


def tell_game(game_id: int, version: int) -> None:
    """After the commit: everybody at the game may fetch something new."""
    # A lambda and no partial: where a callback fails, Django logs its __qualname__.
    transaction.on_commit(lambda: _send(f"game.{game_id}", "game.changed", version), robust=True)


def tell_seat(game_id: int, seat: int, version: int) -> None:
    """After the commit: only this seat sees something new; rivals are told nothing, not even when."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.seat.{seat}", "seat.changed", version), robust=True)


def tell_chat(game_id: int, version: int) -> None:
    """After the commit: the players may fetch something new from the chat; strangers' pages are told nothing."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.chat", "chat.changed", version), robust=True)


def tell_reader(game_id: int, seat: int, version: int) -> None:
    """After the commit: one player has read the chat, and their other pages need not count it any more."""
    transaction.on_commit(lambda: _send(f"game.{game_id}.seat.{seat}", "chat.changed", version), robust=True)


def tell_person(user_id: int, version: int) -> None:
    """After the commit: somebody may fetch something new of a game that they are not in."""
    transaction.on_commit(lambda: _send(f"person.{user_id}", "person.changed", version), robust=True)


def call_bots(game_id: int) -> None:
    """After the commit: bots must act. If the call is lost, the sweep finds them."""
    transaction.on_commit(lambda: _hand_over(_call(game_id)), robust=True)


def _send(group: str, kind: str, version: int) -> None:
    layer: Any = get_channel_layer()
    if layer is not None:
        _hand_over(layer.group_send(group, {"type": kind, "version": version}))


async def _call(game_id: int) -> None:
    """Celery's client blocks, so it has a thread of its own."""

    def call() -> None:
        once_more = {
            "max_retries": 1,
            "interval_start": 0,
        }  # on a new connection, where the old one broke while it was idle
        current_app.send_task("game.tasks.play_bots", args=[game_id], retry=True, retry_policy=once_more)

    await asyncio.get_running_loop().run_in_executor(_caller(), call)


def _hand_over(hint: Coroutine[Any, Any, None]) -> None:
    """Leave a hint to the thread of hints without waiting for it; drop it if too many wait for a Redis that hangs."""
    if len(_waiting) >= MOST_WAITING:
        hint.close()
        log.warning("hint_lost", error=f"{MOST_WAITING} hints are waiting.")
        return
    sent = asyncio.run_coroutine_threadsafe(asyncio.wait_for(hint, LONGEST), _loop())
    _waiting.add(sent)
    sent.add_done_callback(_report)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One event loop of this process for all hints: the layer keeps its connections to it, and no thread starts per
    hint."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="hints", daemon=True).start()
    return loop


@cache
def _caller() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="bots' calls")


def _report(sent: Future[None]) -> None:
    _waiting.discard(sent)
    if not sent.cancelled() and (error := sent.exception()) is not None:
        log.warning("hint_lost", error=str(error) or type(error).__name__)
