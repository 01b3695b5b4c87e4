"""The content security policy of the page: what its browser may load and run."""

from __future__ import annotations

import base64
import hashlib
import re

_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL | re.I)


def content_policy(page: bytes) -> str:
    """The policy for this very page: of inline scripts, only the ones it came with may run.

    'unsafe-eval' stays, since Gradio makes functions of the templates of components (no value
    is ever in one); so does 'unsafe-inline' for styles, which it writes by the dozen. Any
    site may show the page in a frame: a course page does, and there is no account to misuse.
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
