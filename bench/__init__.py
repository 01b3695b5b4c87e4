"""Measurements: each compares in one run, interleaved, and says on which machine."""
