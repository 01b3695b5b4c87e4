"""Measurements that the page shows; in `ui/`, so that they are deployed with it."""

from __future__ import annotations

from pathlib import Path

DECODE = Path(__file__).with_name("decode.json")
"""What `python -m bench.decode` measured: the time of one token, in MiniGPT and in others."""
