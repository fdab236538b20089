"""Scores to findings: intervals, comparisons, consistency, robustness, ablation, agreement, kinds of error, cost."""
