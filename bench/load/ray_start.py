"""Run by a Python that has ray[serve]: `python -m bench.load.ray_start PORT REPLICAS`.

Starts `deploy.ray_serve` in a local cluster with two cores, on the loopback address and without
a dashboard. Prints "ready" when it answers, and serves until the end of standard input.
"""

from __future__ import annotations

import os
import sys

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray  # type: ignore[import-not-found]
from ray import serve

from bench.load.connection import LOOPBACK
from deploy.ray_serve import start

_CPUS = "0.1"  # cores that Ray reserves for a replica: the machine is small, and shared


def main(port: int, replicas: int) -> None:
    """Start the service, and serve until standard input is closed."""
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        _node_ip_address=LOOPBACK,
    )
    start(port, {"replicas": str(replicas), "cpus": _CPUS})
    print("ready", flush=True)
    sys.stdin.read()
    serve.shutdown()
    ray.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
