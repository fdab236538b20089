"""Statistics of figures: intervals, limits with few clusters, and Student's t distribution."""
