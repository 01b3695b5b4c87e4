"""Next-word predictions on Ray Serve, for who needs more than one machine. The page needs none.

    pip install "ray[serve]"
    serve run deploy.ray_serve:build replicas=2

    curl http://127.0.0.1:8000/ -d '{"tokens": "我喜欢"}'

Answers what the endpoint `next_token` does. Ray collects requests that arrive together.
"""

from __future__ import annotations

from ray import serve  # type: ignore[import-not-found]
from ray.serve import Application  # type: ignore[import-not-found]
from starlette.requests import Request
from starlette.responses import JSONResponse

from deploy.predictions import BODY_LIMIT, Asked, Logits, answer, next_logits, read_asked
from model.errors import InputError

BATCH = 64
WAIT_SECONDS = 0.002  # for others to come: about what four runs cost
HEALTH_SECONDS = 2.0  # a replica that died gets no request for longer than this


@serve.deployment(
    max_ongoing_requests=4 * BATCH,
    health_check_period_s=HEALTH_SECONDS,
    health_check_timeout_s=HEALTH_SECONDS,
)
class NextToken:
    """Logits and probabilities of the word that follows a sentence."""

    async def __call__(self, request: Request) -> JSONResponse:
        """One HTTP request; see `deploy.predictions.read_asked`."""
        try:
            asked = read_asked(await _body(request))
        except InputError as error:
            return JSONResponse({"error": error.in_every_language()}, 422)
        return JSONResponse(answer(asked, await self.logits(asked)))

    @serve.batch(  # type: ignore[untyped-decorator]
        max_batch_size=BATCH, batch_wait_timeout_s=WAIT_SECONDS
    )
    async def logits(self, asked: list[Asked]) -> list[Logits]:
        """The logits for each."""
        return next_logits(asked)


def build(arguments: dict[str, str]) -> Application:
    """The application `serve run deploy.ray_serve:build replicas=2 cpus=0.5` starts.

    replicas: how many; cpus: what Ray sets aside for each.
    """
    return NextToken.options(  # type: ignore[attr-defined]
        num_replicas=int(arguments.get("replicas", "1")),
        ray_actor_options={"num_cpus": float(arguments.get("cpus", "0.5"))},
    ).bind()


async def _body(request: Request) -> bytes:
    """The body, or as much of it as shows that it is too large."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_LIMIT:
            break
    return bytes(body)
