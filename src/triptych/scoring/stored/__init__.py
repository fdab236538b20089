"""Scores of whole Runs in bounded memory: Units in order, score files, shards joined."""
