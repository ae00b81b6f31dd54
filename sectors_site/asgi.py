"""Pages and sockets, for an ASGI server such as uvicorn."""

import os
from collections.abc import Mapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.wsgi import get_wsgi_application

from sectors_site.socket_origin import OwnOrigin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
# Our views are sync. Django's own ASGI handler gives each request a new thread, and with it a new database connection;
# a small standing pool of threads answers in two thirds of the time and streams static files. No thread waits for a
# client: bodies are read before one is taken, and an answer queues up without end (0) while its reader is slow.
PAGE_THREADS = 6
OF_ONE_NETWORK = 3  # that many of them at a time
wsgi = get_wsgi_application()

# Django must be set up before these import its models.
from game.api.streaming import Streams  # noqa: E402
from game.api.waiting import Waiting  # noqa: E402
from game.live.listeners import network_of  # noqa: E402
from game.live.routing import websocket_urlpatterns  # noqa: E402
from sectors_site.request_bodies import WholeBodies  # noqa: E402
from sectors_site.turns import Turns  # noqa: E402


def on_threads(site: Any) -> WSGIMiddleware:
    """A WSGI application whose threads are dealt out by the network that asks."""
    threaded: Any = WSGIMiddleware(site, send_queue_size=0)
    threaded.executor = Turns(PAGE_THREADS, most=OF_ONE_NETWORK, whose=_who_asks)
    return cast("WSGIMiddleware", threaded)


def _who_asks(environ: Mapping[str, Any], _: object) -> str:
    return network_of(environ["asgi.scope"])


# Both mean WSGI; their stubs spell its types differently.
pages = WholeBodies(on_threads(wsgi))  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": Streams(pages, Waiting(pages)),
        "websocket": OwnOrigin(URLRouter(websocket_urlpatterns)),
    }
)
