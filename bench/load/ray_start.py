"""Run by a Python that has ray[serve]: `python -m bench.load.ray_start PORT REPLICAS`.

Serves until its standard input ends. `serve run deploy.ray_serve:build` does the same for a
person; this one keeps to the loopback address and starts no dashboard.
"""

from __future__ import annotations

import os
import sys

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray  # type: ignore[import-not-found]
from ray import serve

from bench.load.connection import LOOPBACK
from deploy.ray_serve import build

_CPUS = "0.1"  # what Ray sets aside for a replica: the machine is small, and shared


def main(port: int, replicas: int) -> None:
    """Start, say so, and serve until nobody holds the other end of standard input."""
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        _node_ip_address=LOOPBACK,
    )
    serve.start(http_options={"host": LOOPBACK, "port": port})
    serve.run(build({"replicas": str(replicas), "cpus": _CPUS}), name="mini_gpt")
    print("ready", flush=True)
    sys.stdin.read()
    serve.shutdown()
    ray.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
