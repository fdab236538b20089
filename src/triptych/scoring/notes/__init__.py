"""Facts about Runs that stand next to their figures: labels, differences in settings, cost, media sent."""
