"""The content security policy names the page's own inline scripts, and no other may run."""

from __future__ import annotations

import base64
import hashlib

from ui.content_policy import content_policy


def _named(script: bytes) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"


def test_an_inline_script_is_named_by_its_digest() -> None:
    page = b'<script>one()</script><script data-x>two()\n</script><script src="a.js"></script>'
    policy = content_policy(page)
    assert _named(b"one()") in policy
    assert _named(b"two()\n") in policy
    assert policy.count("sha256-") == 2


def test_no_other_script_and_no_other_host() -> None:
    parts = dict(part.split(" ", 1) for part in content_policy(b"").split("; "))
    assert "unsafe-inline" not in parts["script-src"]
    assert parts["object-src"] == "'none'"
    assert not any(host in parts for host in ("http:", "https:", "*"))
    assert all("//" not in sources and "*" not in sources for sources in parts.values())
