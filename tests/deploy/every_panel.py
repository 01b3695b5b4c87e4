"""What every panel of the page in the present folder is told, as JSON on standard output.

Run in a folder that holds a page; imports nothing but that page.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))

import ui
from ui.modules import WEB
from ui.page import initial, server_functions
from ui.training.service import service

PROMPT: dict[str, Any] = {"tokens": [0, 1], "engine": "onnxruntime", "lang": "en"}
CELL = {"key": "logits", "cell": [1, 3]}
TWO = {"left": PROMPT, "right": {**PROMPT, "tokens": [4, 1]}}

REQUESTS: dict[str, list[dict[str, Any]]] = {
    "read": [{"text": "我喜欢"}],
    "check_answer": [{**PROMPT, "cell": CELL, "answer": "2.1336"}],
    "compare_runs": [TWO],
    "token_cost": [{"model": "trained"}, {"network": "large", "length": 1024}],
    "check_lesson": [{"lesson": "ffn", "answer": "1.1153"}],
    "shipped_file": [{"name": "mini_gpt_teaching.onnx"}, {"name": "mini_gpt_trained.onnx"}],
    "sampling_explained": [PROMPT, {**PROMPT, "sampling": {"mode": "sample"}}],
    "training_corpus": [{"corpus": "我 喜欢 学习", "context_length": 8}],
    "weights": [PROMPT, {**PROMPT, "model": "trained"}],
    "edit_weight": [{**PROMPT, "parameter": "lm_head.bias", "index": "3", "text": "7"}],
    "bench_values": [{**PROMPT, "keys": ["logits"], "cell": CELL}],
}
"""Where PROMPT is not enough for an answer."""

NOT_ASKED = ("differences", "cell_in_engines", "gradients", "gradient_card", "proof_pack")
"""PyTorch works these out, in seconds, from weights and files that the others compare."""


def main() -> None:
    """Print `{function: [answers]}`, the first view and the files of the browser's side."""
    assert Path(ui.__file__).is_relative_to(Path.cwd()), "another page was imported"
    service.spare.warm_up = lambda: None  # type: ignore[method-assign]  # nobody will train
    told: dict[str, Any] = {
        function.__name__: [function(request) for request in _requests(function.__name__)]
        for function in server_functions()
        if function.__name__ not in NOT_ASKED
    }
    told["initial"] = initial()
    told["web"] = {
        path.relative_to(WEB).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(WEB.rglob("*"))
        if path.is_file()
    }
    print(json.dumps(told, sort_keys=True))


def _requests(name: str) -> list[dict[str, Any]]:
    return REQUESTS.get(name, [PROMPT])


if __name__ == "__main__":
    main()
