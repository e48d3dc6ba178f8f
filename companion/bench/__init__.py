"""Measurements: speed and accuracy are claims, and these are where claims come from."""
