"""The prediction service under Ray Serve: it answers, and outlives one of its replicas."""

from __future__ import annotations

import os

import pytest

from bench.load import ray_serving
from deploy.builder import build
from deploy.files import ROOT
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
def test_a_replica_is_killed_without_a_failed_request(ray_python: str) -> None:
    result = own_loop.apart(lambda: ray_serving.measure(ray_python, 2, SECONDS, kill=True))
    assert result["errors"] == {}
    assert result["actions"]["prediction"]["count"] > 100
