"""Facts about Runs that appear next to their figures: labels, differences in settings, cost, media sent."""
