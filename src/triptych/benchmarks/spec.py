"""A benchmark as data: the contents of its `spec.toml` (read by `spec_file`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from triptych.errors import SpecError, nearest
from triptych.prompts.template import PromptSpec
from triptych.records import AnswerForm, Kind, Layout
from triptych.releases.release import Release


class Citation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paper that defines the benchmark."""

    title: str
    authors: str
    year: int
    url: str = ""
    venue: str = ""  # where it was published; empty: a preprint


class TaskSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Task: its id below the benchmark (`perception/general/audio_text`), and its own settings.

    `count`: number of Items in the whole benchmark; `units`: number of Units, if several Items make one.
    """

    id: str
    answer: AnswerForm
    metrics: tuple[str, ...]
    title: str = ""
    prompts: tuple[str, ...] = ()
    modalities: tuple[Kind, ...] = ()
    count: int | None = None
    units: int | None = None
    facets: dict[str, str] = {}
    files: tuple[str, ...] = ()
    rubrics: dict[str, str] = {}  # metric -> the rubric of its judge


class Contrast(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Pairs (before, after) of a facet's values that differ by one change: audio instead of text."""

    id: str
    title: str
    pairs: tuple[tuple[str, str], ...]


class Variation(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A facet whose values are forms of one Instance, which consistency compares.

    `values`: the forms of a complete Instance; empty: all forms in a Run. `content`: a facet that describes the form by
    an Item's content, and precedes the label if an Item has it. `contrasts`: comparisons to report.
    """

    facet: str
    title: str
    values: tuple[str, ...] = ()
    content: str = ""
    contrasts: tuple[Contrast, ...] = ()


class BenchmarkSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `spec.toml`.

    `protocols` are in the order in which they are shown; the first is the headline one. `decoding` is part of every
    Request; `prompt` names the default template. `slices` are facets by which aggregates are split. `default_filters`:
    the values of a facet that a Run asks by default. `audio_seconds`: longer audio is truncated before it is sent:
    `default`, and other values for models whose names contain a word. `apart`: facets whose values the paper never
    pools (a system is asked in one modality); if a Run's figures do, the overview says so. `variations`: the facets
    that vary inside an Instance. `release`: where `triptych fetch` gets the data. `releases`: the versions of the data
    that the reader knows besides `version`. `sample_versions`: of samples whose list was replaced, so that Runs over
    the two lists have different names for it. `by_name`: last steps of Tasks that a Run asks only if they are named.
    """

    name: str
    title: str
    version: str
    summary: str
    licence: str
    citation: Citation
    languages: tuple[str, ...]
    tasks: tuple[TaskSpec, ...]
    prompts: dict[str, PromptSpec]
    prompt: str
    protocols: tuple[str, ...]
    decoding: dict[str, Any] = {}
    slices: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    samples: dict[str, str] = {}
    sample_versions: dict[str, str] = {}
    releases: tuple[str, ...] = ()
    by_name: tuple[str, ...] = ()
    default_filters: dict[str, tuple[str, ...]] = {}
    audio_seconds: dict[str, float] = {}
    variations: tuple[Variation, ...] = ()
    release: Release = Release()

    def full_id(self, task: TaskSpec) -> str:
        """Return `NAME/TASK`, the id in Items and Scores."""
        return f"{self.name}/{task.id}"

    def select(self, patterns: Iterable[str]) -> tuple[TaskSpec, ...]:
        """Return the Tasks that match any pattern, an id (`main`) or a leading path (`perception/general`); none: all.

        A pattern may begin with the benchmark's name (`cmdar/main`); `*` matches one step of the path. Raises SpecError
        with the most similar name.
        """
        wanted = [p.strip("/").removeprefix(f"{self.name}/") for p in patterns if p.strip("/")]
        if not wanted:
            return self.tasks
        chosen: set[str] = set()
        for pattern in wanted:
            hits = {t.id for t in self.tasks if _matches(pattern.split("/"), t.id.split("/"))}
            if not hits:
                prefixes = {"/".join(t.id.split("/")[:n]) for t in self.tasks for n in range(1, 9)}
                raise SpecError(f"{self.name} has no task {pattern!r}", fix=nearest(pattern, prefixes))
            chosen |= hits
        return tuple(t for t in self.tasks if t.id in chosen)

    def chosen_tasks(self, patterns: Iterable[str]) -> tuple[TaskSpec, ...]:
        """Return the Tasks that a Run asks: those that `select` returns, without Tasks of `by_name` that no pattern
        names by their last step. Raises SpecError with the most similar name."""
        wanted = list(patterns)
        named = {pattern.rstrip("/").rpartition("/")[2] for pattern in wanted}
        unnamed = [step for step in self.by_name if step not in named]
        return tuple(task for task in self.select(wanted) if task.id.rpartition("/")[2] not in unnamed)

    def sample_name(self, name: str) -> str:
        """Return a sample's name with the version of its list, if it has one: `lite@2026-06`."""
        version = self.sample_versions.get(name)
        return f"{name}@{version}" if version else name


def _matches(pattern: list[str], path: list[str]) -> bool:
    if len(pattern) > len(path):
        return False
    return all(p in ("*", step) for p, step in zip(pattern, path, strict=False))
