"""The service's web processes with a bare Channels consumer at `/bare/`:
`python -m tests.bench.socket_server PORT WORKERS`."""

from __future__ import annotations

import sys
from typing import Any

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from sectors_site.serving import serve

BARE, GROUP = "/bare/", "bare"


class BareConsumer(AsyncJsonWebsocketConsumer):
    """Whoever comes is let in and told; nobody is asked who they are."""

    channel_layer_alias = "bare"
    groups = [GROUP]

    async def game_changed(self, message: dict[str, Any]) -> None:
        await self.send_json({"version": message["version"]})


bare = BareConsumer.as_asgi()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The site, and one address more."""
    from sectors_site.asgi import application as site

    chosen = bare if scope["type"] == "websocket" and scope["path"] == BARE else site
    await chosen(scope, receive, send)


if __name__ == "__main__":
    serve("tests.bench.socket_server:application", workers=int(sys.argv[2]), port=int(sys.argv[1]))
