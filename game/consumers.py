"""The socket of a game page: it carries version numbers and accepts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from game.selectors import get_game, may_see, seat_number_of

TALKS, NOT_YOURS, NO_GAME = 4400, 4403, 4404  # why a socket was closed


class GameConsumer(AsyncJsonWebsocketConsumer):
    """Hints for one game, and for one's own seat at it. The origin is checked where the socket is routed."""

    game_id: int
    seat: int | None = None
    is_open: bool

    async def connect(self) -> None:
        self.game_id = self.scope["url_route"]["kwargs"]["game_id"]
        self.groups = [f"game.{self.game_id}"]
        game = await database_sync_to_async(get_game)(game_id=self.game_id)
        if game is None or not await database_sync_to_async(may_see)(game=game, user=await get_user(self.scope)):
            await self.close(code=NO_GAME)
            return
        self.is_open = game.is_open
        self.seat = await self._own_seat()
        if self.seat is not None:
            self.groups.append(f"game.{self.game_id}.seat.{self.seat}")
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def receive(self, *, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        await self.close(code=TALKS)

    async def game_changed(self, message: Mapping[str, Any]) -> None:
        """Something new may be fetched; by invitation, by those who still sit there."""
        if not self.is_open and await self._own_seat() is None:
            await self.close(code=NOT_YOURS)
            return
        await self.send_json({"version": message["version"]})

    async def seat_changed(self, message: Mapping[str, Any]) -> None:
        """The own seat alone sees something new: whoever has lost it or signed out since then is shown out, and hears not even when."""
        if self.seat is not None and await self._own_seat() == self.seat:
            await self.send_json({"version": message["version"]})
        else:
            await self.close(code=NOT_YOURS)

    async def _own_seat(self) -> int | None:
        """Where the person of this socket sits, as long as they are signed in there with the password they have now."""
        session = self.scope["session"]
        if session.session_key is None or not await database_sync_to_async(session.exists)(session.session_key):
            return None
        return await database_sync_to_async(seat_number_of)(game_id=self.game_id, user=await get_user(self.scope))
