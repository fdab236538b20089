"""Choose the prompt of each Task: the benchmark's, one of the user's own, or the authors' own.

Only a benchmark's prompt has its name. A user's own is `own:NAME@HASH`, where the hash is of its template, so that
answers to different prompts never look alike.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from triptych.benchmarks import Benchmark
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import SpecError, nearest
from triptych.prompts.build import as_prompt, load_prompts, speaks_of_options
from triptych.prompts.template import PromptSpec
from triptych.records import RunManifest
from triptych.records.hashing import short_hash
from triptych.store.folder import read_manifest

AUTHORS = "authors:"  # --prompt authors:FILE
_USER_PROMPT = re.compile(r"own:(.+)@[0-9a-f]{8}")


def chosen_prompts(
    bench: Benchmark, tasks: Sequence[TaskSpec], prompt: str | None
) -> tuple[dict[str, PromptSpec], dict[str, str], str]:
    """Return all prompts by name, Task id -> prompt name, and the manifest's entry."""
    if prompt and prompt.startswith(AUTHORS):
        return _authors_prompts(bench, tasks, Path(prompt.removeprefix(AUTHORS)))
    prompts = dict(bench.spec.prompts)
    file, _, name = (prompt or "").partition("#")
    if prompt and prompt not in prompts and Path(file).is_file():
        file_prompts = _of_file(Path(file))
        if packed := next((candidate for candidate in file_prompts if candidate.startswith("authors@")), None):
            return _as_recorded(bench, tasks, file_prompts, packed.partition("/")[0], file)
        if name and name not in file_prompts:
            raise SpecError(f"the file contains no prompt {name!r}", where=file, fix=nearest(name, file_prompts))
        name = name or next(
            (candidate for candidate in file_prompts if _USER_PROMPT.fullmatch(candidate)), next(iter(file_prompts))
        )
        prompt = own_name(bench, name, file_prompts[name])
        prompts.setdefault(prompt, file_prompts[name])
    if prompt and prompt not in prompts:
        raise SpecError(f"no prompt {prompt!r}", expected=f"one of {', '.join(prompts)}, or a TOML file of prompts")
    chosen = {bench.spec.full_id(task): _prompt_of(bench.spec, task, prompt, prompts) for task in tasks}
    return prompts, chosen, "+".join(sorted(set(chosen.values())))


def own_name(bench: Benchmark, name: str, prompt: PromptSpec) -> str:
    """Return the name under which a prompt from a file is recorded: the benchmark's if it sends the same."""
    recorded = _USER_PROMPT.fullmatch(name)
    name = recorded[1] if recorded else name
    benchmark_prompt = bench.spec.prompts.get(name)
    same = benchmark_prompt is not None and benchmark_prompt.sent_fields() == prompt.sent_fields()
    return name if same else f"own:{name}@{short_hash(prompt.sent_fields())}"


def _of_file(path: Path) -> dict[str, PromptSpec]:
    """Return the prompts of a TOML file, or those that the manifest of a Run holds (`RUN/manifest.json`)."""
    if path.suffix != ".json":
        return load_prompts(path)
    prompts = read_manifest(path).prompts
    if not prompts:
        raise SpecError("the Run's manifest has no texts of prompts", where=path, fix="give a TOML file of prompts")
    return {name: as_prompt(name, table, path) for name, table in prompts.items()}


def _as_recorded(
    bench: Benchmark, tasks: Sequence[TaskSpec], prompts: dict[str, PromptSpec], name: str, where: str
) -> tuple[dict[str, PromptSpec], dict[str, str], str]:
    """Return the authors' prompts that a manifest holds: those of the Tasks of its Run."""
    chosen = {bench.spec.full_id(task): f"{name}/{task.id}" for task in tasks}
    if missing := sorted(set(chosen.values()) - prompts.keys()):
        raise SpecError("the manifest has no prompt for a task", where=where, got=", ".join(missing))
    return {**bench.spec.prompts, **prompts}, chosen, name


def requested_prompt(spec: BenchmarkSpec, manifest: RunManifest) -> str | None:
    """Return the name of the prompt that a Run was asked with by `--prompt`; None if each Task had its own, or if the
    names in the manifest are not those that one prompt would give.
    """
    return next(_matching_prompts(spec, manifest), None)


def _matching_prompts(spec: BenchmarkSpec, manifest: RunManifest) -> Iterator[str | None]:
    """Yield the values of `--prompt` (None: not given) that give the names in the manifest."""
    tasks = [task for task in spec.tasks if task.id in manifest.tasks]
    names, prompts = manifest.prompt.split("+"), recorded_prompts(spec, manifest)
    for requested_name in (None, *(name for name in names if name in prompts)):
        if {_prompt_of(spec, task, requested_name, prompts) for task in tasks} == set(names):
            yield requested_name


def recorded_prompts(spec: BenchmarkSpec | None, manifest: RunManifest) -> dict[str, PromptSpec]:
    """Return the prompts by name: those that the manifest holds, and the benchmark's for a Run that holds none."""
    prompts = {name: as_prompt(name, prompt, Path("manifest.json")) for name, prompt in manifest.prompts.items()}
    return {**(spec.prompts if spec else {}), **prompts}


def recorded_name(spec: BenchmarkSpec | None, manifest: RunManifest, task: str) -> str:
    """Return the name of the prompt that a Task's Items were asked with. `task`: its id."""
    task_spec = next((one for one in spec.tasks if spec.full_id(one) == task), None) if spec else None
    if spec is None or task_spec is None:
        return manifest.prompt
    if manifest.prompt.startswith("authors@"):
        return f"{manifest.prompt}/{task_spec.id}"
    for name in _matching_prompts(spec, manifest):
        return _prompt_of(spec, task_spec, name, recorded_prompts(spec, manifest))
    return manifest.prompt


def _prompt_of(spec: BenchmarkSpec, task: TaskSpec, name: str | None, prompts: Mapping[str, PromptSpec]) -> str:
    """Return the requested prompt's name, or the Task's own: a prompt about options does not fit an open question."""
    prompt_spec = task.prompts[0] if task.prompts else spec.prompt
    return prompt_spec if not name or (task.answer == "text" and speaks_of_options(prompts[name])) else name


def _authors_prompts(
    bench: Benchmark, tasks: Sequence[TaskSpec], path: Path
) -> tuple[dict[str, PromptSpec], dict[str, str], str]:
    """Return the same for the authors' own prompts, from their file; the manifest identifies the file by its
    content."""
    prompts = bench.authors_prompts(path)
    if missing := [task.id for task in tasks if task.id not in prompts]:
        raise SpecError(
            "the authors' file has no prompt for a task",
            where=path,
            got=", ".join(missing),
            fix=f"choose tasks that it has: {', '.join(prompts)}",
        )
    name = f"authors@{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"
    chosen = {bench.spec.full_id(task): f"{name}/{task.id}" for task in tasks}
    return {**bench.spec.prompts, **{f"{name}/{task}": prompt for task, prompt in prompts.items()}}, chosen, name
