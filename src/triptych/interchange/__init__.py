"""Other harnesses: Runs go out as Inspect and lmms-eval logs and as datasets; their logs come in as Runs."""
