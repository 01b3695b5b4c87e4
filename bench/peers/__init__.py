"""The engines that MiniGPT's decode form is measured against, a file each.

Every file declares `PEERS`, and `load(setup)` that is run in the peer's own environment, where
NumPy and the peer's packages are all there is; `bench.peers.own` ones run in the project's.
"""
