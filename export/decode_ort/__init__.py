"""Fast decoding: the form for ONNX Runtime with an in-place KV cache, its writer, and the decoder
that runs it."""
