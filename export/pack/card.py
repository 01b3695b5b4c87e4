"""The model card of the proof pack, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from export.compare import ABSOLUTE_BOUND, RELATIVE_FACTOR
from export.graph import IR_VERSION, OPSET, WINDOW_RULE
from model.config import MiniGPTConfig
from model.vocabulary import Vocabulary


def model_card(
    configs: Mapping[str, MiniGPTConfig], vocabulary: Vocabulary, sizes: Mapping[str, int]
) -> str:
    """Markdown. configs: by name of the weights; sizes: bytes by file name."""
    models = [
        f"| {name} | {c.vocab_size} | {c.context_length} | {c.model_dim} | {c.num_heads} | "
        f"{c.num_layers} |"
        for name, c in configs.items()
    ]
    files = [f"| `{name}` | {size:,} |" for name, size in sizes.items()]
    words = " ".join(vocabulary.words)
    return f"""# MiniGPT

一个小到每个数都能用手算的 GPT。五个词：{words}。
A GPT so small that every number can be worked by hand. Five words: {words}.

| 权重 weights | vocab_size | context_length | model_dim | num_heads | num_layers |
| --- | --- | --- | --- | --- | --- |
{chr(10).join(models)}

- `teaching`：课上手写的权重，不是训练得到的。 Set by hand for the lesson, not learned.
- `trained`：在十来句话上训练得到，只为讲解。 Learned from a handful of sentences, for teaching.

## 用途 · What for

讲解注意力、残差流和 ONNX 导出。不能聊天，不会写文章，也不懂这五个词的意思。
For explaining attention, the residual stream and ONNX export. It cannot chat or write, and it
does not know what the five words mean.

## 输入与输出 · Input and output

`token_ids` int64 [batch, sequence]；`logits` float32 [batch, sequence, vocab_size]。
只给最后 context_length 个词，位置从 0 数起。 {WINDOW_RULE[0].upper() + WINDOW_RULE[1:]}.
有的运行时不检查编号和长度，把 -1 读成最后一个词：请先检查。 Some runtimes check neither ids
nor length, and read -1 as the last word: check first.

- `*_trace.onnx`：每一个中间值都是输出。 Every value on the way is an output.
- `*_decode.onnx`：带缓存，一次一个词；窗口滑动后旧缓存作废。 With a cache, a word at a time;
  once the window slides the cache is void, and the whole window is given again.
- `*_generate.onnx`：在图里接着写 `new_tokens` 个词（总取概率最大的）。 Appends `new_tokens`
  words inside the graph, the most probable each time.
- `*_editable.onnx`：权重和开关也是输入。 Weights and switches are inputs too.

Opset {OPSET}, IR {IR_VERSION}.

## 证明 · Proof

`expected.json` 里有 30 个句子的每一个值（float64）；float32 引擎差不过 {ABSOLUTE_BOUND:.0e}。
学到的权重按 PyTorch 自己与 float64 之差的 {RELATIVE_FACTOR:.0f} 倍来比。
各运行时的结果在 `parity.csv`；`mini_gpt.xlsx` 用看得见的公式把这一切再算一遍。
`expected.json` holds every value of 30 prompts in float64; float32 engines stay within
{ABSOLUTE_BOUND:.0e}. The learned weights are held to {RELATIVE_FACTOR:.0f} times
PyTorch's own distance from float64. `parity.csv` says what each runtime did.
`mini_gpt.xlsx` computes all of it once
more, in formulas you can read.

| 文件 file | 字节 bytes |
| --- | --- |
{chr(10).join(files)}

许可 licence: MIT
"""
