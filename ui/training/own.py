"""Users' own models, each accessible only by a random id: `own:<key>`.

They are kept in memory. When there are too many, the least recently used one of the session with
most models is dropped; a browser that stored the file can load it again. `own:<key>-<step>` has
the weights of the training with that id after that step.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from model.config import MiniGPTConfig
from model.corpus import Corpus
from model.errors import InputError
from model.parameters import Weights, parameter_shapes
from model.vocabulary import Vocabulary
from ui.model_entry import ModelEntry
from ui.session import current_session
from ui.training import limits
from ui.training.jobs import Jobs

if TYPE_CHECKING:
    from model.network import MiniGPT

PREFIX = "own"
_ID = re.compile(r"own:([0-9a-f]{32})(?:-(\d{1,6}))?", re.ASCII)
_SENTENCES = 2  # of a training's corpus, kept with the model
_KEPT_STEPS = 64  # so that going back and forth between steps costs only the network's run

Sentences = tuple[tuple[int, ...], ...]
Flat = NDArray[np.float32]
"""All weights of a network concatenated, in the order of the state_dict."""


@dataclass(eq=False)
class OwnModel:
    """One user's model, and the files made from it so far, by name."""

    entry: ModelEntry
    session: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    proof: dict[str, Any] | None = None
    trouble: InputError | None = None  # of the last attempt to make the files; reported once


class OwnModels:
    """All own models; thread-safe. `jobs` has the earlier steps of trainings."""

    def __init__(self) -> None:
        self.jobs: Jobs | None = None
        self._lock = threading.Lock()
        self._kept = _Kept(limits.KEPT_MODELS)
        # A separate cache, so that looking at earlier steps drops no model.
        self._steps: LRUCache[str, OwnModel] = LRUCache(_KEPT_STEPS)

    def put(
        self,
        config: MiniGPTConfig,
        flat: Flat,
        corpus: Corpus,
        key: str,
        step: int,
        session: str = "",
    ) -> OwnModel:
        """Store the weights of the training `key` of `session` after `step` updates."""
        own = f"{PREFIX}:{key}-{step}"
        return self._keep(_entry(own, config, flat, corpus.vocabulary, corpus.sentences), session)

    def load(self, config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary) -> OwnModel:
        """Store an uploaded model under a new key."""
        ordered = [weights[name].ravel() for name in parameter_shapes(config)]
        flat = np.concatenate(ordered).astype(np.float32)
        entry = _entry(f"{PREFIX}:{secrets.token_hex(16)}", config, flat, vocabulary)
        return self._keep(entry, current_session())

    def get(self, model_id: Any) -> OwnModel:
        """The model with this id.

        Raises:
            InputError: the id has not this form, or the model is not here (any more).
        """
        found = _ID.fullmatch(model_id) if isinstance(model_id, str) else None
        if found is None:
            raise InputError("own_none")
        with self._lock:
            kept = self._kept.get(found[0]) or self._steps.get(found[0])
        return kept or self._from_training(found[0], found[1], found[2])

    def _keep(self, entry: ModelEntry, session: str) -> OwnModel:
        made = OwnModel(entry, session)
        with self._lock:
            self._kept.put(entry.id, made)
        return made

    def _from_training(self, model_id: str, key: str, step: str | None) -> OwnModel:
        if step is None or self.jobs is None or not self.jobs.has(key):
            raise InputError("own_unknown")
        spec, flat = self.jobs.weights_at(key, int(step))
        made = OwnModel(
            _entry(model_id, spec.config, flat, spec.corpus.vocabulary, spec.corpus.sentences)
        )
        with self._lock:
            self._steps[model_id] = made
        return made


class _Kept:
    """At most `size` models; beyond that, the session with most loses its least recently used."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._models: OrderedDict[str, OwnModel] = OrderedDict()

    def get(self, model_id: str) -> OwnModel | None:
        if model_id in self._models:
            self._models.move_to_end(model_id)
        return self._models.get(model_id)

    def put(self, model_id: str, model: OwnModel) -> None:
        self._models[model_id] = model
        self._models.move_to_end(model_id)
        if len(self._models) > self._size:
            count = Counter(each.session for each in self._models.values())
            most = max(count.values())
            longest_unused = (
                key for key, each in self._models.items() if count[each.session] == most
            )
            del self._models[next(longest_unused)]


def by_name(config: MiniGPTConfig, flat: Flat) -> dict[str, NDArray[np.float32]]:
    """Flat weights as a state_dict of NumPy arrays."""
    shapes = parameter_shapes(config)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(flat, ends[:-1])
    return {
        name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }


def _entry(
    model_id: str,
    config: MiniGPTConfig,
    flat: Flat,
    vocabulary: Vocabulary,
    sentences: Sentences = (),
) -> ModelEntry:
    weights: Weights = by_name(config, flat.copy())
    return ModelEntry(
        id=model_id,
        config=config,
        vocabulary=vocabulary,
        onnx_trace=None,
        load_torch=lambda: _load(config, weights, vocabulary),
        load_weights=lambda: weights,
        sentences=tuple(each[: config.context_length + 1] for each in sentences[:_SENTENCES]),
    )


def _load(config: MiniGPTConfig, weights: Weights, vocabulary: Vocabulary) -> MiniGPT:
    import torch

    from model.network import MiniGPT

    network = MiniGPT(**config.as_dict())
    state = {name: torch.tensor(np.asarray(values)) for name, values in weights.items()}
    network.load_state_dict(state, strict=True)
    network.vocabulary = vocabulary
    return network.eval()
