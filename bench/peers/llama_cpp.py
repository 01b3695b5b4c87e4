"""llama.cpp, compiled for this machine, with its GPT-2 architecture: float32 and 8 bits.

Its GELU is a lookup table in float16, so its tokens may differ from ours in both settings. The KV
cache is float32 with float32 weights, and float16 (its default) with 8 bits.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

import numpy as np

from bench.peers.declaration import Ids, Peer, PeerSetup
from export.runtimes.declaration import Environment

F32, Q8 = "f32", "q8_0"
_ENVIRONMENT = Environment(
    "llama-cpp",
    "pip",
    ("llama-cpp-python==0.3.36", "gguf==0.19.0", "numpy==2.4.6"),
    variables={
        "CMAKE_ARGS": "-DGGML_NATIVE=ON -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF "
        "-DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_TOOLS=OFF",
    },
)
PEERS = (
    Peer("llama-cpp", "llama.cpp, f32", __name__, _ENVIRONMENT, False, setting=F32),
    Peer("llama-cpp-q8", "llama.cpp, q8_0", __name__, _ENVIRONMENT, False, 8, setting=Q8),
)
_BLOCK_TENSORS = {
    "attn_norm.weight": "ln1.weight",
    "attn_norm.bias": "ln1.bias",
    "attn_qkv.weight": "attention.qkv.weight",
    "attn_output.weight": "attention.output.weight",
    "ffn_norm.weight": "ln2.weight",
    "ffn_norm.bias": "ln2.bias",
    "ffn_up.weight": "ffn.0.weight",
    "ffn_up.bias": "ffn.0.bias",
    "ffn_down.weight": "ffn.2.weight",
    "ffn_down.bias": "ffn.2.bias",
}


def convert(setup: PeerSetup) -> None:
    """Write a GGUF file; biases that MiniGPT does not have are zero."""
    gguf: Any = importlib.import_module("gguf")
    sizes, channels = setup.sizes, setup.sizes["model_dim"]
    writer = gguf.GGUFWriter(setup.scratch / "model.gguf", "gpt2")
    writer.add_block_count(sizes["num_layers"])
    writer.add_context_length(sizes["context_length"])
    writer.add_embedding_length(channels)
    writer.add_feed_forward_length(4 * channels)
    writer.add_head_count(sizes["num_heads"])
    writer.add_layer_norm_eps(1e-5)
    writer.add_vocab_size(sizes["vocab_size"])
    writer.add_tokenizer_model("no_vocab")

    def add(name: str, array: Any) -> None:
        if setup.setting == Q8 and array.ndim == 2 and name != "position_embd.weight":
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(np.array(array), kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, np.array(array))

    add("token_embd.weight", setup.weight("token_embedding.weight"))
    add("position_embd.weight", setup.weight("position_embedding.weight"))
    for index in range(sizes["num_layers"]):
        for theirs, ours in _BLOCK_TENSORS.items():
            add(f"blk.{index}.{theirs}", setup.weight(f"blocks.{index}.{ours}"))
        add(f"blk.{index}.attn_qkv.bias", np.zeros(3 * channels, dtype=np.float32))
        add(f"blk.{index}.attn_output.bias", np.zeros(channels, dtype=np.float32))
    add("output_norm.weight", setup.weight("final_norm.weight"))
    add("output_norm.bias", setup.weight("final_norm.bias"))
    add("output.weight", setup.weight("lm_head.weight"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Decoding:
    """The C API: one context per batch size, one sequence per row."""

    def __init__(self, setup: PeerSetup) -> None:
        self._api: Any = importlib.import_module("llama_cpp.llama_cpp")
        self._setup = setup
        self._api.llama_backend_init()
        # Its log is long, and of use only after a failure.
        self._quiet = self._api.llama_log_callback(lambda *_: None)
        self._api.llama_log_set(self._quiet, ctypes.c_void_p(0))
        path = str(setup.scratch / "model.gguf").encode()
        settings = self._api.llama_model_default_params()
        # Its 8-bit AMX kernels crash on virtual machines that report AMX.
        settings.use_extra_bufts = setup.setting == F32
        self._model = self._api.llama_model_load_from_file(path, settings)
        if not self._model:
            raise RuntimeError("llama.cpp did not load the file")
        self._context: Any = None
        self._batch: Any = None
        self._rows = 0
        self._length = 0
        self._last: Ids = np.zeros((1, 1), dtype=np.int64)

    def prefill(self, token_ids: Ids) -> Ids:
        if len(token_ids) != self._rows:
            self._open(len(token_ids))
        self._api.llama_memory_clear(self._api.llama_get_memory(self._context), False)
        self._length = 0
        return self._choose(self._feed(token_ids))

    def step(self) -> Ids:
        return self._choose(self._feed(self._last))

    def generate(self, token_ids: Ids, count: int) -> None:
        self.prefill(token_ids[:, :1])  # opens the context if there is none
        chain = self._api.llama_sampler_chain_init(self._api.llama_sampler_chain_default_params())
        self._api.llama_sampler_chain_add(chain, self._api.llama_sampler_init_dist(0))
        self._api.llama_memory_clear(self._api.llama_get_memory(self._context), False)
        self._length = 0
        for _ in range(count):
            self._feed(token_ids)
            chosen = self._api.llama_sampler_sample(chain, self._context, -1)
            token_ids = np.array([[chosen]], dtype=np.int64)
        self._api.llama_sampler_free(chain)

    def _open(self, rows: int) -> None:
        if self._context is not None:
            self._api.llama_free(self._context)
            self._api.llama_batch_free(self._batch)
        length = self._setup.sizes["context_length"]
        settings = self._api.llama_context_default_params()
        settings.n_ctx = length * rows
        settings.n_seq_max = rows
        settings.n_batch = length * rows
        settings.n_threads = settings.n_threads_batch = self._setup.threads
        settings.no_perf = True
        if self._setup.setting == F32:
            settings.type_k = settings.type_v = self._api.GGML_TYPE_F32
        self._context = self._api.llama_init_from_model(self._model, settings)
        if not self._context:
            raise RuntimeError("llama.cpp did not open a context")
        self._batch = self._api.llama_batch_init(length * rows, 0, 1)
        self._rows = rows

    def _feed(self, token_ids: Ids) -> list[int]:
        batch, (rows, sequence) = self._batch, token_ids.shape
        batch.n_tokens = rows * sequence
        for row in range(rows):
            for place in range(sequence):
                entry = row * sequence + place
                batch.token[entry] = int(token_ids[row, place])
                batch.pos[entry] = self._length + place
                batch.n_seq_id[entry] = 1
                batch.seq_id[entry][0] = row
                batch.logits[entry] = place == sequence - 1
        if self._api.llama_decode(self._context, batch) != 0:
            raise RuntimeError("llama_decode failed")
        self._length += sequence
        return [row * sequence + sequence - 1 for row in range(rows)]

    def _choose(self, ends: list[int]) -> Ids:
        size = self._setup.sizes["vocab_size"]
        rows = [
            np.ctypeslib.as_array(self._api.llama_get_logits_ith(self._context, end), (size,))
            for end in ends
        ]
        chosen = np.array([row.argmax() for row in rows], dtype=np.int64)
        self._last = chosen[:, None]
        return chosen


def load(setup: PeerSetup) -> Any:
    return Decoding(setup)


def version() -> str:
    return f"llama-cpp-python {importlib.import_module('llama_cpp').__version__}"
