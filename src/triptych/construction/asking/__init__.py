"""Stages that ask models, their prompts, and the parsing of replies."""
