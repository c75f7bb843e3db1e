"""Bringing Pitstand up: set-up, the demo and its supervisor. Standard library only."""
