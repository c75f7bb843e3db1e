"""Ratios against the bare limit of the same machine, measured in the same run (`make bench`)."""
