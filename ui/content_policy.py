"""The page's Content-Security-Policy: what the browser may load and run."""

from __future__ import annotations

import base64
import hashlib
import re

_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL | re.I)


def content_policy(page: bytes) -> str:
    """The policy for `page`: of inline scripts, only those in it may run, by their hash.

    Gradio compiles component templates with `Function` (no value is ever put into one), which
    needs 'unsafe-eval', and sets many inline styles, which need 'unsafe-inline'. Any site may
    embed the page in a frame: course pages do, and there is no login that clickjacking could
    misuse.
    """
    scripts = " ".join(f"'sha256-{_digest(text)}'" for text in _INLINE_SCRIPT.findall(page))
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'unsafe-eval' {scripts}".strip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' data: blob:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
        )
    )


def _digest(text: bytes) -> str:
    return base64.b64encode(hashlib.sha256(text).digest()).decode()
