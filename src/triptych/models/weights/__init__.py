"""Weights of small local models: found, downloaded and checked by their hash."""
