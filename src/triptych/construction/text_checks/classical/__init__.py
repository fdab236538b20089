"""Checks of classical texts and of their translations."""
