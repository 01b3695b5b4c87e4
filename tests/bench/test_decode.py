"""The benchmark end to end on the peers that need no other environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import decode
from bench.results import Results
from bench.sizes import Size
from model import MiniGPTConfig

SMALL = Size(
    "small",
    MiniGPTConfig(16, 16, 32, 2, 2),
    threads=1,
    positions=(4,),
    steps=3,
    prefill=9,
    batches=(2,),
)
PEERS = ("mini-gpt", "torch-cached", "lesson", "nanogpt", "floor")


@pytest.mark.long("five processes, each started twice")
def test_every_way_writes_the_same_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(decode, "SIZES", (SMALL,))
    out = tmp_path / "decode.json"
    arguments = ["--out", str(out), "--sizes", "small", "--peers", ",".join(PEERS)]
    decode.main([*arguments, "--starts", "2", "--rounds", "1", "--env-root", str(tmp_path)])
    data = json.loads(out.read_text(encoding="utf-8"))
    places = {(cell["measure"], cell["position"], cell["batch"]) for cell in data["cells"]}
    assert places == {("step", 4, 1), ("prefill", 9, 1), ("step", 4, 2)}
    for cell in data["cells"]:
        assert cell["median"] > 0
        if cell["peer"] not in ("mini-gpt", "floor"):
            assert cell["same_tokens"], cell
    assert data["memory"]["small"]["mini-gpt"]["peak_mb"] > 0
    assert data["missing"] == {}
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    assert "### small" in capsys.readouterr().out


def test_a_finished_size_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decode, "SIZES", (SMALL,))
    out = tmp_path / "decode.json"
    place = {"size": "small", "peer": "mini-gpt", "median": 1.0, "fastest": 1.0, "count": 1}
    groups = (("step", 4, 1), ("prefill", 9, 1), ("step", 4, 2))
    results = Results(out, fresh=True)
    for measure, position, batch in groups:
        results.add(place | {"measure": measure, "position": position, "batch": batch})
    results.data["sizes"]["small"] = SMALL.sizes
    results.save()
    monkeypatch.setattr(decode, "write_weights", lambda *_: pytest.fail("measured again"))
    decode.main(["--out", str(out), "--sizes", "small", "--peers", "mini-gpt"])
