"""Descriptors run out for a moment: what was asked for then is told so, and all goes on."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.ui.started import ROOT


def test_when_no_process_can_start_each_is_told_and_the_next_begin() -> None:
    command = [sys.executable, "-m", "tests.faults.without_descriptors"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["without"] == {
        "training": ["lost", "process_start"],
        "files": "failed",
        "graph": "onnx_failed",
        "at work": [0, 0, 0],
    }
    assert told["then"]["training"] == ["starting", None]
    assert "failed" not in told["then"]["files"]
    assert "preparing" in told["then"]["files"]
    assert "Traceback" not in ran.stderr
