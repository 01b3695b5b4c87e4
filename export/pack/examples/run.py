"""Run every prompt of expected.json in ONNX Runtime: pip install onnxruntime numpy, then
python examples/run.py"""

import io
import json
import os
import sys
from pathlib import Path

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the import: no telemetry
import onnxruntime

here = Path(__file__).resolve().parents[1]
expected = json.loads((here / "expected.json").read_text(encoding="utf-8"))
session = onnxruntime.InferenceSession(str(here / "mini_gpt_teaching_trace.onnx"))
names = [output.name for output in session.get_outputs()]

largest = 0.0
for prompt in expected["prompts"]:
    token_ids = np.array([prompt["token_ids"]], dtype=np.int64)  # [batch, sequence]
    values = dict(zip(names, session.run(names, {"token_ids": token_ids}), strict=True))
    for name, should_be in prompt["values"].items():
        # A masked score is minus infinity, which JSON cannot express: null.
        wanted = np.array(should_be, dtype=np.float64)
        wanted[np.isnan(wanted)] = -np.inf
        actual = values[name].reshape(wanted.shape)
        finite = np.isfinite(wanted)
        assert (actual[~finite] == wanted[~finite]).all(), name
        largest = max(largest, float(np.abs(actual - wanted)[finite].max()))

if isinstance(sys.stdout, io.TextIOWrapper):
    sys.stdout.reconfigure(errors="backslashreplace")  # for a console without Chinese
prompts = len(expected["prompts"])
assert largest <= expected["bound"], f"differs by {largest}"
words = expected["words"]
lesson = expected["prompts"][6]  # 我 喜欢
print(f"{prompts} prompts, every value, largest difference {largest:.1e}")
print(" ".join(lesson["tokens"]), "->", words[int(np.argmax(lesson["values"]["logits"][-1]))])
