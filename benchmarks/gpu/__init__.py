"""Checks on a GPU: results, devices, transfers to the host, interchange, and times beside native programs."""
