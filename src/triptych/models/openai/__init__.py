"""`openai/NAME`: OpenAI-compatible endpoints."""
