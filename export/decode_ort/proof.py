"""The proof of the `decode-ort` forms: the words of `model.generate`, or the distance to them."""

from __future__ import annotations

import numpy as np

from export.compare import failures, largest
from export.decode_ort.decoder import OrtDecoder
from export.decode_ort.file import EIGHT_BIT_FORM
from export.forms.continuing_proof import (
    NEW_TOKENS,
    beginnings,
    continued,
    continued_differences,
    logits_bound,
)
from export.parity.record import OK, Record
from export.parity.subjects import Subject
from export.runtimes import Ids
from export.runtimes.onnx_runtime import VERSION


def decode_ort_record(form: str, subject: Subject, content: bytes) -> Record:
    """The record of `export.decode_ort.decoder` on the file, with prompts of all relevant lengths.

    Raises:
        AssertionError: the exact form differs. The 8-bit form differs by design: the record
            states by how much.
    """
    prompts = list(beginnings(subject.model.config))
    decoder = OrtDecoder(content)
    if form == EIGHT_BIT_FORM:
        worst, reason = _rounding(decoder, subject, prompts)
    else:
        worst, reason = _exactness(decoder, subject, prompts), ""
    return Record(
        runtime="onnxruntime",
        title="ONNX Runtime",
        version=VERSION,
        weights=subject.name,
        use=form,
        form=form,
        verdict=OK,
        reason=reason,
        prompts=sum(map(len, prompts)),
        prompts_of=sum(map(len, prompts)),
        new_tokens=NEW_TOKENS,
        max_abs_logits=worst,
    )


def _exactness(decoder: OrtDecoder, subject: Subject, prompts: list[Ids]) -> float:
    bound = logits_bound(subject.model, prompts, subject.bound)
    differences = [
        difference
        for token_ids in prompts
        for difference in continued_differences(decoder, subject.model, token_ids, bound)
    ]
    failed = failures(differences)
    if failed:
        raise AssertionError(f"decode-ort of {subject.name} differs: {failed[0].reason()}")
    return largest(differences).max_abs


def _rounding(decoder: OrtDecoder, subject: Subject, prompts: list[Ids]) -> tuple[float, str]:
    """Largest |Δ logit| over the windows of PyTorch's continuations, and the words changed."""
    worst, changed, count = 0.0, 0, 0
    for token_ids in prompts:
        for step in continued(subject.model, token_ids).steps:
            logits = decoder(step.window)
            worst = max(worst, float(np.abs(logits - step.last_logits).max()))
            changed += int((logits.argmax(axis=-1) != step.next_id[:, 0]).sum())
            count += len(logits)
    return worst, f"8 bits: the most probable word changed in {changed} of {count} places"
