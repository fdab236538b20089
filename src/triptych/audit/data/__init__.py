"""`audit data`: checks of a benchmark's questions and media."""
