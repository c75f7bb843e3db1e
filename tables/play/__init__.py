"""Scenarios: what happened at tables, line by line, played against the pure core or through the door (docs/scenarios.md).

Nothing here decides anything: a line becomes a command, and what comes out is printed and held against what it expects.
"""
