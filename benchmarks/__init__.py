"""Measurements of what corearray costs, run as `python -m benchmarks.overhead` and `python -m benchmarks.startup`."""
