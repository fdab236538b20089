"""Vectors of texts and sounds, compared and clustered."""
