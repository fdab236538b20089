"""What must be read before the first question: each picture or recording once, journaled and resumed like answers.

Files are told apart by content: one that stands in many Items, or under several names, is read once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from triptych.conditions.readings import NeedsTexts, Reading, Texts
from triptych.media.hashes import content_hash
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.prompts.build import build_request
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Part, Request, Response, ResponseStatus
from triptych.running.elsewhere import journal_at_endpoint
from triptych.running.loop import RunOptions, RunOutcome, execute, run_sync
from triptych.store.folder import RunFolder
from triptych.store.replies import ReplyJournal

FOLDER = "readings"
LEAST_TOKENS = 1024  # what a file is put into words with, where the benchmark's answers are shorter
_READ = frozenset({"answered", "truncated"})


@dataclass(frozen=True)
class Reader:
    """Who reads for a Condition, asked in which words, with which settings."""

    condition: str
    reading: Reading
    adapter: Adapter
    prompt: PromptSpec
    settings: Mapping[str, Any]

    def identity(self) -> dict[str, Any]:
        """What a manifest tells: everything that can change what is read."""
        told = {"model": self.adapter.name, "revision": self.adapter.revision, "settings": dict(self.adapter.settings)}
        return {
            **told,
            "prompt": list(self.prompt.content),
            "system": self.prompt.system,
            "decoding": dict(self.settings),
        }

    def journal(self, run: Path) -> ReplyJournal:
        """Where a Run keeps what was read."""
        return ReplyJournal(run / FOLDER, journal_name(self.condition))


def journal_name(condition: str) -> str:
    """A Condition's name as a file's."""
    return "".join(c if c.isalnum() or c in "._" else "-" for c in condition)


def reading_notes(run: RunFolder, spent: Callable[[ReplyJournal], str]) -> Iterator[str]:
    """What was read first, by whom, what became of it and what it took: no Unit's cost holds it."""
    for name, told in run.manifest.readings.items():
        journal = ReplyJournal(run.path / FOLDER, journal_name(name))
        counts = Counter(response.status for response in journal.latest().values())
        words = ", ".join(f"{n:,} {status}" for status, n in counts.most_common())
        reader = told.get("model", "a model that is not named")
        yield f"{name}: media read first by {reader} ({words or 'none yet'}); {spent(journal)}"


def reading_settings(decoding: Mapping[str, Any]) -> dict[str, Any]:
    """The Run's decoding, with room enough for a page: a limit made for a letter would cut it."""
    most = decoding.get("max_tokens")
    return {**decoding, "max_tokens": max(LEAST_TOKENS, most)} if most else dict(decoding)


def journals(run: RunFolder) -> list[ReplyJournal]:
    """The readings of a Run, one journal a Condition."""
    return [ReplyJournal(path.parent, path.stem) for path in sorted((run.path / FOLDER).glob("*.jsonl"))]


@dataclass
class _Files:
    """The files to read: a Part's `content_name` -> name of what it holds, and the first Request for each of those."""

    root: Path | None
    names: dict[str, str] = field(default_factory=dict)
    requests: dict[str, Request] = field(default_factory=dict)

    def add(self, part: Part, item: Item, reader: Reader) -> None:
        """Note a file; one that can't be read is asked about too, and its Response will say why."""
        if part.content_name in self.names:
            return
        digest = part.sha256 or (content_hash(part, self.root) if self.root else "")
        name = "|".join(filter(None, [f"{part.kind}/{digest or part.path}", part.transform]))
        self.names[part.content_name] = name
        if name not in self.requests:
            self.requests[name] = _request(name, part, item, reader)


def _request(name: str, part: Part, item: Item, reader: Reader) -> Request:
    """What the reader is asked about a file. Of the Item, nothing but the file and its true text (for baselines)."""
    truth = item.hidden.get(reader.reading.hidden)
    alone = Item(name, item.task, (msgspec.structs.replace(part, role="content"),), target=truth)
    return build_request(alone, reader.prompt, settings=reader.settings, condition=reader.condition)


def read_first(
    items: Iterable[Item],
    condition: NeedsTexts,
    reader: Reader,
    run: RunFolder,
    media: MediaReader,
    options: RunOptions,
) -> tuple[Texts, RunOutcome | None]:
    """Have every file that the Condition needs read, and give its Texts; None for an outcome where all was done.

    Raises what `execute` raises. Where the sitting ended early, the Texts are not complete.
    """
    files = _Files(media.root)
    for item in items:
        for part in condition.media(item):
            files.add(part, item, reader)
    journal = reader.journal(run.path)
    outcome = None
    if files.requests:
        journal_at_endpoint(journal, reader.adapter, same_model=options.same_model)
    if _undone(files.requests.values(), journal, options):
        told = replace(options, planned=len(files.requests))
        plan = files.requests.values()
        outcome = run_sync(execute(plan, reader.adapter, journal, media, told))
    heard = {response.item: response for response in journal.latest().values()}
    return _texts(files.names, heard), outcome


def _undone(requests: Iterable[Request], journal: ReplyJournal, options: RunOptions) -> bool:
    done = journal.done(options.retry_statuses)
    return any((request.id, request.condition, request.repeat) not in done for request in requests)


def _texts(names: Mapping[str, str], heard: Mapping[str, Response]) -> Texts:
    found: dict[str, str] = {}
    missing: dict[str, tuple[ResponseStatus, str]] = {}
    for content, name in names.items():
        response = heard.get(name)
        if response is not None and response.status in _READ:
            found[content] = response.text.strip()
        elif response is not None:
            why = response.error.message if response.error else response.text[:200]
            missing[content] = response.status, f"{response.status}{why and f' ({why})'}"
    return Texts(found, missing)
