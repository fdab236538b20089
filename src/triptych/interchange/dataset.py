"""A Run as a dataset folder for the Hugging Face Hub: Parquet files and a card; nothing is uploaded."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from triptych.interchange.samples import Sample, ScoredRun
from triptych.records import Aggregate, signature_of
from triptych.store.files.atomic import atomic_file, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

_ROWS = 20_000  # rows of one Parquet file, which are in memory at a time


def write_dataset(run: ScoredRun, to: Path) -> list[Path]:
    """Write `data/test-NNNNN.parquet`, the manifest and the card `README.md` under `to`; return the files.

    There is one row per Item and repeat, answered or not. Media are named by path and SHA-256, not copied, since they
    are under the benchmark's licence. `facets` and `scores` are JSON, since Tasks have different ones.
    """
    written: list[Path] = []
    batch: list[dict[str, Any]] = []
    for sample in run.samples():
        batch.append(_row(sample))
        if len(batch) == _ROWS:
            written.append(_write(batch, to, len(written)))
            batch = []
    if batch or not written:
        written.append(_write(batch, to, len(written)))
    manifest = to / "manifest.json"
    write_atomically(manifest, msgspec.json.format(msgspec.json.encode(run.folder.manifest), indent=2) + b"\n")
    card = to / "README.md"
    write_atomically(card, _card(run).encode())
    return [*written, manifest, card]


def _row(sample: Sample) -> dict[str, Any]:
    item, response = sample.item, sample.response
    media = [{"kind": p.kind, "path": p.path, "sha256": p.sha256} for p in item.all_parts if p.is_media]
    return {
        "id": item.id,
        "task": item.task,
        "instance": item.instance_id,
        "repeat": sample.repeat,
        "question": sample.stem,
        "choices": sample.choices,
        "target": sample.target,
        "media": json.dumps(media, ensure_ascii=False),
        "facets": json.dumps(item.facets, ensure_ascii=False),
        "status": response.status if response else "missing",
        "reply": response.text if response else None,
        "thinking": response.thinking if response else None,
        "seconds": response.seconds if response else None,
        "scores": json.dumps({s.metric: {"status": s.status, "value": s.value} for s in sample.scores}),
    }


def _write(rows: Sequence[dict[str, Any]], to: Path, number: int) -> Path:
    import polars

    texts = ("id", "task", "instance", "question", "media", "facets", "status", "reply", "thinking", "scores")
    schema: dict[str, Any] = dict.fromkeys(texts, polars.String)
    schema |= {"repeat": polars.Int64, "seconds": polars.Float64}
    schema |= dict.fromkeys(("choices", "target"), polars.List(polars.String))
    path = to / "data" / f"test-{number:05d}.parquet"
    with atomic_file(path) as file:
        polars.DataFrame(list(rows), schema=schema).write_parquet(file)
    return path


def _card(run: ScoredRun) -> str:
    manifest, spec = run.folder.manifest, run.spec
    condition = f" under `{manifest.condition}`" if manifest.condition else ""
    signature = signature_of(run.aggregates) or "none"
    return "\n".join(
        [
            "---",
            f"pretty_name: {json.dumps(f'{spec.title}: replies of {manifest.model}', ensure_ascii=False)}",
            "license: other",
            f"language: [{', '.join(code for code in spec.languages if re.fullmatch(r'[a-z]{2,3}', code))}]",
            "tags: [evaluation, triptych]",
            "configs:",
            "- config_name: default",
            '  data_files: [{split: test, path: "data/test-*.parquet"}]',
            "---",
            "",
            f"# {spec.title}: replies of `{_escape_markdown(manifest.model)}`{condition}",
            "",
            f"The answers of `{_escape_markdown(manifest.model)}` to {spec.name} {manifest.benchmark_version} (data "
            f"`{manifest.data_sha256}`), asked {manifest.created or 'at an unknown time'}, with the scores "
            f"under protocol `{run.protocol}`. There is one row per Item and repeat, including unanswered ones: see "
            "`status`. Media are named, not included.",
            "",
            f"Licence of the questions: {spec.licence}. Source: {', '.join(spec.sources) or 'see the citation'}.",
            "",
            *_figures(run.aggregates),
            "",
            f"Values are in the unit that the benchmark's paper prints. Signature: `{_escape_markdown(signature)}`",
            "",
            "## Columns",
            "",
            *_COLUMNS,
            "",
            "## Citation",
            "",
            ". ".join(
                filter(
                    None,
                    (
                        f"{spec.citation.authors} ({spec.citation.year})" if spec.citation.authors else "",
                        spec.citation.title,
                        spec.citation.venue,
                        spec.citation.url,
                    ),
                )
            ),
            "",
        ]
    )


_COLUMNS = (
    "- `id`, `task`, `instance`, `repeat`: the Item; Items of one instance ask the same in other forms",
    "- `question`, `choices`, `target`: the stem and the options as text, media as `[audio: PATH]`; the target",
    "- `media`: JSON, kind, path and SHA-256 of each file; `facets`: JSON, properties by which figures are grouped",
    "- `status`: answered, refused, truncated, failed, skipped or missing; `reply`, `thinking`, `seconds`",
    "- `scores`: JSON, metric to status and value; the value is null if there is none; the status says why",
)


def _figures(aggregates: Iterable[Aggregate]) -> list[str]:
    lines = ["| task | metric | value | 95% interval | n | coverage |", "|---|---|---|---|---|---|"]
    for figure in aggregates:
        if figure.slice:
            continue
        value = "–" if figure.value is None else f"{figure.value:.2f}"
        between = f"{figure.interval[0]:.2f} to {figure.interval[1]:.2f}" if figure.interval else "–"
        lines.append(f"| {figure.task} | {figure.metric} | {value} | {between} | {figure.n} | {figure.coverage:.1%} |")
    return lines


def _escape_markdown(words: str) -> str:
    """Return text that can't end its code span or line."""
    return re.sub(r"[`\r\n|]", " ", words)
