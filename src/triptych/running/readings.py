"""Readings: each image or recording is read by a model once before the first question, journaled and resumed like
answers.

Files are identified by content: a file in several Items, or with several names, is read once.
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
from triptych.running.loop import RunOptions, RunOutcome, execute, run_sync
from triptych.running.other_endpoint import journal_at_endpoint
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

FOLDER = "readings"
MIN_TOKENS = 1024  # token limit for reading a file, if the benchmark's own limit is lower
_READ = frozenset({"answered", "truncated"})


@dataclass(frozen=True)
class Reader:
    """The model that reads for a Condition, with its prompt and settings."""

    condition: str
    reading: Reading
    adapter: Adapter
    prompt: PromptSpec
    settings: Mapping[str, Any]

    def identity(self) -> dict[str, Any]:
        """Return everything that can change the texts, for the manifest."""
        model = {"model": self.adapter.name, "revision": self.adapter.revision, "settings": dict(self.adapter.settings)}
        return {
            **model,
            "prompt": list(self.prompt.content),
            "system": self.prompt.system,
            "decoding": dict(self.settings),
        }

    def journal(self, run: Path) -> ReplyJournal:
        """Return the journal with the texts read for a Run."""
        return ReplyJournal(run / FOLDER, journal_name(self.condition))


def journal_name(condition: str) -> str:
    """Return a Condition's name as a file name."""
    return "".join(c if c.isalnum() or c in "._" else "-" for c in condition)


def reading_notes(run: RunFolder, spent: Callable[[ReplyJournal], str]) -> Iterator[str]:
    """Return a line per Condition: the model that read media, the outcomes and the cost, which is not part of any
    Unit's cost.
    """
    for name, about in run.manifest.readings.items():
        journal = ReplyJournal(run.path / FOLDER, journal_name(name))
        counts = Counter(response.status for response in journal.latest_replies().values())
        words = ", ".join(f"{n:,} {status}" for status, n in counts.most_common())
        reader = about.get("model", "an unknown model")
        yield f"{name}: media read first by {reader} ({words or 'none yet'}); {spent(journal)}"


def reading_settings(decoding: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Run's decoding settings with a higher token limit, since a limit for a letter would truncate a
    page.
    """
    max_tokens = decoding.get("max_tokens")
    return {**decoding, "max_tokens": max(MIN_TOKENS, max_tokens)} if max_tokens else dict(decoding)


def journals(run: RunFolder) -> list[ReplyJournal]:
    """Return the readings of a Run, one journal per Condition."""
    return [ReplyJournal(path.parent, path.stem) for path in sorted((run.path / FOLDER).glob("*.jsonl"))]


@dataclass
class _Files:
    """The files to read: a Part's `content_name` -> identifier of its content, and the first Request for each
    content.
    """

    root: Path | None
    names: dict[str, str] = field(default_factory=dict)
    requests: dict[str, Request] = field(default_factory=dict)

    def add(self, part: Part, item: Item, reader: Reader) -> None:
        """Add a file. An unreadable file gets a Request, too, and its Response gives the reason."""
        if part.content_name in self.names:
            return
        digest = part.sha256 or (content_hash(part, self.root) if self.root else "")
        name = "|".join(filter(None, [f"{part.kind}/{digest or part.path}", part.transform]))
        self.names[part.content_name] = name
        if name not in self.requests:
            self.requests[name] = _request(name, part, item, reader)


def _request(name: str, part: Part, item: Item, reader: Reader) -> Request:
    """Return the Request about a file. It contains only the file and its true text (for baselines), nothing else of the
    Item.
    """
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
    """Have every file that the Condition needs read, and return its Texts and the outcome; None if all had been read.

    Raises what `execute` raises. If the session ends early, the Texts are incomplete.
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
        these = replace(options, planned=len(files.requests))
        plan = files.requests.values()
        outcome = run_sync(execute(plan, reader.adapter, journal, media, these))
    responses = {response.item: response for response in journal.latest_replies().values()}
    return _texts(files.names, responses), outcome


def _undone(requests: Iterable[Request], journal: ReplyJournal, options: RunOptions) -> bool:
    done = journal.done(options.retry_statuses)
    return any((request.id, request.condition, request.repeat) not in done for request in requests)


def _texts(names: Mapping[str, str], responses: Mapping[str, Response]) -> Texts:
    texts: dict[str, str] = {}
    missing: dict[str, tuple[ResponseStatus, str]] = {}
    for content, name in names.items():
        response = responses.get(name)
        if response is not None and response.status in _READ:
            texts[content] = response.text.strip()
        elif response is not None:
            why = response.error.message if response.error else response.text[:200]
            missing[content] = response.status, f"{response.status}{why and f' ({why})'}"
    return Texts(texts, missing)
