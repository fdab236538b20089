"""Pictures: upright, changed and compared, and pictures of text."""
