"""Experiments: grids of runs from a file, performed here or on a cluster, and what comes out of them."""
