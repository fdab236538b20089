"""The contracts of plug-ins that `check-plugin` checks, one module for each group of entry points."""
