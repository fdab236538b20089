"""Films: their frames and times, changed and checked."""
