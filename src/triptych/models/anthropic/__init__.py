"""`anthropic/NAME`: Anthropic's Messages API."""
