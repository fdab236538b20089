"""`audit run`: checks of Runs and of results that others released."""
