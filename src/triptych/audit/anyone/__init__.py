"""Checks of anyone's tables: what must hold is found from the tables themselves, at stated odds."""
