"""MiniGPT as a GPT-2: the folder that transformers, optimum, transformers.js and others load.

MiniGPT is a GPT-2 with an untied head, exact GELU and no attention biases, but for the bias of
`lm_head`, which GPT-2 lacks. `folding` moves it into the last LayerNorm's shift; `writing` and
`folder` write the files, `reading` reads GPT-2's and nanoGPT's names. No torch here.
"""
