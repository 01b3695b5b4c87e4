"""Server functions of the panels: one module per panel, each with a list `SERVER_FUNCTIONS`."""
