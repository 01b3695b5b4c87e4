"""onnxruntime-genai on MiniGPT's own decode graph, adapted to genai's inputs.

Nodes and weights are the same; only the generation loop differs. genai passes a mask where
MiniGPT's decoder passes two numbers, so a few additional nodes compute these from the mask.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.declaration import Ids, Peer, PeerSetup
from export.runtimes.declaration import Environment

PEERS = (
    Peer(
        "genai",
        "onnxruntime-genai, same graph",
        __name__,
        Environment(
            "genai",
            "pip",
            (
                "onnxruntime-genai==0.18.0",
                "onnxruntime==1.32.0",
                "onnx==1.23.2",
                "numpy==2.4.6",
            ),
        ),
    ),
)
_GRAPH = "model.onnx"


def convert(setup: PeerSetup) -> None:
    """Adapt the graph that `bench.peers.mini_gpt` has written, and hard-link its weights file."""
    onnx: Any = importlib.import_module("onnx")
    ours, path = setup.scratch.parent / "mini-gpt" / _GRAPH, setup.scratch / _GRAPH
    weights = f"{_GRAPH}.data"
    if ours.with_name(weights).stat().st_size:
        path.with_name(weights).unlink(missing_ok=True)
        path.with_name(weights).hardlink_to(ours.with_name(weights))
    proto = onnx.load(ours, load_external_data=False)
    _speak_genai(proto.graph, onnx.helper, onnx.TensorProto, onnx.numpy_helper)
    path.write_bytes(proto.SerializeToString())
    configuration = _configuration(setup, _cache_shape(proto.graph))
    (setup.scratch / "genai_config.json").write_text(json.dumps(configuration), encoding="utf-8")


def _speak_genai(graph: Any, helper: Any, kinds: Any, arrays: Any) -> None:
    kept = [value for value in graph.input if value.name.startswith("past.")]
    del graph.input[:]
    for name, axes in (
        ("token_ids", ("batch", "sequence")),
        ("attention_mask", ("batch", "total")),
        ("positions", ("batch", "sequence")),
    ):
        graph.input.append(helper.make_tensor_value_info(name, kinds.INT64, axes))
    graph.input.extend(kept)
    front = [
        helper.make_node("ReduceSum", ["attention_mask", "mask_axis"], ["lengths"], keepdims=0),
        helper.make_node("Sub", ["lengths", "one"], ["last_position_64"]),
        helper.make_node("Cast", ["last_position_64"], ["last_position"], to=kinds.INT32),
        helper.make_node("Shape", ["attention_mask"], ["mask_shape"]),
        helper.make_node("Gather", ["mask_shape", "one"], ["total_64"]),
        helper.make_node("Cast", ["total_64"], ["total_length"], to=kinds.INT32),
    ]
    nodes = [*front, *graph.node]
    nodes.append(helper.make_node("Unsqueeze", ["last_logits", "mask_axis"], ["logits"]))
    del graph.node[:]
    graph.node.extend(nodes)
    graph.initializer.append(arrays.from_array(np.array([1]), "mask_axis"))
    graph.initializer.append(arrays.from_array(np.array(1), "one"))
    vocab_size = graph.output[0].type.tensor_type.shape.dim[1].dim_value
    caches = list(graph.output)[1:]
    del graph.output[:]
    logits = helper.make_tensor_value_info("logits", kinds.FLOAT, ["batch", 1, vocab_size])
    graph.output.extend([logits, *caches])


def _cache_shape(graph: Any) -> list[int]:
    """(num_heads, context_length, stored head size) of a cache."""
    return [dim.dim_value for dim in graph.output[1].type.tensor_type.shape.dim[1:]]


def _configuration(setup: PeerSetup, cache_shape: list[int]) -> dict[str, Any]:
    sizes = setup.sizes
    return {
        "model": {
            "type": "llama",  # its cache has separate keys and values; that of "gpt2" does not
            "bos_token_id": 0,
            # It is required; min_length forbids it, and the measured greedy texts have none.
            "eos_token_id": 2,
            "pad_token_id": 0,
            "context_length": sizes["context_length"],
            "vocab_size": sizes["vocab_size"],
            "decoder": {
                "session_options": {
                    "intra_op_num_threads": setup.threads,
                    "provider_options": [],
                    **({} if setup.threads > 1 else {"session.intra_op.allow_spinning": "0"}),
                },
                "filename": _GRAPH,
                "head_size": cache_shape[2],
                "hidden_size": sizes["model_dim"],
                "num_attention_heads": sizes["num_heads"],
                "num_key_value_heads": sizes["num_heads"],
                "num_hidden_layers": sizes["num_layers"],
                "inputs": {
                    "input_ids": "token_ids",
                    "attention_mask": "attention_mask",
                    "position_ids": "positions",
                    "past_key_names": "past.blocks.%d.key",
                    "past_value_names": "past.blocks.%d.value",
                },
                "outputs": {
                    "logits": "logits",
                    "present_key_names": "blocks.%d.key",
                    "present_value_names": "blocks.%d.value",
                },
            },
        },
        "search": {
            "max_length": sizes["context_length"],
            "past_present_share_buffer": True,
            "do_sample": False,
            "min_length": sizes["context_length"],
        },
    }


class Generating:
    """One genai generator per text."""

    def __init__(self, folder: Path, context_length: int) -> None:
        self._genai: Any = importlib.import_module("onnxruntime_genai")
        self._model = self._genai.Model(str(folder))
        self._context_length = context_length
        self._generator: Any = None

    def prefill(self, token_ids: Ids) -> Ids:
        self._generator = self._new(token_ids, do_sample=False)
        return self.step()

    def step(self) -> Ids:
        self._generator.generate_next_token()
        return np.array(self._generator.get_next_tokens())

    def generate(self, token_ids: Ids, count: int) -> None:
        generator = self._new(token_ids, do_sample=True, temperature=1.0, top_k=0)
        for _ in range(count):
            generator.generate_next_token()

    def _new(self, token_ids: Ids, **search: Any) -> Any:
        parameters = self._genai.GeneratorParams(self._model)
        parameters.set_search_options(
            max_length=self._context_length,
            min_length=self._context_length,
            batch_size=len(token_ids),
            **search,
        )
        generator = self._genai.Generator(self._model, parameters)
        generator.append_tokens(token_ids.astype(np.int32))
        return generator


def load(setup: PeerSetup) -> Any:
    return Generating(setup.scratch, setup.sizes["context_length"])


def version() -> str:
    metadata: Any = importlib.import_module("importlib.metadata")
    names = ("onnxruntime-genai", "onnxruntime")
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)
