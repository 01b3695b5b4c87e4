"""OpenVINO, stateful: the IR that optimum-intel exports from GPT-2, run by OpenVINO itself."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from bench.peers.declaration import Ids, Peer, PeerSetup
from bench.peers.gpt2_of import gpt2_of
from export.runtimes.declaration import Environment

F32, BF16 = "f32", "bf16"
_ENVIRONMENT = Environment(
    "openvino-stateful",
    "pip",
    (
        "torch==2.13.0",
        "openvino==2026.4.1",
        "openvino-tokenizers==2026.4.1.0",
        "optimum==2.3.0",
        "transformers==5.5.4",
        "nncf==3.4.0",
        "requests==2.34.2",
        "numpy==2.4.6",
    ),
    # It requires torchvision, which is not used and conflicts with a CPU build of torch.
    without_dependencies=("optimum-intel==2.2.0",),
)
PEERS = (
    Peer(
        "openvino", "OpenVINO, stateful, f32", __name__, _ENVIRONMENT, setting=F32, files="openvino"
    ),
    Peer(
        "openvino-bf16",
        "OpenVINO, stateful, bf16",
        __name__,
        _ENVIRONMENT,
        exact=False,
        bits=16,
        setting=BF16,
        files="openvino",
    ),
)


def convert(setup: PeerSetup) -> None:
    """Save as GPT-2, then export to stateful IR in float32."""
    exporters: Any = importlib.import_module("optimum.exporters.openvino")
    saved = setup.scratch / "gpt2"
    gpt2_of(setup).save_pretrained(saved)
    exporters.main_export(
        str(saved), setup.scratch / "ir", task="text-generation-with-past", stateful=True
    )


def load(setup: PeerSetup) -> Any:
    openvino: Any = importlib.import_module("openvino")
    compiled = openvino.Core().compile_model(
        setup.scratch / "ir" / "openvino_model.xml",
        "CPU",
        {
            "INFERENCE_NUM_THREADS": setup.threads,
            "INFERENCE_PRECISION_HINT": setup.setting,
            "KV_CACHE_PRECISION": setup.setting,
            "PERFORMANCE_HINT": "LATENCY",
        },
    )
    return Stateful(compiled)


class Stateful:
    """One infer request, with the KV cache in its state."""

    def __init__(self, compiled: Any) -> None:
        self._request = compiled.create_infer_request()
        self._names = {port.get_any_name() for port in compiled.inputs}
        self._length = 0
        self._last: Ids = np.zeros((1, 1), dtype=np.int64)

    def prefill(self, token_ids: Ids) -> Ids:
        self._request.reset_state()
        self._length = 0
        return self._choose(self._feed(token_ids))

    def step(self) -> Ids:
        return self._choose(self._feed(self._last))

    def generate(self, token_ids: Ids, count: int) -> None:
        self._request.reset_state()
        self._length = 0
        for _ in range(count):
            logits = self._feed(token_ids).astype(np.float64)
            exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
            edges = exponentials.cumsum(axis=-1)
            drawn = np.random.random((len(logits), 1)) * edges[:, -1:]
            token_ids = (edges <= drawn).sum(axis=-1, keepdims=True)

    def _feed(self, token_ids: Ids) -> Any:
        batch, sequence = token_ids.shape
        end = self._length + sequence
        given = {
            "input_ids": token_ids,
            "attention_mask": np.ones((batch, end), dtype=np.int64),
            "position_ids": np.tile(np.arange(self._length, end), (batch, 1)),
            "beam_idx": np.arange(batch, dtype=np.int32),
        }
        self._request.infer({name: given[name] for name in self._names}, share_inputs=True)
        self._length = end
        return self._request.get_tensor("logits").data[:, -1]

    def _choose(self, logits: Any) -> Ids:
        chosen: Ids = logits.argmax(axis=-1)
        self._last = chosen[:, None]
        return chosen


def version() -> str:
    return f"openvino {importlib.import_module('openvino').__version__.partition('-')[0]}"
