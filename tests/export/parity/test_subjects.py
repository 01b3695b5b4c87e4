"""What is run: every prompt once, and the random model is the seeded one of the issue."""

from __future__ import annotations

import numpy as np
import torch

from export.parity.subjects import LARGEST_BATCH, Subject, every_prompt, subjects, traced_prompts
from model.network import MiniGPT


def small() -> Subject:
    """All 3 + 9 + 27 prompts of a network with three words."""
    torch.manual_seed(1)
    return Subject("small", MiniGPT(3, 3, 4, 2, 1).eval(), 3**3, 5e-6, shipped=False)


def test_the_sets_of_weights() -> None:
    *shipped, random = subjects()
    assert [each.name for each in shipped] == ["teaching", "trained", "poems"]
    assert [each.bound for each in subjects()] == [5e-6, None, None, 5e-6]
    torch.manual_seed(0)
    again = MiniGPT(5, 8, 4, 2, 2, 0.1)
    for name, values in again.state_dict().items():
        assert torch.equal(values, random.model.state_dict()[name])
    assert not random.model.training
    assert (
        sum(5**length for length in range(1, 9))
        == 488_280
        <= sum(min(5**length, random.every) for length in range(1, 9))
    )


def test_every_prompt_comes_once_at_most_a_batch_at_a_time() -> None:
    case = every_prompt(small())
    rows = [tuple(row) for prompts in case.prompts for row in prompts.tolist()]
    assert len(rows) == len(set(rows)) == 3 + 9 + 27
    assert max(map(len, case.prompts)) <= LARGEST_BATCH
    assert [prompts.shape[1] for prompts in case.prompts] == [1, 2, 3]


def test_the_expected_values_are_pytorchs() -> None:
    subject = small()
    case = traced_prompts(subject)
    for prompts, values in zip(case.prompts, case.expected, strict=True):
        trace = subject.model.trace(torch.from_numpy(prompts))
        for name, value in values.items():
            np.testing.assert_array_equal(value, trace[name].detach().numpy())
    assert case.bound == 5e-6


def test_learned_weights_are_bound_by_pytorchs_own_distance() -> None:
    subject = small()
    relative = Subject(subject.name, subject.model, subject.every, None, shipped=False)
    bound = traced_prompts(relative).bound
    assert isinstance(bound, dict)
    assert 0 < bound["logits"] < 5e-5
