"""Hugging Face optimum: its export of GPT-2, run by ONNX Runtime with a KV cache."""

from __future__ import annotations

import importlib
from typing import Any

from bench.peers.declaration import Ids, Peer, PeerSetup
from bench.peers.gpt2_of import gpt2_of
from export.runtimes.declaration import Environment

PEERS = (
    Peer(
        "optimum",
        "optimum, ONNX Runtime",
        __name__,
        Environment(
            "optimum",
            "pip",
            (
                "torch==2.13.0",
                "optimum-onnx[onnxruntime]==0.1.0",
                "onnxruntime==1.32.0",
                "numpy==2.4.6",
            ),
        ),
    ),
)


def convert(setup: PeerSetup) -> None:
    """Save as GPT-2, then export as optimum does."""
    exporters: Any = importlib.import_module("optimum.exporters.onnx")
    saved = setup.scratch / "gpt2"
    gpt2_of(setup).save_pretrained(saved)
    exporters.main_export(
        str(saved), setup.scratch / "onnx", task="text-generation-with-past", do_validation=False
    )


def load(setup: PeerSetup) -> Any:
    from export.runtimes.onnx_runtime import onnxruntime

    optimum: Any = importlib.import_module("optimum.onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = setup.threads
    importlib.import_module("torch").set_num_threads(setup.threads)
    model = optimum.ORTModelForCausalLM.from_pretrained(
        setup.scratch / "onnx", session_options=options, provider="CPUExecutionProvider"
    )
    return Exported(model)


class Exported:
    """`ORTModelForCausalLM`, called directly with the KV cache of the previous call."""

    def __init__(self, model: Any) -> None:
        self._torch: Any = importlib.import_module("torch")
        self._model = model
        self._past: Any = None
        self._mask: Any = None
        self._last: Any = None

    def prefill(self, token_ids: Ids) -> Ids:
        self._past, self._mask = (
            None,
            self._torch.ones((len(token_ids), 0), dtype=self._torch.int64),
        )
        return self._feed(self._torch.from_numpy(token_ids))

    def step(self) -> Ids:
        return self._feed(self._last)

    def generate(self, token_ids: Ids, count: int) -> None:
        with self._torch.inference_mode():
            self._model.generate(
                self._torch.from_numpy(token_ids),
                max_new_tokens=count,
                do_sample=True,
                top_k=0,
                pad_token_id=0,
            )

    def _feed(self, token_ids: Any) -> Ids:
        start = self._mask.shape[1]
        self._mask = self._torch.cat((self._mask, self._torch.ones_like(token_ids)), dim=1)
        positions = self._torch.arange(start, self._mask.shape[1]).expand_as(token_ids)
        with self._torch.inference_mode():
            result = self._model(
                input_ids=token_ids,
                attention_mask=self._mask,
                position_ids=positions,
                past_key_values=self._past,
                use_cache=True,
            )
        self._past = result.past_key_values
        self._last = result.logits[:, -1].argmax(dim=-1, keepdim=True)
        chosen: Ids = self._last[:, 0].numpy()
        return chosen


def version() -> str:
    metadata: Any = importlib.import_module("importlib.metadata")
    names = ("optimum-onnx", "onnxruntime", "transformers")
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)
