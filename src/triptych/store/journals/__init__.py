"""Append-only journals, and their lines read in bounded memory."""
