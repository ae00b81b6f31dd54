"""The WebSocket of a game page: it sends version numbers and accepts no messages."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.urls import path, re_path
from redis.exceptions import RedisError
from structlog.contextvars import bind_contextvars

from game.live import access, connections, listeners
from game.live.connections import local_register
from game.live.listeners import leave

TRY_AGAIN_LATER, CLIENT_SENT_DATA, NOT_OWN_SESSION, NO_GAME = 1013, 4400, 4403, 4404  # why a socket was closed
log = structlog.get_logger("game.consumers")


class GameConsumer(AsyncJsonWebsocketConsumer):
    """Hints for one game and the reader's own seat in it. The routing checks the origin. If Redis is down the socket is
    closed; the browser retries, and meanwhile polls the page twice a minute."""

    game_id: int
    session_key: str
    seat: int | None = None
    claim: listeners.Claim | None = None
    reader: str = ""  # the key under which sockets are counted
    opened: str = ""  # sortable: time of opening plus a random suffix
    accepted: bool = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.session_key = listeners.session_key_of(scope)
        try:
            await super().__call__(scope, receive, send)
        except RedisError as error:
            log.warning("socket_without_redis", error=str(error))
            await self.close(code=TRY_AGAIN_LATER)
        finally:
            await self._leave()

    async def dispatch(self, message: Mapping[str, Any]) -> None:
        """Skip Channels' database cleanup, which uses another thread for each message: only `game.live.access` uses the
        database."""
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        bind_contextvars(game=self.game_id, socket=secrets.token_hex(8))
        welcome = await self._ask()
        self.claim = welcome and welcome.claim
        self.reader = listeners.reader_of(self.claim and self.claim.user_id, self.scope)
        refusal = await connections.count_opening(self.reader)
        if refusal is not None:
            await connections.refuse(refusal, self.scope, self.base_send)
            raise StopConsumer
        if welcome is None:
            await self.close(code=NO_GAME)
            return
        self.seat = welcome.seat
        self.groups = [f"game.{self.game_id}"]
        if self.seat is not None:
            self.groups += [f"game.{self.game_id}.seat.{self.seat}", f"game.{self.game_id}.chat"]
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await local_register().listen()
        local_register().enter(self)
        await self.accept()
        self.accepted = True
        if self.claim is not None:
            listeners.watch(self)
        local_register().make_room(self.reader)
        self.scope.clear()  # unused from now on, and thousands of sockets stay open for hours

    async def websocket_disconnect(self, message: Mapping[str, Any]) -> None:
        raise StopConsumer

    async def _leave(self) -> None:
        self.accepted = False
        listeners.unwatch(self)
        if self.opened:
            local_register().leave(self)
        await leave(self.channel_layer, self.channel_name, self.groups)

    async def receive(self, *, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        await self.close(code=CLIENT_SENT_DATA)

    async def game_changed(self, message: Mapping[str, Any]) -> None:
        """Send the new version; if the game has become one by invitation, only if the reader may still see it. Hints of
        the previous release do not say whether it has."""
        if not message.get("is_open") and await self._welcome() is None:
            await self.close(code=NOT_OWN_SESSION)
            return
        await self.send_json({"version": message["version"]})

    async def seat_changed(self, message: Mapping[str, Any]) -> None:
        """Send the version to this seat. Readers who lost the seat or signed out are disconnected without a message."""
        if self.seat is not None and await self._own_seat() == self.seat:
            await self.send_json({"version": message["version"]})
        else:
            await self.close(code=NOT_OWN_SESSION)

    async def chat_changed(self, message: Mapping[str, Any]) -> None:
        """Send the chat's version to players who still have a seat."""
        if self.seat is not None and await self._own_seat() == self.seat:
            await self.send_json({"chat": message["version"]})

    async def send(self, *args: Any, **kwargs: Any) -> None:
        """Send nothing after closing: a hint may be in flight when the roll closes the socket."""
        if self.accepted:
            await super().send(*args, **kwargs)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        self.accepted = False
        await super().close(code, reason)

    async def _own_seat(self) -> int | None:
        """The seat that the socket's person has now."""
        welcome = await self._welcome()
        return welcome.seat if welcome is not None else None

    async def _welcome(self) -> access.Admission | None:
        """The result of asking again now; None without access, or if the person is no longer signed in with their
        current password."""
        welcome = await self._ask()
        return welcome if welcome is not None and welcome.claim == self.claim else None

    async def _ask(self) -> access.Admission | None:
        return await access.request_admission(access.AccessRequest(self.session_key, self.game_id))


async def no_such_socket(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
    """Answer 404 for all other URLs."""
    await receive()
    await connections.answer(scope, send, status=404, code=NO_GAME)


websocket_urlpatterns = [
    path("ws/games/<int:game_id>/", GameConsumer.as_asgi()),
    re_path("", no_such_socket),  # type: ignore[arg-type]
]
