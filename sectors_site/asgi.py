"""The ASGI application: pages and sockets."""

import os
from collections.abc import Mapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.wsgi import get_wsgi_application

from sectors_site.socket_origin import OwnOrigin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
# Our views are sync. Django's own ASGI handler gives each request a new thread, and with it a new database connection;
# a small fixed pool of threads answers in two thirds of the time and streams static files. No thread waits for a
# client: bodies are read before a thread is used, and the send queue is unlimited (0) for slow readers.
PAGE_THREADS = 6
OF_ONE_NETWORK = 3  # threads for one network at a time
wsgi = get_wsgi_application()

# Django must be set up before these import its models.
from game.api.streaming import Streams  # noqa: E402
from game.api.waiting import Waiting  # noqa: E402
from game.live.listeners import network_of  # noqa: E402
from game.live.routing import websocket_urlpatterns  # noqa: E402
from sectors_site.charsets import AlwaysUtf8  # noqa: E402
from sectors_site.request_bodies import WholeBodies  # noqa: E402
from sectors_site.turns import Turns  # noqa: E402


def on_threads(site: Any) -> WSGIMiddleware:
    """Run a WSGI application on threads that are shared out by network."""
    middleware: Any = WSGIMiddleware(site, send_queue_size=0)
    middleware.executor = Turns(PAGE_THREADS, most=OF_ONE_NETWORK, whose=_network_of_request)
    return cast("WSGIMiddleware", middleware)


def _network_of_request(environ: Mapping[str, Any], _: object) -> str:
    return network_of(environ["asgi.scope"])


# Both mean WSGI; their stubs spell its types differently.
pages = WholeBodies(on_threads(wsgi))  # type: ignore[arg-type]

application = ProtocolTypeRouter(
    {
        "http": AlwaysUtf8(Streams(pages, Waiting(pages))),
        "websocket": OwnOrigin(URLRouter(websocket_urlpatterns)),
    }
)
