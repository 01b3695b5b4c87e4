"""Every engine on the same files, compared with PyTorch: `python -m export parity`."""
