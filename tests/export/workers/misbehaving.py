"""`python -m tests.export.workers.misbehaving`: a worker that does what it is told, and worse."""

from __future__ import annotations

import ctypes
import os
import sys
import time

from export.workers.serving import Channel
from export.workers.wire import Arrays, Head, Message

MEGABYTE = 1 << 20


def answer(head: Head, arrays: Arrays) -> Message:
    do = head["do"]
    if do == "raise":
        raise ValueError("\n  first line \nsecond line")
    if do == "end":
        os._exit(11)
    if do == "end in the middle":
        os.write(answers, b"\x40\x00\x00\x00half a head")
        os._exit(11)
    if do == "babble":
        os.write(answers, b"[I] starting")
    if do == "sleep":
        time.sleep(60)
    if do == "print":
        print("from Python")
        ctypes.CDLL(None).printf(b"%s", b"c" * MEGABYTE)
        ctypes.CDLL(None).fflush(None)
        os.system("echo from a program")
    if do == "read":
        return {"read": sys.stdin.read() + os.popen("cat").read()}, {}
    return {"pid": os.getpid(), **head}, arrays


if __name__ == "__main__":
    channel = Channel()
    answers = channel._answers.fileno()
    channel.serve(answer)
