"""`triptych analyse`: stored Runs and released results, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.cli.main import main


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A Run of XModBench; one of CMDAR by each of two prompts; MCIF with fixed prompts and with mixed ones."""
    root = tmp_path_factory.mktemp("runs")
    triptych.run("xmodbench", "baseline/random", tasks=["linguistic"], limit=4, seed=1, out=root / "xmod")
    for prompt in ("v1", "v2"):
        triptych.run("cmdar", "baseline/random", tasks=["main"], prompt=prompt, out=root / prompt)
    for prompts in ("fixed", "mixed"):
        triptych.run(
            "mcif", "baseline/reference", tasks=["*/en/ASR"], filters={"prompts": [prompts]}, out=root / prompts
        )
    return {path.name: path for path in root.iterdir()}


def test_a_person_reads_sentences_tables_and_what_was_left_out(
    places: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("analyse", places["xmod"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "is right in every form of" in told and "beyond habit" in told
    assert told.count("An Instance is one question put to the model in several forms") == 1
    assert "Position bias" in told


def test_json_is_the_sections_and_kinds_are_chosen(places: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("analyse", places["v1"], places["v2"], "--kind", "robustness", "--json") == 0
    sections = json.loads(capsys.readouterr().out)
    assert [s["id"] for s in sections] == ["robustness", "robustness.position", "robustness.position.2"]
    worst = next(e for e in sections[0]["estimates"] if e["measure"] == "worst")
    assert worst["n"] == 24 and worst["coverage"] == 1.0 and len(worst["signatures"]) == 2
    assert call("analyse", places["xmod"], "--kind", "consistancy") == 2
    assert "did you mean 'consistency'" in capsys.readouterr().err
    assert call("analyse", places["xmod"], "--seed", "-1") == 2
    assert "0 or more" in capsys.readouterr().err


def test_forms_asked_in_runs_of_their_own_are_held_against_each_other(
    places: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("analyse", places["fixed"], places["mixed"], "--kind", "consistency", "--json") == 0
    sections = {section["id"]: section for section in json.loads(capsys.readouterr().out)}
    change = next(
        e for e in sections["consistency.prompts"]["estimates"] if e["measure"] == "difference.fixed_to_mixed"
    )
    assert change.get("value") == 0.0 and change["n"] == 12


def test_people_are_raters_by_a_file(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [json.loads(line)["id"] for line in (places["xmod"] / "items.jsonl").read_text().splitlines()]
    (tmp_path / "people.csv").write_text("item,value\n" + "".join(f"{i},{n % 2}\n" for n, i in enumerate(items)))
    assert call("analyse", places["xmod"], "--kind", "agreement", "--ratings", tmp_path / "people.csv") == 0
    told = capsys.readouterr().out
    assert "metric acc · person people: Spearman" in " ".join(told.split()) and "Krippendorff" in told


def test_nothing_to_say_is_said(places: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("analyse", places["v1"], "--kind", "agreement") == 0
    assert "no analysis applies" in capsys.readouterr().err


def test_sections_are_rows_and_words_in_a_notebook(places: dict[str, Path]) -> None:
    (section, *_) = triptych.analyse(places["xmod"], kinds=["consistency"])
    rows = section.rows()
    assert len(rows) == len(section.estimates) and {"measure", "value", "low", "high", "n"} <= rows[0].keys()
    flip = next(row for row in rows if row["measure"] == "flip")
    assert {"slice.right", "slice.wrong"} <= flip.keys()
    assert section._repr_markdown_().startswith("**Consistency by direction")
    found = triptych.compare([places["v1"], places["v2"]], labels=["one", "two"], replicates=200)
    assert "one" in found._repr_markdown_() and [run.label for run in found.runs] == ["one", "two"]
    assert triptych.analyse_errors([places["v1"]]).estimates[0].coverage == 1.0
