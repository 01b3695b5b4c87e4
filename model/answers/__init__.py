"""Judging a learner's answer: right, nearly right, or which step of the working to redo."""

from __future__ import annotations

from model.answers.judging import Hint, Verdict, judge
from model.answers.reading import read_answer

__all__ = ["Hint", "Verdict", "judge", "read_answer"]
