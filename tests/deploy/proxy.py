"""A running nginx with this project's configuration, in a folder of its own."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.nginx import configuration
from tests.needed import program

PATH = "/gpt"
_START_SECONDS = 10.0


@contextmanager
def nginx(folder: Path, port: int, replicas: Sequence[str], *, encrypted: bool) -> Iterator[str]:
    """The address of the page behind nginx; `encrypted` adds a certificate of its own."""
    listen = f"127.0.0.1:{port}" + (" ssl" if encrypted else "")
    text = configuration(listen, PATH, replicas, str(folder))
    if encrypted:
        text = text.replace(f"listen {listen};", f"listen {listen};\n{_certificate(folder)}")
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    with (folder / "error.log").open("wb") as log:
        process = subprocess.Popen(
            [program("nginx"), "-c", folder / "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait(port, folder / "error.log")
        yield f"{'https' if encrypted else 'http'}://127.0.0.1:{port}{PATH}/"
    finally:
        process.terminate()
        process.wait()


def _wait(port: int, log: Path) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while time.monotonic() < give_up:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nginx did not start:\n{log.read_text()}")


def _certificate(folder: Path) -> str:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    subprocess.run(
        [program("openssl"), *made, "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    return f"ssl_certificate {certificate};\nssl_certificate_key {key};"
