"""Data with planted faults: guessable keys, doubles, leaks, banned words, media that can't be heard."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from triptych import audit_data
from triptych.audit.data.questions import check_questions
from triptych.audit.data.recordings import census_of, check_recordings, media_uses
from triptych.audit.tables.rules import DataRules
from triptych.records import Finding, Item, media, text


def choice(number: int, options: Sequence[str], key: int | Sequence[int], **more: object) -> Item:
    target = options[key] if isinstance(key, int) else tuple(options[k] for k in key)
    return Item(
        f"toy/a/{number}",
        "toy/a",
        (text(f"question {number}", "question"),),
        tuple((text(o),) for o in options),
        answer="option" if isinstance(key, int) else "options",
        target=target,
        **more,  # type: ignore[arg-type]
    )


def even(count: int = 400, seed: int = 0) -> list[Item]:
    rng = random.Random(seed)
    return [choice(n, [f"{k}{'x' * rng.randint(1, 9)}" for k in range(4)], rng.randrange(4)) for n in range(count)]


def questions(items: Sequence[Item], **rules: object) -> list[Finding]:
    return list(check_questions("toy", "toy/a", items, "f", DataRules(**rules)))  # type: ignore[arg-type]


def heard(folder: Path, names: Sequence[str], **rules: float) -> dict[str, Finding]:
    kinds = {".png": "image", ".jpg": "image", ".mp4": "video"}
    items = [Item(f"i{n}", "t", (media(kinds.get(Path(name).suffix, "audio"), name),)) for n, name in enumerate(names)]  # type: ignore[arg-type]
    uses = media_uses(items)
    census = census_of(uses, folder, DataRules(**rules))  # type: ignore[arg-type]
    found = check_recordings("toy", uses, folder, census)
    return {f"{f.kind} {f.columns[0]}": f for f in found}


@pytest.mark.parametrize("name", ["cmdar", "mcga", "mcif", "mcs_bench", "xmodbench"])
def test_the_mini_sets_hold_nothing_severe(name: str) -> None:
    assert [f.message for f in audit_data(name) if f.severity == "severe"] == []


def test_the_released_cmdar_questions(shared_data: Path) -> None:
    found = {(f.kind, f.columns[0] if f.columns else ""): f for f in audit_data("cmdar", shared_data / "cmdar")}
    assert found["skew", "always the longest option"].recomputed == 66.53
    assert found["skew", "always option 2"].recomputed == 45.8
    assert found["skew", "always the 3 longest options"].recomputed == 48.73
    constant = found["skew", "always options 1, 2, 3"]
    assert (constant.recomputed, constant.published, constant.severity) == (58.91, 51.82, "severe")
    assert any(f.kind == "balance" and "TR" in f.rows for f in found.values())
    assert any(f.kind == "target" and "1280" in f.message for f in found.values())
    assert {"word", "count", "missing"} <= {kind for kind, _ in found}


def test_shifts_and_disjoint_sets_of_the_released_xmodbench_questions(shared_data: Path) -> None:
    found = audit_data("xmodbench/perception/instruments", shared_data / "xmodbench")
    (shift,) = [f for f in found if f.kind == "pairing" and f.severity == "severe"]
    assert shift.columns == ("audio_text",)
    assert shift.rows[0] in ("instruments/audio_text/307", "instruments/audio_text/308")
    found = audit_data("xmodbench/temporal/order", shared_data / "xmodbench")
    swapped = {r for f in found if f.severity == "severe" and "direction differs" in f.message for r in f.rows}
    assert swapped == {"xmodbench/temporal/order/audio_text", "xmodbench/temporal/order/text_audio"}
    found = audit_data("xmodbench/temporal/count", shared_data / "xmodbench")
    (short,) = [
        f
        for f in found
        if f.kind == "skew" and f.rows == ("xmodbench/temporal/count/audio_text",) and f.columns != ("not content",)
    ]
    assert (short.recomputed, short.published, short.severity) == (60.4, 57.36, "severe")
    found = audit_data("xmodbench/spatial/panaroma", shared_data / "xmodbench")
    assert any("different sets" in f.message for f in found if f.severity == "severe")


def test_a_benchmarks_rules_are_read_from_its_folder(tmp_path: Path) -> None:
    rows = [
        {
            "id": n,
            "audio_path": f"{n}.wav",
            "question": f"q{n}",
            "chosens": ["甲", "乙乙", "丙", "丁"],
            "answer": "乙乙",
        }
        | {"category": "时间推理任务"}
        for n in range(60)
    ]
    (tmp_path / "MDAR-main.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    found = audit_data("cmdar/main", tmp_path)
    assert any(f.kind == "skew" and f.recomputed == 100.0 for f in found)
    assert any(f.kind == "count" and f.published == 1500 and f.recomputed == 60 for f in found)
