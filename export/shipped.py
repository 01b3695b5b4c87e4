"""The files that the project ships, how each is made, and its proof before it is written."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from export.compare import ABSOLUTE_BOUND, Difference, compare, failures
from export.forms.catalogue import FORMS, form_file
from export.forms.continuing_proof import (
    BEGINNINGS_SEED,
    beginnings,
    decode_differences,
    generate_differences,
    logits_bound,
)
from export.forms.editable import editable_onnx
from export.forms.editable_proof import all_prompts_listed, editable_differences
from export.forms.filled import forms_of
from export.graph import (
    IDS_RULE,
    INPUT_NAME,
    LOGITS_ONLY,
    WINDOW_RULE,
    model_metadata,
    to_onnx,
)
from export.precision import bounds, own_distance
from export.runtimes import Ids
from export.runtimes.editable import SUFFIX as EDITABLE_SUFFIX
from export.runtimes.onnx_runtime import named_run, onnxruntime_runner, session_for
from export.runtimes.pytorch import pytorch_runner
from model.network import MiniGPT
from model.parameters import weights_of
from model.shipped import SHIPPED, TEACHING
from model.trace import trace_shapes
from model.trained import trained_folder
from model.vocabulary import Vocabulary
from model.weights_file import WEIGHTS_FILE, words_described
from model.whole_file import write_whole

FILES = Path(__file__).parent / "files"
WRITING_ON = ("decode", "generate")
SEED = 0  # of the prompts that are drawn
EVERY_PROMPT = 4096  # up to this many prompts of a length, all are compared


class DisagreementError(AssertionError):
    """Two engines disagree about a file; `difference` is the first value that differs."""

    def __init__(self, file: str, difference: Difference) -> None:
        self.difference = difference
        super().__init__(f"{file} disagrees with PyTorch: {difference.reason()}")


@dataclass(frozen=True)
class Proof:
    """The comparison that a file passed before it was written.

    drawn: how many of its prompts were drawn with `seed`; the others are all of their length.
    """

    file: str
    prompts: int
    differences: list[Difference]
    drawn: int = 0
    seed: int = SEED


def logits_file(name: str) -> str:
    """File name of the plain form of the weights `name`."""
    return f"mini_gpt_{name}.onnx"


def trace_file(name: str) -> str:
    """File name of the form that outputs every trace value."""
    return f"mini_gpt_{name}_trace.onnx"


def editable_file(name: str) -> str:
    """File name of the form whose weights and switches are inputs."""
    return f"mini_gpt_{name}{EDITABLE_SUFFIX}"


def description_file(name: str) -> str:
    """File name of the description for readers without access to ONNX metadata."""
    return f"mini_gpt_{name}.json"


def weights_file(name: str) -> str:
    """File name of the weights themselves."""
    return f"mini_gpt_{name}.safetensors"


def all_prompts(vocab_size: int, longest: int) -> Iterator[Ids]:
    """Every prompt of 1 to `longest` tokens: for each length [vocab_size ** length, length]."""
    for length in range(1, longest + 1):
        yield np.array(list(product(range(vocab_size), repeat=length)), dtype=np.int64)


def write_all(folder: Path) -> list[Proof]:
    """Prove every shipped file and write it to `folder`.

    Raises:
        DisagreementError: an engine disagrees; nothing has been written.
    """
    proofs: list[Proof] = []
    contents: dict[str, bytes] = {}
    for weights, shipped in SHIPPED.items():
        bound = ABSOLUTE_BOUND if weights == TEACHING else None
        made, proved = make(weights, shipped.load(), shipped.prompt, bound)
        contents |= made
        proofs += proved
        if weights != TEACHING:  # those are decimals in the code
            contents[weights_file(weights)] = (trained_folder(weights) / WEIGHTS_FILE).read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write_whole(folder / name, content)
    return proofs


def make(
    weights: str, model: MiniGPT, prompt: str, bound: float | None
) -> tuple[dict[str, bytes], list[Proof]]:
    """The files of one set of weights by name, proven; see `prove` for `bound`.

    prompt: the description's example, as text.
    """
    vocabulary = model.vocabulary
    assert vocabulary is not None  # shipped models have words
    contents, proofs = proven_forms(weights, model, vocabulary, bound)
    editable = editable_file(weights)
    metadata = model_metadata(model, weights, vocabulary)
    contents[editable] = editable_onnx(model.config, metadata).SerializeToString()
    trace_content = contents[trace_file(weights)]
    proofs.append(prove_editable(editable, contents[editable], model, trace_content, bound))
    for use in WRITING_ON:
        file = form_file(weights, use)
        contents[file] = FORMS[use].build(model, metadata).SerializeToString()
        proofs.append(prove_writing_on(file, contents[file], model, use, bound))
    contents[description_file(weights)] = _as_json(describe(weights, model, vocabulary, prompt))
    return contents, proofs


def proven_forms(
    weights: str,
    model: MiniGPT,
    vocabulary: Vocabulary,
    bound: float | None,
    every: int = EVERY_PROMPT,
    template: onnx.ModelProto | None = None,
) -> tuple[dict[str, bytes], list[Proof]]:
    """The logits form and the trace form of any weights, by file name, proven.

    bound: see `prove`; every: see `compared_prompts`; template: see `export.forms.filled`, by
        default both forms are exported.

    Raises:
        DisagreementError: see `prove`.
    """
    metadata = model_metadata(model, weights, vocabulary)
    forms = {
        logits_file(weights): LOGITS_ONLY,
        trace_file(weights): tuple(trace_shapes(model.config.num_layers)),
    }
    if template is None:
        contents = {
            file: to_onnx(model, names, metadata).SerializeToString()
            for file, names in forms.items()
        }
    else:
        made = forms_of(template, weights_of(model), metadata)
        contents = dict(zip(forms, made, strict=True))
    proofs = [
        prove(file, contents[file], model, names, bound, every) for file, names in forms.items()
    ]
    return contents, proofs


def compared_prompts(vocab_size: int, context_length: int, every: int) -> Iterator[Ids]:
    """Every prompt of each length that has at most `every`, else `every` seeded ones."""
    draw = np.random.default_rng(SEED)
    for length in range(1, context_length + 1):
        if vocab_size**length <= every:
            yield np.array(list(product(range(vocab_size), repeat=length)), dtype=np.int64)
        else:
            yield draw.integers(0, vocab_size, (every, length))


def prove(
    file: str,
    content: bytes,
    model: MiniGPT,
    names: tuple[str, ...],
    bound: float | None,
    every: int = EVERY_PROMPT,
) -> Proof:
    """Run `content` in ONNX Runtime and `model` in PyTorch on `compared_prompts`.

    bound: the largest difference allowed; None means RELATIVE_FACTOR times PyTorch's float32
        error, value by value.

    Raises:
        DisagreementError: a value differs by more; names the first one in trace order.
    """
    prompts = list(compared_prompts(model.config.vocab_size, model.config.context_length, every))
    allowed = bounds(own_distance(model, names, prompts)) if bound is None else bound
    reference, actual = pytorch_runner(model, names), onnxruntime_runner(content)
    differences: list[Difference] = []
    for token_ids in prompts:
        differences += compare(reference(token_ids), actual(token_ids), allowed)
    failed = failures(differences)
    if failed:
        raise DisagreementError(file, failed[0])
    config = model.config
    drawn = sum(len(ids) for ids in prompts if config.vocab_size ** ids.shape[1] > every)
    return Proof(file, sum(map(len, prompts)), differences, drawn)


def prove_editable(
    file: str, content: bytes, model: MiniGPT, trace_content: bytes, bound: float | None
) -> Proof:
    """Compare the editable form with the trace form and, with every switch, with PyTorch.

    Raises:
        DisagreementError: the plain run differs from the trace form's, or a switched run from
            PyTorch's.
    """
    plain = onnxruntime_runner(trace_content)
    weights = weights_of(model)
    prompts, differences = editable_differences(content, plain, model.config, weights, bound)
    failed = failures(differences)
    if failed:
        raise DisagreementError(file, failed[0])
    return Proof(file, prompts, differences, prompts - all_prompts_listed(model.config))


def prove_writing_on(
    file: str, content: bytes, model: MiniGPT, use: str, bound: float | None
) -> Proof:
    """Compare generation by a `decode` or `generate` file in ONNX Runtime with `model.generate`.

    Raises:
        DisagreementError: a word differs, or a logit by more than `bound` (see `prove`).
    """
    prompts = list(beginnings(model.config))
    run = named_run(session_for(content))
    allowed = logits_bound(model, prompts, bound)
    differences: list[Difference] = []
    for token_ids in prompts:
        if use == "decode":
            differences += decode_differences(run, model, token_ids, allowed)
        else:
            differences += generate_differences(run, model, token_ids)
    failed = failures(differences)
    if failed:
        raise DisagreementError(file, failed[0])
    count = sum(map(len, prompts))
    return Proof(file, count, differences, count, BEGINNINGS_SEED)


def describe(weights: str, model: MiniGPT, vocabulary: Vocabulary, prompt: str) -> dict[str, Any]:
    """Words, sizes, axes, window rule and one worked example, for any JSON reader."""
    tokens = vocabulary.encode(prompt)
    example = np.array([tokens], dtype=np.int64)
    # In float64: in float32 the last digits depend on the processor.
    exact = copy.deepcopy(model).double()
    values = pytorch_runner(exact, ("logits", "vocabulary_probs"))(example)
    sizes = {key: value for key, value in model.config.as_dict().items() if key != "dropout"}
    return {
        "weights": weights,
        "licence": "MIT",
        **words_described(vocabulary),
        **sizes,
        "input": {"name": INPUT_NAME, "dtype": "int64", "axes": ["batch", "sequence"]},
        "output": {
            "name": LOGITS_ONLY[0],
            "dtype": "float32",
            "axes": ["batch", "sequence", "vocab_size"],
        },
        "ids": IDS_RULE,
        "window": WINDOW_RULE,
        "example": {
            "tokens": vocabulary.decode(tokens),
            "token_ids": example[0].tolist(),
            "last_logits": _rounded(values["logits"][0, -1]),
            "probabilities": _rounded(values["vocabulary_probs"][0, -1]),
        },
    }


def check_file(path: Path) -> onnx.ModelProto:
    """The file as ONNX, after the full check."""
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    return proto


def _rounded(row: Any) -> list[float]:
    """Six decimals, on which float32 engines can be expected to agree."""
    return [round(float(value), 6) for value in row]


def _as_json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
