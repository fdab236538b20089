"""Runs and records as Parquet files, and the memory that reading them takes."""
