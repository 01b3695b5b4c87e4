"""Benchmarks: contenders are interleaved in one run, and results name the machine."""
