"""The load generator's own client, against a server that does what servers do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bench.load.connection import Answer, Connection
from tests import own_loop

Scenario = Callable[[int], Awaitable[list[Answer]]]

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1; path=/\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n3\r\nnow\r\n0\r\n\r\n"
CLOSING = b"HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def _ran(replies: list[bytes], scenario: Scenario) -> tuple[list[Answer], list[bytes]]:
    """The answers, and the heads of the requests. An empty reply cuts the line."""
    heads: list[bytes] = []
    waiting = list(replies)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while waiting:
                heads.append(await reader.readuntil(b"\r\n\r\n"))
                reply = waiting.pop(0)
                if not reply:
                    break
                writer.write(reply)
        except asyncio.IncompleteReadError:  # the client hung up
            pass
        finally:
            writer.close()

    async def main() -> list[Answer]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            return await scenario(server.sockets[0].getsockname()[1])

    return own_loop.run(main()), heads


def _gets(count: int) -> Scenario:
    async def scenario(port: int) -> list[Answer]:
        line = Connection(port, "/gpt")
        answers = [await line.get("/x") for _ in range(count)]
        await line.close()
        return answers

    return scenario


def test_one_line_serves_several_requests_and_brings_the_cookie_back() -> None:
    answers, heads = _ran([PLAIN, CHUNKED], _gets(2))
    assert [(answer.status, answer.body) for answer in answers] == [(200, b"ok"), (200, b"oknow")]
    assert heads[0].startswith(b"GET /gpt/x HTTP/1.1\r\n")
    assert b"Cookie" not in heads[0]
    assert b"\r\nCookie: a=1\r\n" in heads[1]


def test_a_kept_line_that_was_cut_is_opened_again() -> None:
    answers, heads = _ran([PLAIN, b"", PLAIN], _gets(2))
    assert [answer.status for answer in answers] == [200, 200]
    assert len(heads) == 3


def test_a_fresh_line_that_is_cut_is_an_error() -> None:
    answers, _ = _ran([b""], _gets(1))
    assert answers[0].status == 0


def test_nobody_listening_is_an_error() -> None:
    async def scenario(port: int) -> list[Answer]:
        return [await Connection(1).get("/")]

    answers, _ = _ran([PLAIN], scenario)
    assert answers[0].status == 0


def test_a_line_that_the_server_closes_is_not_used_again() -> None:
    answers, heads = _ran([CLOSING, PLAIN], _gets(2))
    assert [answer.status for answer in answers] == [503, 200]
    assert len(heads) == 2


@pytest.mark.parametrize("reply", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_nonsense_does_not_stop_the_generator(reply: bytes) -> None:
    answers, _ = _ran([reply, PLAIN], _gets(1))
    assert answers[0].status in (0, 200)
