"""What counts as a late frame."""

from __future__ import annotations

import pytest

from bench.film_frames import share_late


def test_a_frame_is_late_above_twenty_milliseconds() -> None:
    assert share_late([16.7, 20.0, 20.1, 33.4]) == pytest.approx(50)
    assert share_late([16.7]) == 0
