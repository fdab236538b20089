"""Checks of texts that people and models write: what is wrong with one, as a reason and words for its maker."""
