"""Serving a model's weights with vLLM: the command, and the process while it is needed."""
