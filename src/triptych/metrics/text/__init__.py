"""Text before it is scored: normalised, segmented, aligned, its language guessed."""
