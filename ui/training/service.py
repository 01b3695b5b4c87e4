"""This server's training jobs, own models and files."""

from __future__ import annotations

from ui.training.files import Files
from ui.training.graphs import Graphs
from ui.training.history import Weights
from ui.training.jobs import Job, Jobs
from ui.training.own import OwnModels
from ui.training.process import Spare
from ui.training.recorded import recorded_job


class Service:
    """Everything behind the training panel; one instance per server."""

    def __init__(self) -> None:
        self.spare = Spare()
        self.graphs = Graphs(self.spare)
        self.own = OwnModels()
        self.files = Files(self.spare, self.graphs.templates)
        self.jobs = Jobs(self._learned, self.spare, recorded_job)
        self.own.jobs = self.jobs

    def end(self) -> None:
        """Kill every process."""
        for queue in (self.jobs, self.files, self.graphs):
            queue.end()
        self.spare.end()

    def _learned(self, job: Job, weights: Weights) -> None:
        """A training has ended: its weights become a model that every panel can use."""
        self.own.put(
            job.spec.config,
            weights,
            job.spec.corpus,
            job.keys.id,
            job.history.step,
            job.session,
        )
        self.graphs.prepare(job.spec.config, job.session)


service = Service()
