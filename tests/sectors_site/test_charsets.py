"""A request is read as UTF-8, whatever its head claims."""

import asyncio
from typing import Any

import pytest

from sectors_site.asgi_middleware import AlwaysUtf8


def type_that_arrives(said: str) -> str:
    """What an application behind ours reads of this Content-Type."""
    arrived: list[str] = []

    async def site(scope: Any, _receive: Any, _send: Any) -> None:
        arrived.extend(value.decode() for name, value in scope["headers"] if name == b"content-type")

    scope = {"type": "http", "headers": [(b"host", b"testserver"), (b"content-type", said.encode())]}
    asyncio.run(AlwaysUtf8(site)(scope, None, None))  # type: ignore[arg-type]
    return arrived[0]


@pytest.mark.parametrize("charset", ["charset=hex", "Charset=utf-7", 'charset = "idna"', "charset=undefined"])
def test_a7_no_charset_arrives(charset: str) -> None:
    assert type_that_arrives(f"multipart/form-data; {charset}; boundary=X") == "multipart/form-data; boundary=X"
    assert type_that_arrives(f"text/plain; {charset}") == "text/plain"
    assert (
        type_that_arrives(f"multipart/form-data; boundary=X; {charset}; {charset}") == "multipart/form-data; boundary=X"
    )


def test_a7_what_the_site_answers_stands_behind_it() -> None:
    from sectors_site.asgi import application  # here: it needs a set-up Django

    assert isinstance(application.application_mapping["http"], AlwaysUtf8)
