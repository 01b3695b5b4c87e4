"""Decoding for speed: the form for ONNX Runtime with a cache in place, how it is written, and the
engine over it. Nothing else needs to know how."""
