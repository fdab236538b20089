"""A benchmark made from a file of questions: its columns are recognised, or named by a mapping (`benchmark.toml`)."""
