"""The real outputs and the paper: WER as published, and what follows from the published tables."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path

import pytest

import triptych
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcif.protocols import translation_lines
from triptych.scoring.stored.units import group_units

MCIF = load_benchmark("mcif")
PHI = "audio_short_en_fixed_phi_multimodal_output.xml"
PHI_GERMAN = "audio_short_de_random_phi_multimodal_output.xml"


@pytest.fixture
def real(shared_data: Path) -> Path:
    if not (shared_data / "mcif").is_dir():
        pytest.skip("MCIF's real outputs (../shared/data/mcif) are not here")
    return shared_data / "mcif"


def test_phi4_has_the_published_wer_of_6_8(real: Path) -> None:
    reference = real / "MCIFrecon.short.en.ref.xml"
    scored = triptych.score("mcif", predictions=[real / PHI], reference=reference)
    for protocol in ("official", "standard"):
        (wer,) = [a for a in scored[protocol] if a.task == "mcif/short/en/ASR" and a.slice == {}]
        assert wer.value is not None
        assert round(wer.value, 1) == 6.8
        assert (wer.n, wer.counts) == (21, {"scored": 21})
    fixed = [a for a in scored["official"] if a.slice == {"track": "short", "kind": "ASR", "prompts": "fixed"}]
    assert [a.task for a in fixed] == ["mcif"]
    assert fixed[0].value == wer.value


def test_it_is_what_jiwer_computes_from_the_same_normaliser(real: Path) -> None:
    jiwer = pytest.importorskip("jiwer")
    oracle = pytest.importorskip("whisper_normalizer.english").EnglishTextNormalizer()
    items = {i.id: i for i in MCIF.items(real / "MCIFrecon.short.en.ref.xml")}
    outputs = MCIF.outputs([real / PHI], items)
    units = list(group_units(outputs.items.values(), outputs.responses.values()))
    assert len(units) == 21
    assert sum(len(unit.items) for unit in units) == 670
    expected = jiwer.wer(
        [oracle(str(unit.item.target)) for unit in units],
        [" ".join(oracle(r.text) for r in unit.responses if r) for unit in units],
    )
    scored = triptych.score("mcif", predictions=[real / PHI], reference=real / "MCIFrecon.short.en.ref.xml")
    assert scored["official"][0].value == pytest.approx(100 * expected, abs=1e-9)


def test_german_talks_are_cut_into_their_lines(real: Path) -> None:
    items = {i.id: i for i in MCIF.items(real / "MCIFrecon.short.de.ref.xml")}
    outputs = MCIF.outputs([real / PHI_GERMAN], items)
    units = list(group_units(outputs.items.values(), outputs.responses.values()))
    lines = [line for unit in units for line in translation_lines(unit)]
    assert len(lines) == sum(len(str(unit.item.target).split("\n")) for unit in units) > 500
    assert sum(line.source != "" for line in lines) == len(lines)
    said = [word for unit in units for r in unit.responses if r for word in r.text.split()]
    assert [word for line in lines for word in line.hypothesis.split()] == said


def test_a_long_chinese_output_reads_and_wants_its_reference(real: Path) -> None:
    from triptych.errors import DataError

    with pytest.raises(DataError, match="no reference for long/zh"):
        triptych.score("mcif", predictions=[real / "audio_long_zh_fixed_qwen2audio_output.xml"], reference=real)


def published() -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for path in (MCIF.folder / "published").glob("tables.csv"):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found[row["table"]][row["model"]][row["column"]] = float(row["value"])
    return found


def test_the_published_cells_stand_in_the_paper(shared_data: Path) -> None:
    papers = list((shared_data.parent / "papers").glob("003_*.txt"))
    if not papers:
        pytest.skip("the paper's text is not here")
    text = papers[0].read_text(encoding="utf-8")
    tables = published()
    assert {name: len(rows) for name, rows in tables.items()} == {"overall": 23, "main_fix": 23, "main_mix": 23}
    body = text[text.index("[tab:overall] reports") : text.index("The description for each task is provided")]
    for model, cells in tables["overall"].items():
        rows = re.findall(rf"^& & {re.escape(model)} & (.*)$", body, re.M)
        assert sorted(cells.values()) == sorted(float(v) for row in rows for v in re.findall(r"-?\d+\.\d", row)), model
    parts = text[text.index("[tab:main95fix]") :].split("c|c|c|c|ccc|cccc|cccc")[1:]
    for name, part in zip(("main_fix", "main_mix"), parts, strict=True):
        part = part.partition("The benchmark is released")[0].replace("\n&\n", "\n").replace(" &\n1", " & 1")
        for model, cells in tables[name].items():
            rows = re.findall(rf"^& {re.escape(model)} & & (.*)$", part, re.M)
            assert list(cells.values()) == [float(v) for row in rows for v in re.findall(r"-?\d+\.\d", row)], (
                name,
                model,
            )


def test_overall_is_the_mean_over_languages_but_for_ten_cells() -> None:
    tables = published()
    odd = []
    for model, cells in tables["overall"].items():
        for column, value in cells.items():
            prompts, track, task = column.split("|")
            own = [v for k, v in tables[f"main_{prompts}"][model].items() if k.startswith(f"{track}|{task}|")]
            if abs(sum(own) / len(own) - value) > 0.1001:
                odd.append((model, column))
    assert sorted(odd) == [
        ("DeSTA2", "fix|long|SUM"),
        ("GraniteSpeech", "fix|long|SUM"),
        ("Ola", "mix|long|QA"),
        ("Ola", "mix|long|REC"),
        ("Ola", "mix|long|SUM"),
        ("Ola", "mix|long|TRANS"),
        ("Phi4-Multimodal", "fix|long|SUM"),
        ("Qwen2-Audio", "fix|long|SUM"),
        ("Qwen2.5-Omni", "fix|long|SUM"),
        ("Qwen2.5-Omni", "fix|long|TRANS"),
    ]


def test_every_published_cell_has_its_place_in_a_table() -> None:
    shown = {(layout.paper, column.published) for layout in MCIF.spec.layouts for column in layout.columns}
    cells = {(table, column) for table, rows in published().items() for row in rows.values() for column in row}
    assert cells <= shown
