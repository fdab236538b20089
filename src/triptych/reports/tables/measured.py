"""Why a Run was not measured as the figures that a paper prints: published rows are then in a table of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.benchmarks.published import Basis
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.experiment.prompts import requested_prompt
from triptych.records import Layout, RunManifest


def why_apart(
    manifest: RunManifest, spec: BenchmarkSpec, basis: Basis, layout: Layout, marks: Sequence[str]
) -> Iterator[str]:
    """Yield what a Run differs in from the published measurement: data, sample, prompt, Condition, settings.

    `marks`: the Run's restrictions (the mini set, a subset). Results made elsewhere say nothing about how the model was
    asked, and are judged by their questions alone.
    """
    yield from (mark for mark in marks if not (manifest.sample == layout.id and mark.startswith("on the sample")))
    if basis.data and manifest.data != "mini" and manifest.data_sha256 not in basis.data:
        yield f"other question files (data:{manifest.data_sha256})"
    if manifest.model.startswith("replay/"):
        return
    if manifest.data != "mini" and (other := _other_files(manifest, spec, basis, layout)):
        yield other
    facets = {name for column in layout.columns for name in column.slice}
    if manifest.conditions and "condition" not in facets:
        yield f"--condition {manifest.condition}"
    if "prompt" not in facets and (prompt := _prompt(manifest, spec)):
        yield f"prompt {prompt}"
    if manifest.as_in != spec.name:
        yield from _settings(manifest, spec)


def _other_files(manifest: RunManifest, spec: BenchmarkSpec, basis: Basis, layout: Layout) -> str:
    """Return why the question files can't be those that were measured, where no hash says so; empty if they may be."""
    if basis.data:
        return ""
    of_the_paper = layout.paper not in basis.tables
    if of_the_paper and basis.releases and manifest.benchmark_version not in basis.releases:
        return f"the question files of {manifest.benchmark_version}, which are newer than the paper's figures"
    if manifest.released:
        return ""
    where = f"`triptych fetch {spec.name}`" if spec.release.repo else "its authors"
    return (
        f"the paper doesn't state its version of the question files, and the Run's (data:{manifest.data_sha256}) are "
        f"not known to be the released ones, as {where} would give them"
    )


def _prompt(manifest: RunManifest, spec: BenchmarkSpec) -> str:
    """Return the prompt's name if it isn't the Tasks' own; empty if it is."""
    if manifest.prompt.startswith("authors@"):
        return ""
    changed = (name for name, prompt in manifest.prompts.items() if _is_other(name, prompt, spec))
    return requested_prompt(spec, manifest) or next(changed, "")


def _is_other(name: str, value: object, spec: BenchmarkSpec) -> bool:
    prompt = spec.prompts.get(name)
    return prompt is None or prompt.sent_fields() != value


def _settings(manifest: RunManifest, spec: BenchmarkSpec) -> Iterator[str]:
    decoding, usual = dict(manifest.decoding), dict(spec.decoding)
    for name in dict.fromkeys((*decoding, *usual)):
        if name != "seed" and decoding.get(name) != usual.get(name):
            yield f"{name} {decoding.get(name, 'not given')} (the benchmark's: {usual.get(name, 'not given')})"
    if manifest.system:
        yield "another system prompt"
    if packing := manifest.model_settings.get("packing"):
        yield f"--packing {packing}"
    for name in ("chat_template_kwargs", "extra"):
        if value := manifest.model_settings.get(name):
            yield f"{name} {value}"
    limits = spec.audio_seconds
    if manifest.audio_seconds not in limits.values() and (manifest.audio_seconds or limits):
        yield f"audio_seconds {manifest.audio_seconds:g}"
