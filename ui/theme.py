"""Gradio's own surroundings of the page, made quiet: system fonts, no orange."""

from __future__ import annotations

import gradio as gr

FONTS = ("system-ui", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "sans-serif")
MONOSPACED = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def theme() -> gr.themes.Base:
    """A theme that asks no other host for a font."""
    return gr.themes.Base(
        primary_hue="slate",
        secondary_hue="slate",
        neutral_hue="slate",
        font=FONTS,
        font_mono=MONOSPACED,
    )
