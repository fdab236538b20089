"""Is it true? Checks on published tables, on a benchmark's data, and on Runs and results released by others."""

from triptych.audit.tables import audit_tables

__all__ = ["audit_tables"]
