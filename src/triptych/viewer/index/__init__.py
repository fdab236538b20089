"""The index of a Run: Parquet files made from its journals, and the questions that lists and pages ask of them."""
