"""Deployment: a Space, a container, replicas behind nginx, predictions on Ray Serve."""
