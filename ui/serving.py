"""What is served beside Gradio's own routes: the modules in `web/`, and a sign of life."""

from __future__ import annotations

import mimetypes

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ui.page import WEB

# Some systems' tables say text/plain, and then no browser runs a module.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/javascript", ".mjs")


def routes() -> list[BaseRoute]:
    """Routes for the app that Gradio starts."""
    return [Route("/healthz", healthz), Mount("/web", _Revalidated(directory=WEB))]


async def healthz(request: Request) -> Response:
    """Answers while the server can answer."""
    return JSONResponse({"status": "ok"})


class _Revalidated(StaticFiles):
    """Static files that a browser asks about again, so a new version is never mixed with an old."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
