"""The programs of `benchmarks.programs`, written for each framework as its users write them: one module each, in eager mode."""
