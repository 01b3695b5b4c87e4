"""Measurements that the page shows. They lie among its own files, so they go wherever it goes."""

from __future__ import annotations

from pathlib import Path

DECODE = Path(__file__).with_name("decode.json")
"""What `python -m bench.decode` measured: one token of MiniGPT and of others."""
