"""llama.cpp on a GGUF file that is made from a whole folder; it reads ids only.

Its GELU is the approximation by tanh, read from a table in float16, so its logits differ by
more than rounding; nothing else does, with keys and values in float32. The gguf package writes
the file, node-llama-cpp's prebuilt llama.cpp runs it.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from export.runtimes.declaration import Environment, LoadRequest, Run, Runtime
from export.runtimes.folders import AS_IDS, Ids, folder_run
from export.runtimes.json_lines import NodeScript

RUNTIMES = (
    Runtime(
        "llama-cpp",
        "llama.cpp, GGUF in float32",
        Environment(
            "node-llama-cpp",
            "npm",
            ("node-llama-cpp@3.21.1", "@node-llama-cpp/linux-x64@3.21.1"),
            # Its install script looks for a GPU build, which it would download.
            variables={"npm_config_ignore_scripts": "true", "npm_config_omit": "optional"},
            python=("gguf==0.19.0",),
        ),
        __name__,
        AS_IDS,
        quick=True,
        approximate=0.1,
    ),
)
_SCRIPT = Path(__file__).with_name("llama_cpp.mjs")
_TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # GGUF has [out, in]
_NORMAL = 1  # a token's type


def load(request: LoadRequest) -> Run:
    """Convert `model.safetensors`, and open the file in Node."""
    path = request.scratch / "model.gguf"
    write_gguf(request.file, path)
    ask = NodeScript(_SCRIPT, path, request.sizes["context_length"])

    def logits(token_ids: Ids) -> NDArray[np.float32]:
        probabilities = np.array(ask({"rows": token_ids.tolist()}), np.float32)
        return np.log(probabilities)

    def ids(token_ids: Ids) -> Ids:
        rows = ask({"rows": token_ids.tolist(), "continue": True})
        return np.array(rows, np.int64)

    return folder_run(logits, ids=ids)


def write_gguf(folder: Path, path: Path) -> None:
    """The folder's network as GGUF, architecture gpt2, float32.

    llama.cpp knows tokenizers by name only, and ours is none of them; the words stand in the
    file so that it loads, and only ids are used.
    """
    gguf: Any = importlib.import_module("gguf")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    count = settings["vocab_size"]
    writer = gguf.GGUFWriter(path, "gpt2")
    writer.add_block_count(settings["n_layer"])
    writer.add_context_length(settings["n_positions"])
    writer.add_embedding_length(settings["n_embd"])
    writer.add_feed_forward_length(settings["n_inner"])
    writer.add_head_count(settings["n_head"])
    writer.add_layer_norm_eps(settings["layer_norm_epsilon"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(settings.get("vocabulary") or [f"<{at}>" for at in range(count)])
    writer.add_token_types([_NORMAL] * count)
    writer.add_token_merges(["a b"])  # it must not be empty
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GPT2, settings["n_layer"])
    for name, array in _tensors(folder / "model.safetensors").items():
        matrix = np.ascontiguousarray(array.T) if name.endswith(_TRANSPOSED) else array
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), matrix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def version() -> str:
    """The npm package's version, and the build of llama.cpp in it."""
    modules = Path("node_modules")
    package = json.loads((modules / "node-llama-cpp/package.json").read_text(encoding="utf-8"))
    binary = json.loads(
        (modules / "node-llama-cpp/llama/llama.cpp.info.json").read_text(encoding="utf-8")
    )
    return f"{binary['tag']}, node-llama-cpp {package['version']}"


def _tensors(path: Path) -> dict[str, NDArray[Any]]:
    """The tensors of a float32 `.safetensors` file."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    values = np.frombuffer(content, "<f4", offset=start)
    return {
        name: values[begin // 4 : end // 4].reshape(entry["shape"])
        for name, entry in header.items()
        for begin, end in [entry["data_offsets"]]
    }
