"""What is said after a commit: numbers to the open pages and a call to the bots. Losing all of it loses nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache, partial
from typing import Any

import structlog
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

log = structlog.get_logger(__name__)


def tell_game(game_id: int, version: int) -> None:
    """After the commit: everybody at the game may fetch something new."""
    transaction.on_commit(partial(_send, f"game.{game_id}", "game.changed", version), robust=True)


def tell_seat(game_id: int, seat: int, version: int) -> None:
    """After the commit: only this seat sees something new; rivals are told nothing, not even when."""
    transaction.on_commit(partial(_send, f"game.{game_id}.seat.{seat}", "seat.changed", version), robust=True)


def call_bots(game_id: int) -> None:
    """After the commit: bots are waited for. Where the call is lost the sweep finds them."""
    transaction.on_commit(partial(current_app.send_task, "game.tasks.play_bots", args=[game_id], retry=False), robust=True)


def _send(group: str, kind: str, version: int) -> None:
    """Hand the hint over without waiting for it: nobody's answer is to hang on a slow channel layer."""
    layer = get_channel_layer()
    if layer is not None:
        sent = asyncio.run_coroutine_threadsafe(_group_send(layer, group, kind, version), _loop())
        sent.add_done_callback(_report)


def _group_send(layer: Any, group: str, kind: str, version: int) -> Coroutine[Any, Any, None]:
    sending: Coroutine[Any, Any, None] = layer.group_send(group, {"type": kind, "version": version})
    return sending


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One event loop of this process for all hints: the layer keeps its connections to it, and no thread starts per hint."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="hints", daemon=True).start()
    return loop


def _report(sent: Future[None]) -> None:
    if not sent.cancelled() and (error := sent.exception()) is not None:
        log.warning("hint_lost", error=str(error))
