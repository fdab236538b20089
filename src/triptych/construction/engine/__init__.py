"""The engine of a build: runs the stages in order and decides each record once per key."""
