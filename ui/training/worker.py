"""The worker process, `python -m ui.training.worker`, which reads its order from stdin.

A process carries out one order: "train", "graph" (the ONNX graph with weights as inputs, for sizes
that are not shipped) or "files" (ONNX files of given weights, checked for parity). It exits at the
end of stdin, so that none outlives a server that was killed.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from export.workers.serving import Channel
from export.workers.wire import Head, Message, packed, unpacked
from model.config import MiniGPTConfig
from model.corpus import LESSON_CORPUS, corpus_of, read_corpus
from model.errors import InputError
from model.model_files import load_bytes
from model.network import MiniGPT
from model.teaching import TEACHING_CONFIG, teaching_model
from model.training import Progress, Training, TrainingState, new_model
from model.training_settings import TrainingSettings
from model.vocabulary import LESSON_WORDS
from ui import operator_log

REPORT_SECONDS = 0.1
STATE_SECONDS = 1.0  # at most so much of a training is lost when its process is killed
EVERY_PROMPT = 256  # prompts of each length in the parity check of files

_LOG = logging.getLogger("ui.training.worker")  # __name__ is "__main__" here


def main() -> None:
    """Warm up, carry out one order, exit."""
    channel = Channel()
    torch.set_num_threads(1)
    _warm_up()
    channel.send({"kind": "ready"})
    requests = channel.requests()
    order = next(requests, None)
    if order is None:
        return
    head, content = order[0], unpacked(order[1])
    stop = _listen(requests)
    if head["kind"] == "train":
        _train(channel, head, content, stop)
    elif head["kind"] == "graph":
        config = MiniGPTConfig(**head["config"])
        channel.send({"kind": "graph"}, packed(_graph(config)))
        _send_template(channel, config)
    else:
        _files(channel, content[: head["weights"]], content[head["weights"] :])


def _warm_up() -> None:
    """Run one training step: the first one in a process is slow, while torch initializes."""
    model = new_model(TEACHING_CONFIG, 0)
    list(Training(model, read_corpus(LESSON_CORPUS, LESSON_WORDS), TrainingSettings(steps=1)).run())


def _listen(requests: Iterator[Message]) -> threading.Event:
    """An event set by the server's stop message; at the end of stdin the process exits."""
    stop = threading.Event()

    def listen() -> None:
        try:
            for _ in requests:
                stop.set()
        finally:
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return stop


def _train(channel: Channel, order: Head, content: bytes, stop: threading.Event) -> None:
    config = MiniGPTConfig(**order["config"])
    settings = TrainingSettings(**order["settings"])
    model = _first_model(config, settings, order["start"])
    state = _state_of(order["step"], content) if content else None
    corpus = corpus_of(order["corpus"], order["unit"], order["line_ends"])
    training = Training(model, corpus, settings, order["watched"], state)
    reporter = _Reporter(channel, training, order["keep_every"])
    error: Head = {}
    loop = training.run()
    try:
        for progress in loop:
            if stop.is_set():
                reporter.add_last(progress)
                break
            reporter.add(progress)
    except InputError as caught:
        error = _as_error(caught)
    else:
        # A resumed training continues from the step at which the loop is now.
        reporter.send_state()
    loop.close()
    reporter.report()
    channel.send({"kind": "end", "error": error}, packed(_flat(model)))


def _first_model(config: MiniGPTConfig, settings: TrainingSettings, start: str) -> MiniGPT:
    model = new_model(config, settings.seed, settings.output_bias)
    if start == "teaching":
        model.load_state_dict(teaching_model().state_dict())
    return model


@dataclass
class _Reporter:
    """Sends progress and kept weights in batches, and regularly the state needed to resume."""

    channel: Channel
    training: Training
    keep_every: int
    points: list[list[Any]] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    weights: list[bytes] = field(default_factory=list)
    reported: float = 0.0
    stated: float = field(default_factory=time.monotonic)

    def add(self, progress: Progress) -> None:
        self.points.append(_point(progress))
        if progress.step % self.keep_every == 0 or progress.step == self.training.settings.steps:
            self._keep(progress.step)
        now = time.monotonic()
        if now - self.reported >= REPORT_SECONDS:
            self.report()
            self.reported = now
        if now - self.stated >= STATE_SECONDS:
            self.send_state()
            self.stated = now

    def add_last(self, progress: Progress) -> None:
        """The step at which it was stopped, with an evaluation and its weights."""
        self.points.append(_point(replace(progress, watched=self.training.look())))
        self._keep(progress.step)

    def _keep(self, step: int) -> None:
        self.kept.append(step)
        self.weights.append(self.training.weights().tobytes())

    def report(self) -> None:
        head = {"kind": "progress", "points": self.points, "kept": self.kept}
        self.channel.send(head, packed(b"".join(self.weights)))
        self.points, self.kept, self.weights = [], [], []

    def send_state(self) -> None:
        state = self.training.state()
        moments = state.weights.tobytes() + state.first_moment.tobytes()
        head = {"kind": "state", "step": state.step}
        self.channel.send(head, packed(moments + state.second_moment.tobytes()))


def _point(progress: Progress) -> list[Any]:
    """[step, loss, gradient norm, loss over the corpus, probabilities]; the last two or None."""
    look = progress.watched
    return [
        progress.step,
        progress.loss,
        progress.gradient_norm,
        None if look is None else look.corpus_loss,
        None if look is None else look.probabilities.tolist(),
    ]


def _state_of(step: int, content: bytes) -> TrainingState:
    weights, first, second = np.frombuffer(content, np.float32).reshape(3, -1).copy()
    return TrainingState(step, weights, first, second)


def _flat(model: MiniGPT) -> bytes:
    return b"".join(weight.detach().numpy().tobytes() for weight in model.parameters())


def _graph(config: MiniGPTConfig) -> bytes:
    from export.forms.editable import editable_onnx

    content: bytes = editable_onnx(config).SerializeToString()
    return content


def _send_template(channel: Channel, config: MiniGPTConfig) -> bytes:
    """Make the template of these sizes and send it to be kept; empty if there is none."""
    from export.forms import filled

    try:
        made: bytes = filled.template(config).SerializeToString()
    except filled.NoTemplateError as error:
        _LOG.warning("no template of %s: %s", config, error)
        return b""
    channel.send({"kind": "template"}, packed(made))
    return made


def _files(channel: Channel, content: bytes, kept: bytes) -> None:
    """Send the folder and the ONNX files of the model in `content`, one message each, then the
    parity result.

    kept: the template of its sizes, if one was made before.
    If the engines disagree on these weights, no file is sent, and the last message says so.
    """
    import onnx

    from export.compare import largest
    from export.hub import proven_folder
    from export.shipped import DisagreementError, proven_forms

    model = load_bytes(content)
    assert model.vocabulary is not None  # ui.training.files states them
    kept = kept or _send_template(channel, model.config)
    try:
        template = onnx.ModelProto.FromString(kept) if kept else None
        files, proofs = proven_forms(
            "own", model, model.vocabulary, None, every=EVERY_PROMPT, template=template
        )
        folder, _ = proven_folder(model)
    except DisagreementError as caught:
        error = InputError("files_differ", name=caught.difference.name)
        channel.send({"kind": "end", "error": _as_error(error)})
        return
    for name, content_of in folder.files.items():
        channel.send({"kind": "file", "name": name, "in_folder": True}, packed(content_of()))
    for name, made in files.items():
        channel.send({"kind": "file", "name": name}, packed(made))
    worst = largest([largest(proof.differences) for proof in proofs])
    first = proofs[0]  # both forms were run on the same prompts
    proof = {
        "prompts": first.prompts,
        "drawn": first.drawn,
        "seed": first.seed,
        "max_abs": worst.max_abs,
        "name": worst.name,
    }
    channel.send({"kind": "end", "error": {}, "proof": proof})


def _as_error(caught: InputError) -> Head:
    return {"code": caught.code, "details": caught.details}


if __name__ == "__main__":
    operator_log.configure()
    try:
        main()
    except Exception:  # the server notices that the process has ended
        _LOG.exception("an order failed in its process")
    finally:
        sys.stderr.flush()
        os._exit(0)  # a normal exit would wait for the thread that reads stdin
