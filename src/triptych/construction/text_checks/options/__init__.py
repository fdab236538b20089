"""Checks of questions with options, and what tells whether two options say the same."""
