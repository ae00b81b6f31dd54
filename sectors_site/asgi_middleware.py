"""Wrappers of the ASGI application: every request is read as UTF-8, and its whole body, within limits of size and time,
before a page thread handles it; sockets must come from the site's own origin."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.template.loader import render_to_string

from accounts.languages import language_of, override_language, requested_language
from game.api.documents import is_of_api
from game.api.problems import Problem, answer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

ANSWER_SECONDS = 120  # slower readers are cut off
PROBLEMS = {HTTPStatus.REQUEST_TIMEOUT: "too-slow", HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large"}
ERROR_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "strict-origin",  # the address may be a key
    "Connection": "close",
}
LINGER_SECONDS = 2  # most clients read the response only after sending everything
CHARSET = re.compile(rb";\s*charset\s*=[^;]*", re.IGNORECASE)
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
DEFAULT_PORTS = {"http": 80, "https": 443}


class NoFiles(FileUploadHandler):
    """No page accepts files: refuses the request before any of it is stored."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise RequestDataTooBig("This site takes no files.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Never called: `new_file` has refused."""

    def file_complete(self, file_size: int) -> None:
        """Never called: `new_file` has refused."""


class TooLarge(Exception):
    """The body has more bytes than `DATA_UPLOAD_MAX_MEMORY_SIZE`."""


class ClientDisconnected(Exception):
    """The client has closed the connection."""


class WholeBodies:
    """An ASGI application that calls `pages` with complete bodies: a slow client costs memory and no thread."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(settings.BODY_SECONDS):
                body = await _read(scope, receive)
        except TimeoutError:
            await _refuse(scope, HTTPStatus.REQUEST_TIMEOUT, receive, send)
        except TooLarge:
            await _refuse(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, receive, send)
        except ClientDisconnected:
            return
        else:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.pages(_with_length(scope, body), _replay(body, receive), send)


async def _read(scope: Scope, receive: Receive) -> bytes:
    """The body, with declared length or chunked."""
    max_bytes = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if _declared_length(scope) > max_bytes:
        raise TooLarge
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > max_bytes:
            raise TooLarge
    return bytes(body)


def _declared_length(scope: Scope) -> int:
    """0 if there is none; the servers refuse a Content-Length that is no number."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()), 0)


def _with_length(scope: Scope, body: bytes) -> Scope:
    """Set the length, for chunked bodies too: WSGI reads no body without it."""
    framing = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in framing]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return the body as one message, then pass on the server's messages."""
    bodies = [body]

    async def receive_replayed() -> Message:
        return {"type": "http.request", "body": bodies.pop(), "more_body": False} if bodies else await receive()

    return receive_replayed


async def _refuse(scope: Scope, status: HTTPStatus, receive: Receive, send: Send) -> None:
    """Send the error, then read on for a moment so that the client can read it."""
    response = _error_response(ASGIRequest(dict(scope), BytesIO()), status)
    for name, value in (("Content-Length", str(len(response.content))), *ERROR_HEADERS.items()):
        response[name] = value
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": response.content, "more_body": True})
    await _linger(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _error_response(request: ASGIRequest, status: HTTPStatus) -> HttpResponse:
    """The answer to an error, in the language that the request asks for: its sender is not known yet."""
    is_program = is_of_api(request)
    with override_language(language := requested_language(request) if is_program else language_of(request)):
        response = answer(Problem(PROBLEMS[status])) if is_program else _error_page(status)
    response["Content-Language"] = language
    return response


def _error_page(status: HTTPStatus) -> HttpResponse:
    headers = {
        "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'"
    }
    return HttpResponse(render_to_string(f"{status.value}.html"), status=status.value, headers=headers)


async def _linger(receive: Receive) -> None:
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while (message := await receive())["type"] == "http.request" and message.get("more_body"):
                continue
    except TimeoutError:
        return


class AlwaysUtf8:
    """An ASGI application that drops the charset of a request. Django would decode forms and addresses by any codec of
    Python: some raise, and some bring lone surrogates and zero bytes past every check."""

    def __init__(self, site: Application) -> None:
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (name, CHARSET.sub(b"", value) if name == b"content-type" else value) for name, value in scope["headers"]
        ]
        await self.site({**scope, "headers": headers}, receive, send)


class OwnOrigin:
    """Admits sockets of the site's own pages. Channels' validator compares only host names."""

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
        origins = [value.decode("latin1") for name, value in scope["headers"] if name == b"origin"]
        is_own = len(origins) == 1 and origins[0] in own_origins(scope)
        answer: Awaitable[None] = (self.application if is_own else WebsocketDenier())(scope, receive, send)
        return answer


def own_origins(scope: dict[str, Any]) -> set[str]:
    """SITE_URL as an origin; for a private copy also this machine's names with the port that it listens on."""
    site = urlsplit(settings.SITE_URL)
    origins = {
        _origin(site.scheme, f"[{site.hostname}]" if ":" in (site.hostname or "") else site.hostname or "", site.port)
    }
    if settings.EMBEDDED:
        _, port = scope.get("server") or (None, site.port)
        origins |= {_origin("http", host, port) for host in LOOPBACK_HOSTS}
    return origins


def _origin(scheme: str, host: str, port: int | None) -> str:
    return f"{scheme}://{host}" if port in {None, DEFAULT_PORTS.get(scheme)} else f"{scheme}://{host}:{port}"
