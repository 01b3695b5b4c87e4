"""A minimal HTTP/1.1 client with one keep-alive connection, for the load generator.

A client library would take more CPU than the server takes to answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass

LOOPBACK = "127.0.0.1"
ANSWER_SECONDS = 60.0


@dataclass(frozen=True)
class Answer:
    """status: 0 if the connection was lost. seconds: from sending to the last byte."""

    status: int
    body: bytes
    seconds: float


class Connection:
    """A connection to `port` on loopback, opened when needed; cookies are sent back."""

    def __init__(self, port: int, prefix: str = "") -> None:
        self._port = port
        self._prefix = prefix
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.cookie = ""

    async def get(self, path: str) -> Answer:
        """GET `path`."""
        return await self._ask(f"GET {self._prefix}{path} HTTP/1.1\r\n", b"")

    async def post(self, path: str, body: bytes) -> Answer:
        """POST JSON to `path`."""
        head = f"POST {self._prefix}{path} HTTP/1.1\r\nContent-Type: application/json\r\n"
        return await self._ask(f"{head}Content-Length: {len(body)}\r\n", body)

    async def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with contextlib.suppress(OSError):  # the server closed it first
                await writer.wait_closed()

    async def _ask(self, head: str, body: bytes) -> Answer:
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        request = f"{head}Host: {LOOPBACK}:{self._port}\r\n{cookie}\r\n".encode() + body
        began = time.perf_counter()
        fresh = self._streams is None
        try:
            status, content = await asyncio.wait_for(self._exchange(request), ANSWER_SECONDS)
        except (TimeoutError, OSError, EOFError, ValueError, IndexError):
            await self.close()
            # An idle connection may have been closed by the server; browsers retry, too.
            if not fresh:
                return await self._ask(head, body)
            status, content = 0, b""
        return Answer(status, content, time.perf_counter() - began)

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(LOOPBACK, self._port)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head)
        }
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        body = await _body(reader, headers)
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return int(head[0].split()[1]), body


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    body = b""
    while size := int((await reader.readline()).strip() or b"0", 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readline()
    return body
