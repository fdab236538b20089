"""Tests of `interchange/vlmevalkit.py`: tables as VLMEvalKit writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import DataError
from triptych.interchange.vlmevalkit import is_results, model_and_data, read_vlmevalkit

HEAD = "index\tquestion\tA\tB\tanswer\tcategory\tprediction"


def write(folder: Path, name: str, *rows: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder / name


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "Qwen2-VL_7B"
    rows = ["3\tWhich?\tcat\tdog\tB\tanimals\tB. dog", "4\tWhere?\there\t\tA\t\tFailed to obtain answer via API."]
    path = write(folder, "Qwen2-VL_7B_MMBench_DEV_EN.tsv", HEAD, *rows)
    write(folder, "Qwen2-VL_7B_MMBench_DEV_EN_acc.csv", "split,Overall", "dev,0.5")
    return path


def test_rows_become_samples(results: Path) -> None:
    log = read_vlmevalkit(results)
    first, second = log.samples
    assert (log.model, log.task) == ("Qwen2-VL_7B", "MMBench_DEV_EN")
    assert (first.id, first.target, first.choices, first.labels) == ("3", ("B",), ("cat", "dog"), ("A", "B"))
    assert (first.reply, first.facets, first.scores) == ("B. dog", {"category": "animals"}, {})
    assert (second.status, second.reply, second.choices, second.facets) == ("failed", "", ("here",), {})
    (figure,) = log.figures
    assert (figure.metric, figure.value, figure.aggregation) == ("hit", 0.5, "mean")


def test_scored_rows_beside_it_are_read_in_their_place(results: Path) -> None:
    head = f"{HEAD}\thit\tlog"
    write(
        results.parent,
        f"{results.stem}_openai_result.tsv",
        head,
        "3\tWhich?\tcat\tdog\tB\tx\tB. dog\t1\tmatched",
        "4\tWhere?\ta\tb\tA\tx\tB\t0\t",
    )
    first, second = read_vlmevalkit(results).samples
    assert (first.scores, second.scores) == ({"hit": 1.0}, {"hit": 0.0})
    assert first.more[0][1] == "matched" and second.more == ()


def test_rotated_options_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "m", "m_MMBench.tsv", HEAD, "3\tq\ta\tb\tA\tx\tA", "1000003\tq\tb\ta\tB\tx\tA")
    assert "rotat" in " ".join(read_vlmevalkit(path).notes)


def test_which_files_are_results(results: Path, tmp_path: Path) -> None:
    assert is_results(results) and not is_results(results.parent) and not is_results(tmp_path / "none.tsv")
    assert not is_results(results.with_name(f"{results.stem}_acc.csv"))
    assert not is_results(write(tmp_path, "x.tsv", "index\tquestion", "1\tq"))
    assert [
        model_and_data(Path(f"m_D{end}.xlsx"))
        for end in ("", "_openai_result", "_exact_matching_result", "_gpt-4o_judge")
    ] == ["m_D"] * 4


def test_rows_of_another_form_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a list of rows"):
        read_vlmevalkit(write(tmp_path, "m_D.json", "{}"))
    with pytest.raises(DataError, match="no index or no prediction"):
        list(read_vlmevalkit(write(tmp_path, "m_E.json", '[{"index": 1}]')).samples)
