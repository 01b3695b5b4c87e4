"""A plain Gradio theme: system fonts, slate instead of orange."""

from __future__ import annotations

import gradio as gr

FONTS = ("system-ui", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "sans-serif")
MONOSPACED = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def theme() -> gr.themes.Base:
    """A theme that loads no font from another host."""
    return gr.themes.Base(
        primary_hue="slate",
        secondary_hue="slate",
        neutral_hue="slate",
        font=FONTS,
        font_mono=MONOSPACED,
    )
