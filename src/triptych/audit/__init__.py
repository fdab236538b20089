"""Checks of published tables, of a benchmark's data, and of Runs and results released by others."""

from triptych.audit.tables.check import audit_tables

__all__ = ["audit_tables"]
