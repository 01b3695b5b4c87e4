"""A template with weights put into it is the network with these weights, at any sizes."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
import torch

from export.forms import filled as module
from export.forms.filled import (
    NoTemplateError,
    exported_template,
    filled,
    forms_of,
    logits_only,
    template,
)
from export.graph import LOGITS_ONLY, model_metadata
from export.runtimes.onnx_runtime import onnxruntime_runner
from export.shipped import DisagreementError, proven_forms
from model.config import MiniGPTConfig
from model.parameters import parameter_shapes, weights_of
from model.shipped import SHIPPED
from model.teaching import TEACHING_CONFIG
from model.training import new_model
from model.vocabulary import LESSON_WORDS

TINY = MiniGPTConfig(5, 8, 4, 2, 2)


@pytest.mark.parametrize(
    "config", [MiniGPTConfig(7, 3, 6, 3, 1), MiniGPTConfig(3, 2, 1, 1, 1), TEACHING_CONFIG]
)
def test_files_from_a_template_are_proven_like_others(config: MiniGPTConfig) -> None:
    model = new_model(config, 1).eval()
    words = LESSON_WORDS if config.vocab_size == 5 else None
    made = exported_template(config)
    metadata = model_metadata(model, "own", words) if words else sizes_of(config)
    for content, names in zip(
        forms_of(made, weights_of(model), metadata), (LOGITS_ONLY, None), strict=True
    ):
        ids = np.zeros((2, config.context_length), dtype=np.int64)
        ran = onnxruntime_runner(content)(ids)
        expected = model.trace(torch.from_numpy(ids))
        assert set(ran) == set(names or expected)
        for name, values in ran.items():
            np.testing.assert_allclose(values, expected[name].detach().numpy(), atol=1e-5)


def sizes_of(config: MiniGPTConfig) -> dict[str, str]:
    return {name: str(value) for name, value in config.as_dict().items()}


@pytest.mark.parametrize("name", ["trained", "poems"])
def test_shipped_sizes_are_not_exported_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        pytest.fail("it was exported")

    monkeypatch.setattr(module, "to_onnx", never)
    model = SHIPPED[name].load()
    assert model.vocabulary is not None
    other = new_model(model.config, 9).eval()
    _, proofs = proven_forms("own", other, model.vocabulary, None, 8, template(model.config))
    assert len(proofs) == 2


def test_other_heads_of_the_same_shapes_are_other_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def exported(config: MiniGPTConfig) -> onnx.ModelProto:
        asked.append(config)
        return onnx.ModelProto()

    monkeypatch.setattr(module, "exported_template", exported)
    template(MiniGPTConfig(5, 8, 4, 1, 2))
    assert len(asked) == 1
    template(MiniGPTConfig(5, 8, 4, 2, 2, 0.1))
    assert len(asked) == 1


def test_every_parameter_is_named_once() -> None:
    names = [tensor.name.removesuffix(".transposed") for tensor in template(TINY).graph.initializer]
    for name in parameter_shapes(TINY):
        assert names.count(name) == 1


def test_the_template_stays_as_it_is() -> None:
    made = template(TINY)
    before = made.SerializeToString()
    logits_only(filled(made, weights_of(new_model(TINY, 2))))
    assert made.SerializeToString() == before


def test_wrong_weights_in_a_template_are_found() -> None:
    model = new_model(TINY, 1).eval()
    weights = weights_of(model)
    weights["blocks.1.ffn.0.bias"] = weights["blocks.1.ffn.0.bias"] + 1e-3
    wrong = filled(template(TINY), weights)
    for tensor in wrong.graph.initializer:
        if tensor.name == "blocks.1.ffn.0.bias":
            tensor.name = "unnamed"  # not filled again
    for node in wrong.graph.node:
        node.input[:] = [
            "unnamed" if each == "blocks.1.ffn.0.bias" else each for each in node.input
        ]
    with pytest.raises(DisagreementError, match="logits: DIFFERS"):
        proven_forms("own", model, LESSON_WORDS, None, 64, wrong)


def test_a_parameter_that_is_an_output_itself_makes_no_template() -> None:
    with pytest.raises(NoTemplateError, match="position_embedding"):
        exported_template(MiniGPTConfig(3, 1, 1, 1, 1))


def test_weights_that_are_equal_make_no_template() -> None:
    equal = {name: np.ones(shape, np.float32) for name, shape in parameter_shapes(TINY).items()}
    with pytest.raises(NoTemplateError):
        module._named(template(TINY), equal)
