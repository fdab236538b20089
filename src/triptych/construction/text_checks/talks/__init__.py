"""Checks of transcripts and abstracts of talks, and of questions about them."""
