"""The socket of a game page: it carries version numbers and accepts nothing."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

import structlog
from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from structlog.contextvars import bind_contextvars

from game import sockets
from game.selectors import get_game, may_see, seat_number_of

TALKS, NOT_YOURS, NO_GAME = 4400, 4403, 4404  # why a socket was closed
log = structlog.get_logger(__name__)


class GameConsumer(AsyncJsonWebsocketConsumer):
    """Hints for one game, and for one's own seat at it. The origin is checked where the socket is routed."""

    game_id: int
    seat: int | None = None
    is_open: bool
    claim: sockets.Claim | None = None
    reader: str = ""  # the group of all sockets of the same person
    opened: str = ""  # greater for sockets that were opened later

    async def connect(self) -> None:
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        bind_contextvars(game=self.game_id, socket=secrets.token_hex(8))
        game = await database_sync_to_async(get_game)(game_id=self.game_id)
        if game is None or not await database_sync_to_async(may_see)(game=game, user=await get_user(self.scope)):
            await self.close(code=NO_GAME)
            return
        self.is_open = game.is_open
        self.seat, self.reader = await self._own_seat(), sockets.reader_of(self.scope)
        self.groups = [self.reader, f"game.{self.game_id}"]
        if self.seat is not None:
            self.groups += [f"game.{self.game_id}.seat.{self.seat}", f"game.{self.game_id}.chat"]
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()
        await self._take_place()

    async def disconnect(self, code: int) -> None:
        if self.opened:
            sockets.unwatch(self)
            await self._tell_own("socket.closed")

    async def receive(self, *, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        await self.close(code=TALKS)

    async def game_changed(self, message: Mapping[str, Any]) -> None:
        """Something new may be fetched; by invitation, by those who still sit there."""
        if not self.is_open and await self._own_seat() is None:
            await self.close(code=NOT_YOURS)
            return
        await self.send_json({"version": message["version"]})

    async def seat_changed(self, message: Mapping[str, Any]) -> None:
        """Only the own seat sees something new. Readers who lost it or signed out are disconnected without a
        message."""
        if self.seat is not None and await self._own_seat() == self.seat:
            await self.send_json({"version": message["version"]})
        else:
            await self.close(code=NOT_YOURS)

    async def chat_changed(self, message: Mapping[str, Any]) -> None:
        """Only players hear of the chat, and only as long as they sit there."""
        if self.seat is not None and await self._own_seat() == self.seat:
            await self.send_json({"chat": message["version"]})

    async def socket_opened(self, message: Mapping[str, Any]) -> None:
        """Another socket of the same person: where there are too many now, the oldest give way."""
        if message["opened"] > self.opened:
            self.younger.add(message["opened"])
            if len(self.younger) >= sockets.most_of(self.reader):
                await self.close(code=sockets.TOO_MANY)

    async def socket_closed(self, message: Mapping[str, Any]) -> None:
        self.younger.discard(message["opened"])

    async def _take_place(self) -> None:
        """In the group before the stamp is made, so that of any two sockets the older one hears of the younger one."""
        self.younger: set[str] = set()
        self.opened = f"{time.time_ns():020}.{secrets.token_hex(4)}"
        self.claim = sockets.claim_of(self.scope)
        if self.claim is not None:
            sockets.watch(self)
        await self._tell_own("socket.opened")

    async def _tell_own(self, kind: str) -> None:
        try:
            await self.channel_layer.group_send(self.reader, {"type": kind, "opened": self.opened})
        except Exception as error:
            log.warning("hint_lost", error=str(error))

    async def _own_seat(self) -> int | None:
        """Where the person of this socket sits, as long as they are signed in there with the password they have now."""
        session = self.scope["session"]
        if session.session_key is None or not await database_sync_to_async(session.exists)(session.session_key):
            return None
        return await database_sync_to_async(seat_number_of)(game_id=self.game_id, user=await get_user(self.scope))


async def no_such_socket(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
    """The answer at every other address."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": NO_GAME})
        return
    await send({"type": "websocket.http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "websocket.http.response.body", "body": b""})
