"""A user with their own model: uploads it, runs it in ONNX Runtime, requests its files."""

from __future__ import annotations

import asyncio
import base64
import time
from typing import Any

import numpy as np

from bench.load.person import Person
from bench.load.tally import Tally
from model.checkpoint import state_bytes
from model.config import MiniGPTConfig
from model.parameters import parameter_shapes

ASK_SECONDS = 1.0  # the page's polling interval
SIZES = MiniGPTConfig(5, 16, 6, 1, 1)  # not shipped: an ONNX graph has to be exported
MAKING = ("waiting", "preparing")


class Owner(Person):
    """A user who uploads a model instead of clicking."""

    def __init__(self, port: int, tally: Tally, component: int, prefix: str = "") -> None:
        super().__init__(port, tally, component, prefix)
        self._tally = tally

    async def bring_one(self, until: float) -> None:
        """Upload it and wait for its graph and files, until `time.monotonic()` reaches `until`."""
        brought = await self.call("own_load", {"content": upload(SIZES)})
        if brought is not None:
            asked = {"model": brought["model"]["id"]}
            began = time.perf_counter()
            if await self._form_is_made(asked, until):
                self._tally.took("own ONNX form", time.perf_counter() - began)
            began = time.perf_counter()
            if await self._files_are_made(asked, until):
                self._tally.took("own files", time.perf_counter() - began)
        await self.leave()

    async def _form_is_made(self, asked: dict[str, Any], until: float) -> bool:
        while time.monotonic() < until:
            answer = await self.call("differences", {"tokens": [0, 1], **asked})
            if answer is None or answer["state"] != "preparing":
                return answer is not None
            await asyncio.sleep(ASK_SECONDS)
        return False

    async def _files_are_made(self, asked: dict[str, Any], until: float) -> bool:
        while time.monotonic() < until:
            answer = await self.call("own_files", asked)
            if answer is None or answer["state"] not in MAKING:
                if answer is not None and answer["state"] == "failed":
                    self._tally.error("own files failed")
                return answer is not None
            await asyncio.sleep(ASK_SECONDS)
        return False


def upload(sizes: MiniGPTConfig) -> str:
    """A `.safetensors` file of these sizes, all zeros, in base64."""
    zeros = {name: np.zeros(shape, np.float32) for name, shape in parameter_shapes(sizes).items()}
    return base64.b64encode(state_bytes(sizes, zeros)).decode()
