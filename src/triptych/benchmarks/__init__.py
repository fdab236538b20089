"""The benchmarks. Each is a folder: spec.toml (most of it is data), reader.py, outputs.py, protocols.py, check.py,
published/*.csv, mini/ (a small set of our own in the released format)."""

from triptych.benchmarks.registry import (
    MAPPED,
    Benchmark,
    addressed,
    broken_benchmarks,
    is_own,
    known_benchmarks,
    known_sets,
    load_benchmark,
    own_questions,
    question_file,
)

__all__ = [
    "MAPPED",
    "Benchmark",
    "addressed",
    "broken_benchmarks",
    "is_own",
    "known_benchmarks",
    "known_sets",
    "load_benchmark",
    "own_questions",
    "question_file",
]
