"""Every request is read as UTF-8, whatever charset its Content-Type names."""

from __future__ import annotations

import re

from sectors_site.request_bodies import Application, Receive, Scope, Send

CHARSET = re.compile(rb";\s*charset\s*=[^;]*", re.IGNORECASE)


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
