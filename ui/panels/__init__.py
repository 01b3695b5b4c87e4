"""Server functions of the panels, a module a panel, each with a list `SERVER_FUNCTIONS`."""
