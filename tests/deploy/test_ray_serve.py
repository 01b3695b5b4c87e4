"""Predictions on Ray Serve: what `deploy.ray_serve` starts answers, and outlives a replica."""

from __future__ import annotations

import json
import os
import urllib.request
from typing import Any

import pytest

from bench.load import ray_serving
from bench.load.connection import LOOPBACK
from deploy.builder import build
from deploy.files import ROOT
from deploy.predictions import answer, next_logits, read_asked
from tests import own_loop
from tests.needed import program

SECONDS = 6.0


def _pins(*names: str) -> list[str]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.partition("==")[0] in names]


PACKAGES = ["ray[serve]", *_pins("onnxruntime", "numpy")]


@pytest.fixture(scope="module")
def ray_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has ray[serve]: $MINI_GPT_RAY, or made now (1 minute)."""
    program("nginx")
    given = os.environ.get("MINI_GPT_RAY")
    if given:
        return given
    return str(build(tmp_path_factory.mktemp("ray"), PACKAGES))


@pytest.mark.long("installs Ray Serve and starts it")
def test_the_started_service_answers_what_the_endpoint_does(ray_python: str) -> None:
    body = json.dumps({"tokens": "我喜欢"}).encode()
    asked = read_asked(body)
    expected = answer(asked, next_logits([asked])[0])
    with ray_serving.started(ray_python, 1) as (_, port):
        found = _posted(port, body)
    assert found.keys() == expected.keys()
    assert found["tokens"] == expected["tokens"]
    assert found["probabilities"] == pytest.approx(expected["probabilities"], abs=1e-6)


def _posted(port: int, body: bytes) -> dict[str, Any]:
    url = f"http://{LOOPBACK}:{port}/"
    with urllib.request.urlopen(url, body, timeout=30) as response:
        content: dict[str, Any] = json.load(response)
    return content


@pytest.mark.long("installs Ray Serve and starts it")
def test_a_replica_is_killed_without_a_failed_request(ray_python: str) -> None:
    result = own_loop.apart(lambda: ray_serving.measure(ray_python, 2, SECONDS, kill=True))
    assert result["errors"] == {}
    assert result["actions"]["prediction"]["count"] > 100
