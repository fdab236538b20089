"""Sound: decoded, encoded, changed and measured."""
