"""Recipes in the box, one module each: its `RECIPE` is found by the module's name."""
