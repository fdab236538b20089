"""Table 8 on data in which some pictures have neither a T1 nor a T3 row."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from triptych.api import load_benchmark
from triptych.api.presets import run_preset
from triptych.cli.main import main
from triptych.experiment.arms import NamedModel
from triptych.records import Item
from triptych.store.folder import RunFolder

REFERENCE = NamedModel("baseline/reference", {})


def with_gaps(folder: Path) -> tuple[Path, str]:
    """Copy the mini set without the T1 and T3 rows of one picture of T2; return the folder and the picture's path."""
    data = folder / "data"
    shutil.copytree(load_benchmark("mcs_bench").mini, data)
    path = data / "MCS-Bench.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    gone = next(row["Image"] for row in rows if row["Task_ID"] == 2)
    kept = [row for row in rows if not (row["Task_ID"] in (1, 3) and row["Image"] == gone)]
    path.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    return data, gone


def pictures(run: Path) -> set[str]:
    return {part.path for item in RunFolder.open(run).items() for part in picture(item)}


def picture(item: Item) -> list:  # type: ignore[type-arg]
    return [part for part in item.parts if part.kind == "image"]


def test_a_table_of_texts_brings_them_back(tmp_path: Path) -> None:
    data, gone = with_gaps(tmp_path)
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({gone: "學而時習之"}, ensure_ascii=False), encoding="utf-8")
    done = run_preset("mcs_bench", "ocr", REFERENCE, data=data, out=tmp_path / "runs", texts=texts)
    assert not any(result.problems for _, result in done.arms)
    asked = {item.id: item for item in RunFolder.open(tmp_path / "runs" / "setting-3").items()}
    given = [item for item in asked.values() if gone in {part.path for part in picture(item)}]
    assert given and all("學而時習之" in "".join(part.text for part in item.parts) for item in given)


@pytest.mark.parametrize(("name", "column"), [("KanDianGuJi", 1), ("kandianguji", 1), ("PaddleOCR", 2)])
def test_table_8_with_texts_of_an_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, column: int
) -> None:
    data, _ = with_gaps(tmp_path)
    read = tmp_path / f"{name}.json"
    rows = json.loads((data / "MCS-Bench.json").read_text(encoding="utf-8"))
    read.write_text(json.dumps({row["Image"]: "學而" for row in rows}), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(
            [
                "run",
                "mcs_bench",
                "--preset",
                "ocr-llm",
                "--model",
                "baseline/random",
                "--base-model",
                "baseline/reference",
                "--data",
                str(data),
                "--out",
                str(tmp_path / "runs"),
                "--reader",
                str(read),
                "--texts",
                str(read),
            ]
        )
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    (row,) = [line for line in shown.splitlines() if line.startswith("baseline/reference  ")]
    figures = [word for word in row.split() if word in ("100.00", "–")]
    assert [figures[n] for n in (0, column, 3 - column)] == ["100.00", "100.00", "–"], "GT, KanDianGuJi, PaddleOCR"
    engine = RunFolder.open(tmp_path / "runs" / "engine").manifest.conditions
    assert engine[0].startswith(f"ocr:name={name}@") and engine[1] == "blind"
