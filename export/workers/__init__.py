"""Worker processes: the message format, the worker's side and the parent's side.

Needs only NumPy and the standard library, and not POSIX.
"""
