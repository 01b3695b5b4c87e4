"""Training a MiniGPT: cross entropy, AdamW, and a loop that reports its progress.

Every step depends only on the seed, its number, the weights and AdamW's moments, so a
training run that is stopped and resumed ends with the same weights as an uninterrupted one.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from model.arrays import as_array
from model.config import IGNORED_TARGET, MiniGPTConfig
from model.corpus import Corpus, Windows, windows_of
from model.errors import InputError
from model.flat import FlatParameter
from model.network import MiniGPT
from model.sampling import check_seed
from model.training_settings import TrainingSettings
from model.vocabulary import Vocabulary

__all__ = [
    "Batches",
    "Progress",
    "Training",
    "TrainingSettings",
    "TrainingState",
    "Watched",
    "look",
    "new_model",
    "train",
]

Floats = NDArray[np.float32]

WEIGHT_DECAY = 0.01  # AdamW's own default, on every weight
_WEIGHTS_STREAM, _DROPOUT_STREAM = 0, 1  # one seed, two independent random streams
_RANDOM = threading.Lock()  # torch draws from one generator for the whole process
_MASK = 2**64 - 1
_VALUES_AT_ONCE = 2**23  # logits of one evaluation, 32 MB


@dataclass(frozen=True)
class Watched:
    """An evaluation of the network without dropout.

    corpus_loss: mean cross entropy over every target of the corpus, in nats.
    probabilities: [prompts, vocab_size], of the word after each watched prompt.
    """

    corpus_loss: float
    probabilities: Floats


@dataclass(frozen=True)
class Progress:
    """The network after `step` updates; its weights change only when the loop continues.

    loss: of the batch of this step, with dropout; gradient_norm: of all weights together.
    """

    step: int
    loss: float
    gradient_norm: float
    watched: Watched | None  # every `watch_every` steps, and at the last step


@dataclass(frozen=True)
class TrainingState:
    """All that resuming needs: the number of updates, weights and AdamW's moments, flat."""

    step: int
    weights: Floats
    first_moment: Floats
    second_moment: Floats


def new_model(config: MiniGPTConfig, seed: int, output_bias: bool = True) -> MiniGPT:
    """A MiniGPT with torch's default initial weights, drawn from `seed`.

    output_bias: see `TrainingSettings`; without one it is zero.
    """
    check_seed(seed)
    with _RANDOM, torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(_mixed(seed, _WEIGHTS_STREAM))
        model = MiniGPT(**config.as_dict())
    if not output_bias:
        model.lm_head.bias.data.zero_()
    return model


def train(
    model: MiniGPT,
    corpus: Corpus,
    settings: TrainingSettings,
    watched: Sequence[Sequence[int]] = (),
) -> Iterator[Progress]:
    """Train `model` in place; yields before each update, and once after the last.

    torch's global generator is reseeded for the dropout of every step.

    watched: prompts, as ids, whose next-word probabilities are evaluated during training.

    Raises:
        InputError: the words of the corpus are not `model`'s; or the loss or a gradient is
            not finite, and `model` then holds the last weights whose loss was finite.
    """
    yield from Training(model, corpus, settings, watched).run()


class Training:
    """A training run that can be saved as its `state` and resumed."""

    def __init__(
        self,
        model: MiniGPT,
        corpus: Corpus,
        settings: TrainingSettings,
        watched: Sequence[Sequence[int]] = (),
        state: TrainingState | None = None,
    ) -> None:
        self.model, self.settings = model, settings
        _set_words(model, corpus.vocabulary)
        self._windows = windows_of(corpus, model.config.context_length)
        self._batches = Batches(self._windows, settings)
        self._watched = [list(prompt)[-model.config.context_length :] for prompt in watched]
        self._flat = FlatParameter(model)
        weights = self._flat.parameter
        self._optimizer = torch.optim.AdamW(
            [weights], settings.learning_rate, weight_decay=WEIGHT_DECAY, fused=True
        )
        self._moments = {
            "step": torch.zeros(()),
            "exp_avg": torch.zeros_like(weights),
            "exp_avg_sq": torch.zeros_like(weights),
        }
        self._optimizer.state[weights] = self._moments
        self._dropout_seed = _mixed(settings.seed, _DROPOUT_STREAM)
        self._step = 0
        if state is not None:
            self._restore(state)

    def run(self) -> Generator[Progress, None, None]:
        """The loop. The network is in training mode during it, in evaluation mode afterwards.

        Raises:
            InputError: see `train`.
        """
        model, gradient, weights = self.model, self._flat.gradient, self._flat.parameter.detach()
        last_good = weights.clone()
        fixed = None if self.settings.output_bias else model.lm_head.bias.grad
        model.train()
        try:
            for step in range(self._step, self.settings.steps + 1):
                self._step = step
                token_ids, targets = self._batches.at(step)
                gradient.zero_()
                with _RANDOM:
                    torch.default_generator.manual_seed(_mixed(self._dropout_seed, step))
                    _, loss = model(token_ids, targets)
                loss.backward()
                if fixed is not None:
                    fixed.zero_()  # AdamW leaves a zero without a gradient at zero
                norm = torch.linalg.vector_norm(gradient)
                watched = self.look() if self._is_looked_at(step) else None
                progress = Progress(step, loss.item(), norm.item(), watched)
                if not math.isfinite(progress.loss):
                    weights.copy_(last_good)
                if not math.isfinite(progress.loss + progress.gradient_norm):
                    rate = f"{self.settings.learning_rate:g}"
                    raise InputError("training_diverged", step=step, learning_rate=rate)
                yield progress
                if step < self.settings.steps:
                    last_good.copy_(weights)
                    self._set_rate(step)
                    self._optimizer.step()
        finally:
            self._flat.release()
            model.eval()

    def _set_rate(self, step: int) -> None:
        if self.settings.decay:
            left = 1 - step / self.settings.steps
            self._optimizer.param_groups[0]["lr"] = self.settings.learning_rate * left

    def state(self) -> TrainingState:
        """A copy for `Training(state=…)` to resume from; call it while the loop is suspended."""
        return TrainingState(
            self._step,
            as_array(self._flat.parameter).copy(),
            as_array(self._moments["exp_avg"]).copy(),
            as_array(self._moments["exp_avg_sq"]).copy(),
        )

    def weights(self) -> Floats:
        """All weights, flat and copied, in the order of `model.parameters()`."""
        return as_array(self._flat.parameter).copy()

    def _restore(self, state: TrainingState) -> None:
        self._step = state.step
        self._flat.parameter.data.copy_(torch.from_numpy(state.weights))
        self._moments["step"].fill_(state.step)
        self._moments["exp_avg"].data.copy_(torch.from_numpy(state.first_moment))
        self._moments["exp_avg_sq"].data.copy_(torch.from_numpy(state.second_moment))

    def look(self) -> Watched:
        """Evaluate the network as it is now."""
        self.model.eval()
        try:
            return look(self.model, self._windows, self._watched)
        finally:
            self.model.train()

    def _is_looked_at(self, step: int) -> bool:
        return step % self.settings.watch_every == 0 or step == self.settings.steps


class Batches:
    """The windows of each step: every window once per epoch, in an order drawn from the seed."""

    def __init__(self, windows: Windows, settings: TrainingSettings) -> None:
        self._token_ids = torch.from_numpy(windows.token_ids)
        self._targets = torch.from_numpy(windows.targets)
        self._size, self._seed = min(settings.batch_size, len(windows)), settings.seed
        self._in_epoch = math.ceil(len(windows) / self._size)
        self._epoch = 0
        self._batches = self._shuffled(0)

    def at(self, step: int) -> tuple[Tensor, Tensor]:
        """token_ids and targets of `step`, both [batch, sequence]."""
        epoch, index = divmod(step, self._in_epoch)
        if epoch != self._epoch and self._in_epoch > 1:  # one batch needs no order
            self._epoch, self._batches = epoch, self._shuffled(epoch)
        return self._batches[index]

    def _shuffled(self, epoch: int) -> list[tuple[Tensor, Tensor]]:
        generator = np.random.default_rng([self._seed, epoch])
        order = torch.from_numpy(generator.permutation(len(self._token_ids)))
        token_ids = torch.split(self._token_ids[order], self._size)
        return list(zip(token_ids, torch.split(self._targets[order], self._size), strict=True))


def look(model: MiniGPT, windows: Windows, prompts: Sequence[Sequence[int]]) -> Watched:
    """The loss over all `windows` and the next word of each prompt, in one pass if it is small.

    `model` is in evaluation mode; prompts are no longer than its context.
    """
    values = len(windows) * windows.token_ids.shape[1] * model.config.vocab_size
    if values <= _VALUES_AT_ONCE:
        return _look_at_once(model, windows, prompts)
    at_once = max(1, _VALUES_AT_ONCE // (values // len(windows)))
    total = counted = 0.0
    for start in range(0, len(windows), at_once):
        part = Windows(
            windows.token_ids[start : start + at_once], windows.targets[start : start + at_once]
        )
        targets = int((part.targets != IGNORED_TARGET).sum())
        total += _look_at_once(model, part, ()).corpus_loss * targets
        counted += targets
    few = Windows(windows.token_ids[:1], windows.targets[:1])
    return Watched(total / counted, _look_at_once(model, few, prompts).probabilities)


def _look_at_once(model: MiniGPT, windows: Windows, prompts: Sequence[Sequence[int]]) -> Watched:
    width = max(windows.token_ids.shape[1], *map(len, prompts), 1)
    token_ids = np.zeros((len(windows) + len(prompts), width), dtype=np.int64)
    token_ids[: len(windows), : windows.token_ids.shape[1]] = windows.token_ids
    for row, prompt in enumerate(prompts, len(windows)):
        token_ids[row, : len(prompt)] = prompt  # the causal mask hides the padding on the right
    with torch.inference_mode():
        logits, _ = model(torch.from_numpy(token_ids))  # [windows + prompts, width, V]
        counted = logits[: len(windows), : windows.targets.shape[1]].flatten(0, 1)
        targets = torch.from_numpy(windows.targets).flatten()
        loss = functional.cross_entropy(counted, targets, ignore_index=IGNORED_TARGET)
        last = [len(prompt) - 1 for prompt in prompts]
        ends = logits[torch.arange(len(windows), len(token_ids)), last]  # [prompts, V]
        return Watched(loss.item(), as_array(ends.softmax(-1)))


def _set_words(model: MiniGPT, words: Vocabulary) -> None:
    """Set the words of `model` if it has none yet.

    Raises:
        InputError: it has other words already.
    """
    if model.vocabulary is None and len(words) == model.config.vocab_size:
        model.vocabulary = words
    elif model.vocabulary not in (None, words):
        own, met = (each.listed for each in (model.vocabulary, words))
        raise InputError("corpus_vocabulary", model=own, corpus=met)


def _mixed(seed: int, step: int) -> int:
    """64 random bits for `step` of the stream `seed` (SplitMix64, Steele et al. 2014)."""
    bits = (seed + (step + 1) * 0x9E3779B97F4A7C15) & _MASK
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
    return bits ^ (bits >> 31)
