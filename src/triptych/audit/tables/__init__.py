"""`audit tables`: checks of published tables."""
