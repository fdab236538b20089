"""Which option a reply chooses: words by language (`words.toml`), signs, statements, and what they conclude."""
