"""The report of a build: funnel, statistics, figures, estimates and previews."""
