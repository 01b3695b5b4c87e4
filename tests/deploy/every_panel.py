"""What every panel of a running page is told, asked over HTTP as the page's own side asks."""

from __future__ import annotations

import hashlib
import json
import re
import time
import urllib.request
from dataclasses import dataclass
from typing import Any

PROMPT: dict[str, Any] = {"tokens": [0, 1], "engine": "onnxruntime"}
CELL = {"key": "logits", "cell": [1, 3]}

REQUESTS: dict[str, list[dict[str, Any]]] = {
    "view": [{**PROMPT, "engine": engine} for engine in ("onnxruntime", "torch")],
    "read": [{"text": "我喜欢"}],
    "check_answer": [{**PROMPT, "cell": CELL, "answer": "2.1336"}],
    "cell_in_engines": [{**PROMPT, "cell": CELL}],
    "compare_runs": [{"left": PROMPT, "right": {**PROMPT, "tokens": [4, 1]}}],
    "gradients": [{"model": model} for model in ("teaching", "trained", "poems")],
    "gradient_card": [{"model": "teaching", "key": "gradients.loss", "cell": []}],
    "token_cost": [{"model": "trained"}, {"network": "large", "length": 1024}],
    "check_lesson": [{"lesson": "ffn", "answer": "1.1153"}],
    "shipped_file": [{"name": "mini_gpt_teaching.onnx"}, {"name": "mini_gpt_trained.onnx"}],
    "sampling_explained": [PROMPT, {**PROMPT, "sampling": {"mode": "sample"}}],
    "training_corpus": [{"corpus": "我 喜欢 学习", "context_length": 8}],
    "weights": [PROMPT, {**PROMPT, "model": "trained"}],
    "edit_weight": [{**PROMPT, "parameter": "lm_head.bias", "index": "3", "text": "7"}],
    "stage_values": [{**PROMPT, "keys": ["logits"], "cell": CELL}],
}
"""Where PROMPT is not enough for an answer."""

_PASSING = {"loading", "preparing", "torch_loading", "onnx_preparing", "busy"}
_PATIENCE = 120.0  # seconds in which PyTorch is loaded on a loaded machine
_DATA = re.compile(r'<script type="application/json" id="mg-data">(.*?)</script>', re.DOTALL)
_OWN_FILE = re.compile(r'"(?:\./)?((?:web|theme)[^"?]*/[^"]+)"')


@dataclass(frozen=True)
class Told:
    """What the page said.

    calls: by function, an answer for each language of each request. files: by address, what
    the page's files hold. initial: what comes with the page.
    """

    calls: dict[str, list[dict[str, Any]]]
    files: dict[str, str]
    initial: dict[str, Any]


def told_by(url: str) -> Told:
    """All that the page at `url` (with a slash at the end) tells."""
    components = json.loads(_get(f"{url}config"))["components"]
    (html,) = (part for part in components if part["type"] == "html")
    asked = {
        name: [
            _answer(url, html["id"], name, {**request, "lang": language})
            for request in REQUESTS.get(name, [PROMPT])
            for language in ("zh", "en")
        ]
        for name in html["props"]["server_fns"]
    }
    page = _get(url).decode()
    (data,) = _DATA.findall(page)
    initial = json.loads(data)["initial"]
    own = f"web/{initial['stamp']}/"
    late = [f"{own}bundle/panels/{panel['id']}.js" for panel in initial["panels"]]
    names = sorted({*_OWN_FILE.findall(page), *late, f"{own}formulas.json"})
    files = {name: hashlib.sha256(_get(url + name)).hexdigest() for name in names}
    return Told(asked, files, initial)


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as response:
        content: bytes = response.read()
    return content


def _answer(url: str, component: int, name: str, request: dict[str, Any]) -> dict[str, Any]:
    """The answer, once what only passes is over: a package being loaded, a graph being made."""
    body = {"data": request, "component_id": component, "fn_name": name, "session_hash": "panels"}
    give_up = time.monotonic() + _PATIENCE
    while True:
        post = urllib.request.Request(
            f"{url}gradio_api/component_server",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(post, timeout=60) as response:
            answer: dict[str, Any] = json.loads(response.read())
        state = answer.get("error", {}).get("code") or answer.get("state")
        if state not in _PASSING or time.monotonic() > give_up:
            return answer
        time.sleep(0.5)
