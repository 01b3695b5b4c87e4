"""MiniGPT as ONNX: the files, the engines that run them, and the proof that they agree."""
