"""What a Space sets in the environment of the app it runs."""

from __future__ import annotations

SPACE = {
    "SYSTEM": "spaces",
    "SPACE_ID": "someone/minigpt",
    "SPACE_HOST": "someone-minigpt.hf.space",
    "SPACE_AUTHOR_NAME": "someone",
    "SPACE_REPO_NAME": "minigpt",
    "GRADIO_SSR_MODE": "True",
    "GRADIO_SERVER_NAME": "0.0.0.0",
}
