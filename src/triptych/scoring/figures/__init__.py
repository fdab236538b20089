"""Scores to figures: sums per cell, aggregation, bootstrap replicates and intervals."""
