"""The socket of a game page: it carries version numbers and accepts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from game.selectors import seat_number_of


class GameConsumer(AsyncJsonWebsocketConsumer):
    """Hints for one game, and for one's own seat at it. The origin is checked where the socket is routed."""

    async def connect(self) -> None:
        game_id = self.scope["url_route"]["kwargs"]["game_id"]
        self.groups = [f"game.{game_id}"]
        seat = await database_sync_to_async(seat_number_of)(game_id=game_id, user=self.scope["user"])
        if seat is not None:
            self.groups.append(f"game.{game_id}.seat.{seat}")
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def receive(self, *, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        await self.close(code=4400)

    async def game_changed(self, message: Mapping[str, Any]) -> None:
        """Something new may be fetched."""
        await self.send_json({"version": message["version"]})
