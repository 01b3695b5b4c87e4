"""Putting the page where others can reach it: a Space, a container, replicas behind nginx."""
