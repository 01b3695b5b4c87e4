"""The main path in browsers of the two other families: Firefox and WebKit."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.needed import missing, program
from tests.ui.browsers.main_path import MAIN_PATH, START, TRAINING_STEPS
from tests.ui.browsers.webkit import take, webkit
from tests.ui.reading import PROMPT_A
from tests.ui.started import ROOT, StartedServer
from ui.views import view

SECONDS = 60.0
DRIVER = Path(__file__).parent / "firefox.mjs"
MINUS = "\N{MINUS SIGN}"


@pytest.mark.long("two browsers start, and in each a training runs")
def test_firefox_takes_the_main_path(server: StartedServer) -> None:
    order = {
        "program": os.environ.get("FIREFOX") or program("firefox-esr"),
        "url": server.url + START,
        "steps": MAIN_PATH,
        "seconds": SECONDS,
    }
    if not (ROOT / "node_modules" / "puppeteer-core").is_dir():
        missing("puppeteer-core (npm ci)")
    done = subprocess.run(
        [program("node"), str(DRIVER)], input=json.dumps(order), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["said"] == []
    check(answer["read"])


@pytest.mark.long("two browsers start, and in each a training runs")
def test_webkit_takes_the_main_path(server: StartedServer) -> None:
    with webkit(SECONDS) as driver:
        driver.get(server.url + START)
        check(take(driver, MAIN_PATH, SECONDS))


def check(noted: dict[str, Any]) -> None:
    """What was read on the way is what the model computes."""
    assert noted["said"] == []
    assert {word: tuple(numbers) for word, *numbers in noted["first"]} == PROMPT_A
    after = view({"tokens": [0, 1, 4]})
    shown = {word: probability for word, probability, _ in noted["after_click"]}
    assert shown == {
        word: f"{probability:.4f}"
        for word, probability in zip(after["model"]["words"], after["probabilities"], strict=True)
    }
    assert "stage=logits&cell=1.4" in noted["address"]
    logit = after["trace"]["logits"][1][4]
    written = f"{abs(logit):.4f}"
    assert noted["working"][-1].endswith(f"{MINUS}{written}" if logit < 0 else written)
    assert noted["focused"] == {"role": "gridcell", "seen": True}
    assert str(TRAINING_STEPS) in noted["trained"]
    assert re.search(r"model=own(:|%3A)[0-9a-f]{32}", noted["own"])
