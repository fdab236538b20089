"""Runs that people hide, tag and note, and filter expressions over the list of Runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from triptych.errors import DataError
from triptych.records import RunManifest, RunNote
from triptych.reports.html.links import run_path
from triptych.scoring.notes.labels import label_of
from triptych.store.folder import RunFolder
from triptych.store.run_notes import MAX_TAG_LENGTH, MAX_TAGS, change_run_note, read_run_note, tags_of
from triptych.viewer.index.expressions import fields_of, is_true_of, parse_expression, unknown_field

MAX_NOTE_LENGTH = 4000
_FIELDS = (
    "run",
    "model",
    "name",
    "benchmark",
    "condition",
    "prompt",
    "sample",
    "limit",
    "seed",
    "revision",
    "created",
    "tag",
    "note",
    "hidden",
)


def run_fields(runs: Mapping[str, RunFolder]) -> list[str]:
    """Return the fields of expressions over Runs: those of every Run, and the settings that any of them has."""
    manifests = [folder.manifest for folder in runs.values()]
    settings = {name for manifest in manifests for name in (*manifest.decoding, *manifest.model_settings)}
    return [*_FIELDS, *sorted(settings - {*_FIELDS})]


def run_filter(
    where: str, runs: Mapping[str, RunFolder], notes: Mapping[str, RunNote]
) -> tuple[Callable[[str], bool], set[str], str]:
    """Return what decides about a Run by its slug, the fields in the expression, and what is wrong with it.

    With a faulty expression no Run fits.
    """
    if not where:
        return lambda slug: True, set(), ""
    fields = run_fields(runs)
    try:
        node = parse_expression(where)
        names = fields_of(node)
        for name in sorted(names - {*fields}):
            raise unknown_field(name, ", ".join(fields))
        fitting = {
            slug
            for slug, folder in runs.items()
            if is_true_of(node, _values(slug, folder.manifest, notes[slug], fields), ", ".join(fields))
        }
    except DataError as error:
        return lambda slug: False, set(), str(error)
    return fitting.__contains__, names, ""


def _values(slug: str, manifest: RunManifest, note: RunNote, fields: list[str]) -> dict[str, tuple[str, ...]]:
    settings = {**manifest.model_settings, **manifest.decoding}
    values: dict[str, tuple[str, ...]] = {
        name: (str(settings[name]),) if name in settings else () for name in fields if name not in _FIELDS
    }
    return values | {
        "run": (slug,),
        "model": (manifest.model,),
        "name": (manifest.called,),
        "benchmark": (manifest.benchmark,),
        "condition": manifest.conditions,
        "prompt": (manifest.prompt,),
        "sample": _text(manifest.sample),
        "limit": _text(manifest.limit),
        "seed": (str(manifest.seed),),
        "revision": _text(manifest.revision),
        "created": _text(manifest.created),
        "tag": note.tags,
        "note": _text(note.note),
        "hidden": ("yes" if note.hidden else "no",),
    }


def _text(value: object) -> tuple[str, ...]:
    return () if value in ("", None) else (str(value),)


def notes_page(runs: Mapping[str, RunFolder]) -> dict[str, Any]:
    """Return the form about one Run or several."""
    notes = {slug: read_run_note(folder.path) for slug, folder in runs.items()}
    return {
        "runs": [
            {"slug": slug, "href": run_path(slug), "label": label_of(folder), "note": notes[slug]}
            for slug, folder in runs.items()
        ],
        "one": next(iter(notes.values())) if len(notes) == 1 else None,
        "common": sorted(set().union(*(note.tags for note in notes.values()))),
    }


def change_notes(runs: Mapping[str, RunFolder], form: Mapping[str, str]) -> None:
    """Append to each Run's notes what the form says. Raises DataError for too many tags or a too long one, before
    anything is written.

    Of one Run, the fields are its whole note; of several, tags are added and removed, and an empty note or no choice
    about hiding leaves each Run's own.
    """
    new = {slug: _note_change(form, only=len(runs) == 1) for slug in runs}
    for slug, folder in runs.items():
        before = read_run_note(folder.path)
        tags = new[slug](before).tags
        if too_long := [tag for tag in tags if len(tag) > MAX_TAG_LENGTH and tag not in before.tags]:
            limit = f"at most {MAX_TAG_LENGTH} characters; tags are separated by commas"
            raise DataError(f"the tag {too_long[0]!r} is too long", where=slug, expected=limit)
        if len(tags) > MAX_TAGS:
            raise DataError("the Run has too many tags", where=slug, expected=f"at most {MAX_TAGS}")
    for slug, folder in runs.items():
        change_run_note(folder.path, new[slug])


def _note_change(form: Mapping[str, str], *, only: bool) -> Callable[[RunNote], RunNote]:
    by, at = form.get("by", "").strip()[:80], datetime.now(UTC).isoformat(timespec="seconds")
    written = form.get("note", "").replace("\r\n", "\n").strip()[:MAX_NOTE_LENGTH]

    def change(before: RunNote) -> RunNote:
        if only:
            return RunNote(bool(form.get("hidden")), tags_of(form.get("tags", "")), written, by, at)
        removed = set(tags_of(form.get("remove", "")))
        tags = tuple(dict.fromkeys([*(t for t in before.tags if t not in removed), *tags_of(form.get("add", ""))]))
        hidden = {"hide": True, "show": False}.get(form.get("hide", ""), before.hidden)
        return RunNote(hidden, tags, written or before.note, by, at)

    return change
