"""Next-word predictions on Ray Serve, for more than one machine. The page does not need it.

    pip install "ray[serve]"
    python -m deploy.ray_serve
    curl http://127.0.0.1:8000/ -d '{"tokens": "我喜欢"}'

It answers what the endpoint `next_token` does, and batches requests that arrive together. The
settings are below. On a cluster (`ray start`), where each machine needs this checkout, Serve's own
command works as well: `serve run deploy.ray_serve:build replicas=4`. When a replica dies, requests
in progress fail; `python -m deploy.nginx --predictions 127.0.0.1:8000` prints the configuration
of an nginx in front that retries them.
"""

from __future__ import annotations

from ray import serve  # type: ignore[import-not-found]
from ray.serve import Application  # type: ignore[import-not-found]
from starlette.requests import Request
from starlette.responses import JSONResponse

from deploy.predictions import BODY_LIMIT, Asked, Logits, answer, next_logits, read_asked
from model.errors import InputError

HOST, PORT = "127.0.0.1", 8000  # 0.0.0.0 serves other machines, too
ROUTE = "/"
REPLICAS = 2
CPUS = 0.5  # cores that Ray reserves for each replica
BATCH = 64  # requests answered by one call of `logits`
BATCH_SECONDS = 0.002  # a batch waits so long for more requests: about four runs
ONGOING = 4 * BATCH  # requests that a replica has at a time; more wait in Serve's proxy
HEALTH_SECONDS = 2.0  # a replica that died gets no request for longer than this


@serve.deployment(
    max_ongoing_requests=ONGOING,
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
        max_batch_size=BATCH, batch_wait_timeout_s=BATCH_SECONDS
    )
    async def logits(self, asked: list[Asked]) -> list[Logits]:
        """The logits for each request of a batch."""
        return next_logits(asked)


def build(arguments: dict[str, str]) -> Application:
    """The application, for `serve run deploy.ray_serve:build replicas=2 cpus=0.5`."""
    return NextToken.options(  # type: ignore[attr-defined]
        num_replicas=int(arguments.get("replicas", REPLICAS)),
        ray_actor_options={"num_cpus": float(arguments.get("cpus", CPUS))},
    ).bind()


def start(port: int = PORT, arguments: dict[str, str] | None = None, wait: bool = False) -> None:
    """Serve on the running Ray cluster or a new local one; `wait` returns only on Ctrl+C."""
    serve.start(http_options={"host": HOST, "port": port})
    serve.run(build(arguments or {}), wait, name="mini_gpt", route_prefix=ROUTE)


async def _body(request: Request) -> bytes:
    """The body, or enough of it to see that it is over BODY_LIMIT."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_LIMIT:
            break
    return bytes(body)


if __name__ == "__main__":
    start(wait=True)
