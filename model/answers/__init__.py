"""Judging a number that a learner worked out: right, nearly, or which step to look at again."""

from __future__ import annotations

from model.answers.judging import Hint, Verdict, judge
from model.answers.reading import read_answer

__all__ = ["Hint", "Verdict", "judge", "read_answer"]
