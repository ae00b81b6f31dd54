"""A reverse proxy with a shared cache, in a process of its own: it keeps every answer that the site does not forbid it
to keep, for as long as it runs, and tells answers apart by `Vary` alone. Who asks with `no-cache` is answered by the
site.

`python -m tests.attacks.shared_cache PORT UPSTREAM`; `X-Cache` says whether an answer was kept."""

from __future__ import annotations

import asyncio
import re
import sys

FORBIDDEN = re.compile(r"\b(?:private|no-store)\b", re.IGNORECASE)
Headers = dict[str, str]
Key = tuple[str, tuple[tuple[str, str], ...]]


class Cache:
    """What was kept, by address and by the request's headers that its answer varied by."""

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self.varies: dict[str, tuple[str, ...]] = {}
        self.kept: dict[Key, bytes] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request a connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, _ = head.decode("latin-1").split(" ", 2)
        result = read_headers(head)
        keeps = method == "GET" and result.get("cache-control") != "no-cache"
        found = self.kept.get(self.key(path, result)) if keeps else None
        if found is None:
            found = await self.fetch(head, path, result, keeps=keeps)
            said = b"miss"
        else:
            said = b"hit"
        writer.write(found.replace(b"\r\n", b"\r\nX-Cache: " + said + b"\r\n", 1))
        await writer.drain()
        writer.close()

    def key(self, path: str, asked: Headers) -> Key:
        return path, tuple((name, asked.get(name, "")) for name in self.varies.get(path, ()))

    async def fetch(self, head: bytes, path: str, asked: Headers, *, keeps: bool) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        writer.write(head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        answer = await reader.read()
        writer.close()
        result = read_headers(answer.partition(b"\r\n\r\n")[0])
        varies = tuple(sorted(name.strip().lower() for name in result.get("vary", "").split(",") if name.strip()))
        if (
            keeps
            and b" 200 " in answer[:20]
            and not FORBIDDEN.search(result.get("cache-control", ""))
            and "*" not in varies
        ):
            self.varies[path] = varies
            self.kept[self.key(path, asked)] = answer
        return answer


def read_headers(head: bytes) -> Headers:
    lines = head.decode("latin-1").split("\r\n")[1:]
    pairs = [line.partition(":") for line in lines if line]
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


async def main(port: int, upstream: int) -> None:
    server = await asyncio.start_server(Cache(upstream).serve, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
