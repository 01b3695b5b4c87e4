"""The engines that MiniGPT's decoder is compared with, one file each.

Each file declares `PEERS` and `load(setup)`, which runs in the peer's own environment, where only
NumPy and the peer's packages are installed; peers with the environment `HERE` run in the
project's.
"""
