"""MiniGPT as ONNX: the files, the runtimes that run them, and the proof that they agree."""
