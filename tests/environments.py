"""What the processes that tests start find around them."""

from __future__ import annotations

import os


def without_proxies() -> dict[str, str]:
    """This process's variables but for proxies: a test before may have switched them off here."""
    return {name: value for name, value in os.environ.items() if "_proxy" not in name.lower()}
