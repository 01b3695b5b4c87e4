"""Worker processes: one message format, the worker's own side of it, and its starter's.

NumPy is all that is needed besides the standard library, and nothing needs POSIX.
"""
