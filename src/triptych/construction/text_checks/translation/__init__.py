"""Checks of a translation against its source."""
