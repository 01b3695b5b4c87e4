"""The same weights as a Hugging Face GPT-2, from which several peers are converted.

GPT-2 has biases where MiniGPT has none (zero here), none in `lm_head` (zero in the benchmark's
weights), transposed matrices, and by default an approximate GELU, which is set to the exact one.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from bench.peers.declaration import PeerSetup

SHORTEST = 64  # exporters run a model with their own prompt, of 16 tokens or more
_DIRECT = {  # GPT-2's name -> ours, within a block
    "ln_1.weight": "ln1.weight",
    "ln_1.bias": "ln1.bias",
    "ln_2.weight": "ln2.weight",
    "ln_2.bias": "ln2.bias",
    "mlp.c_fc.bias": "ffn.0.bias",
    "mlp.c_proj.bias": "ffn.2.bias",
}
_TRANSPOSED = {
    "attn.c_attn.weight": "attention.qkv.weight",
    "attn.c_proj.weight": "attention.output.weight",
    "mlp.c_fc.weight": "ffn.0.weight",
    "mlp.c_proj.weight": "ffn.2.weight",
}


def gpt2_of(setup: PeerSetup) -> Any:
    """`GPT2LMHeadModel` with the setup's weights, in evaluation mode."""
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    sizes = setup.sizes
    config = transformers.GPT2Config(
        vocab_size=sizes["vocab_size"],
        n_positions=max(sizes["context_length"], SHORTEST),
        n_embd=sizes["model_dim"],
        n_head=sizes["num_heads"],
        n_layer=sizes["num_layers"],
        activation_function="gelu",
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for parameter in parameters.values():
            parameter.zero_()
        for name, array in _named_arrays(setup):
            rows = parameters[name][: len(array)]  # the rest of a longer position table is zero
            rows.copy_(torch.from_numpy(array[...].copy()))
    return model


def _named_arrays(setup: PeerSetup) -> Iterator[tuple[str, Any]]:
    yield "transformer.wte.weight", setup.weight("token_embedding.weight")
    yield "transformer.wpe.weight", setup.weight("position_embedding.weight")
    for index in range(setup.sizes["num_layers"]):
        for theirs, ours in _DIRECT.items():
            yield f"transformer.h.{index}.{theirs}", setup.weight(f"blocks.{index}.{ours}")
        for theirs, ours in _TRANSPOSED.items():
            yield f"transformer.h.{index}.{theirs}", setup.weight(f"blocks.{index}.{ours}").T
    yield "transformer.ln_f.weight", setup.weight("final_norm.weight")
    yield "transformer.ln_f.bias", setup.weight("final_norm.bias")
    yield "lm_head.weight", setup.weight("lm_head.weight")
