"""The Run folder: journals, locks, loading, merging, packing, and the response cache that Runs share."""

from triptych.store.files.atomic import write_atomically
from triptych.store.folder import Entry, RunFolder, RunWriter
from triptych.store.journals.journal import Journal, JournalWriter

__all__ = ["Entry", "Journal", "JournalWriter", "RunFolder", "RunWriter", "write_atomically"]
