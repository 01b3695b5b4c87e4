"""Use the page's tools as a model would, with the `mcp` package; prints JSON. Argument: its URL."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession  # type: ignore[import-not-found]
from mcp.client.streamable_http import streamablehttp_client  # type: ignore[import-not-found]

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "next_token": ("next_token", {"tokens": "我喜欢"}),
    "unknown_word": ("next_token", {"tokens": "dog"}),
    "unknown_tool": ("open_file", {"path": "/etc/passwd"}),
    "afterwards": ("generate", {"tokens": "我", "count": 3, "temperature": 1.0, "seed": 7}),
}


async def main(url: str) -> dict[str, Any]:
    """`tools` by name, and the answer to each of CALLS by its key."""
    async with (
        streamablehttp_client(url) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        listed = await session.list_tools()
        seen: dict[str, Any] = {"tools": {tool.name: tool.model_dump() for tool in listed.tools}}
        for key, (name, arguments) in CALLS.items():
            answer = await session.call_tool(name, arguments)
            text = "".join(part.text for part in answer.content)
            seen[key] = {"isError": answer.isError, "text": text}
        return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1]))))
