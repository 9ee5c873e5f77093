"""The model of what was measured: Gaussian processes, functions drawn from them, and their maximisers."""
