"""What makers write about a text or instead of it."""
