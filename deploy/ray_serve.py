"""Next-word predictions on Ray Serve, for who needs more than one machine. The page needs none.

    pip install "ray[serve]"
    serve run deploy.ray_serve:build replicas=2

    curl -X POST http://127.0.0.1:8000/ -H "Content-Type: application/json" \\
        -d '{"tokens": "我喜欢"}'

Answers what the endpoint `next_token` does. Ray collects requests that arrive together and one
run of ONNX Runtime answers all of them that are equally long.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from ray import serve  # type: ignore[import-not-found]
from ray.serve import Application  # type: ignore[import-not-found]
from starlette.requests import Request
from starlette.responses import JSONResponse

from export.runtimes import Runner
from export.runtimes.onnx_runtime import onnxruntime_runner
from model.errors import InputError
from model.sampling import softmax
from ui.gradio_bodies import read_json
from ui.models import FILES, ModelEntry, model_entry
from ui.requests import check_not_empty, read_text

BATCH = 64
WAIT_SECONDS = 0.002  # for others to come: about what four runs cost
BODY_LIMIT = 64 * 1024
HEALTH_SECONDS = 2.0  # a replica that died gets no request for longer than this

Asked = tuple[str, tuple[int, ...]]  # model, window
Logits = list[float]


@serve.deployment(
    max_ongoing_requests=4 * BATCH,
    health_check_period_s=HEALTH_SECONDS,
    health_check_timeout_s=HEALTH_SECONDS,
)
class NextToken:
    """Logits and probabilities of the word that follows a sentence."""

    async def __call__(self, request: Request) -> JSONResponse:
        """One HTTP request: `{"tokens": "我喜欢", "model": "teaching"}`."""
        try:
            entry, tokens = _read(await _json(request))
        except InputError as error:
            return JSONResponse({"error": f"{error.text('zh')} / {error.text('en')}"}, 422)
        window = tuple(tokens[-entry.config.context_length :])
        return JSONResponse(_answer(entry, tokens, window, await self.logits((entry.id, window))))

    @serve.batch(  # type: ignore[untyped-decorator]
        max_batch_size=BATCH, batch_wait_timeout_s=WAIT_SECONDS
    )
    async def logits(self, asked: list[Asked]) -> list[Logits]:
        """The logits for each, those of one model and length in one run."""
        return batched_logits(asked)


def batched_logits(asked: Sequence[Asked]) -> list[Logits]:
    """The logits for each of `asked`, in its order."""
    groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for place, (model, window) in enumerate(asked):
        groups[model, len(window)].append(place)
    answers: list[Logits] = [[] for _ in asked]
    for (model, _), places in groups.items():
        token_ids = np.array([asked[place][1] for place in places], dtype=np.int64)
        rows = _runner(model)(token_ids)["logits"][:, -1].tolist()
        for place, row in zip(places, rows, strict=True):
            answers[place] = row
    return answers


def build(arguments: dict[str, str]) -> Application:
    """The application `serve run deploy.ray_serve:build replicas=2 cpus=0.5` starts.

    replicas: how many; cpus: what Ray sets aside for each.
    """
    return NextToken.options(  # type: ignore[attr-defined]
        num_replicas=int(arguments.get("replicas", "1")),
        ray_actor_options={"num_cpus": float(arguments.get("cpus", "0.5"))},
    ).bind()


@functools.cache
def _runner(model: str) -> Runner:
    return onnxruntime_runner(FILES / f"mini_gpt_{model}.onnx")


async def _json(request: Request) -> dict[str, Any]:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_LIMIT:
            raise InputError("body_size", limit=BODY_LIMIT // 1024)
    return read_object(bytes(body))


def read_object(body: bytes) -> dict[str, Any]:
    """`body` as a JSON object; otherwise InputError."""
    value = read_json(body)
    if not isinstance(value, dict):
        raise InputError("request_type", kind=type(value).__name__)
    return value


def _read(asked: dict[str, Any]) -> tuple[ModelEntry, list[int]]:
    entry = model_entry(asked.get("model", "teaching"))
    tokens = read_text(asked.get("tokens"), entry)
    check_not_empty(tokens, entry)
    return entry, tokens


def _answer(
    entry: ModelEntry, tokens: list[int], window: Sequence[int], logits: Logits
) -> dict[str, Any]:
    words = entry.vocabulary.words
    probabilities = softmax(np.array(logits)).tolist()
    return {
        "tokens": entry.vocabulary.decode(tokens),
        "window": entry.vocabulary.decode(list(window)),
        "logits": dict(zip(words, logits, strict=True)),
        "probabilities": dict(zip(words, probabilities, strict=True)),
        "engine": "onnxruntime",
    }
