"""The Gradio page: how it is built and served, the calls its browser side makes, the API."""
