"""Results files: which task, speech or text, unanswered rows; and that what is written can be read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from triptych.api import score
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError
from triptych.records import Response

MCGA = load_benchmark("mcga")


def read(*paths: Path) -> dict[str, str | None]:
    found = MCGA.outputs(paths)
    return {id_: r.text if r.status == "answered" else None for id_, r in found.responses.items()}


@pytest.mark.parametrize(
    ("name", "field", "task"),
    [
        ("asr.jsonl", "asr_r", "asr"),
        ("x.jsonl", "s2tt_r", "s2tt"),
        ("x.jsonl", "sec_r", "sec"),
        ("x.jsonl", "sqa_a_r", "sqa"),
        ("x.jsonl", "su_r", "su"),
        ("sr/model_audio.jsonl", "sr_r", "sr"),
        ("su/model_text.jsonl", "su_r", "lu"),
        ("s2tt/model_text.jsonl", "s2tt_r", "mt"),
        ("MCGA_qa_test.jsonl", "sqa_a_r", "qa"),
        ("lr/model.jsonl", "sr_r", "lr"),
        ("x.jsonl", "mt_r", "mt"),
        ("x.jsonl", "qa_r", "qa"),
        ("x.jsonl", "qa_a_r", "qa"),
        ("x.jsonl", "lu_r", "lu"),
        ("x.jsonl", "lr_r", "lr"),
        ("x.jsonl", "sqa_r", "sqa"),
        ("context_model.jsonl", "su_r", "su"),
    ],
)
def test_the_task_is_told_by_the_field_and_the_files_name(tmp_path: Path, name: str, field: str, task: str) -> None:
    assert read(write(tmp_path, name, ROW | {field: "B"})) == {f"mcga/{task}/upload/a/1": "B"}


def test_a_row_without_a_reply_is_unanswered_and_told(tmp_path: Path) -> None:
    rows = [ROW | {"su_r": None}, ROW | {"audio": "2.wav", "su_r": ""}, ROW | {"audio": "3.wav"}]
    path = write(tmp_path, "x.jsonl", *rows)
    assert read(path) == {"mcga/su/upload/a/1": None, "mcga/su/2": "", "mcga/su/3": None}
    assert MCGA.outputs([path]).notes == ("2 of 3 rows have no reply: they count as unanswered",)


def test_two_models_in_one_folder_are_refused_and_the_same_answers_twice_are_not(tmp_path: Path) -> None:
    one = write(tmp_path, "su/a_audio.jsonl", ROW | {"su_r": "B"})
    write(tmp_path, "su/a_audio_again.jsonl", ROW | {"su_r": "B"})
    assert read(tmp_path) == {"mcga/su/upload/a/1": "B"}
    write(tmp_path, "su/b_audio.jsonl", ROW | {"su_r": "C"})
    with pytest.raises(DataError, match="two answers"):
        read(tmp_path)
    assert read(one) == {"mcga/su/upload/a/1": "B"}


def test_what_is_no_results_file_is_refused_by_name_and_skipped_in_a_folder(tmp_path: Path) -> None:
    questions = write(tmp_path, "MCGA_su_test.jsonl", ROW)
    with pytest.raises(DataError, match="not a file of MCGA results"):
        read(questions)
    with pytest.raises(DataError, match="no results found"):
        read(tmp_path)
    write(tmp_path, "su_model.jsonl", ROW | {"su_r": "B"})
    assert len(read(tmp_path)) == 1


def test_a_run_written_as_released_is_read_as_it_was(tmp_path: Path) -> None:
    items = list(MCGA.items(MCGA.mini))
    responses = [Response(i.id, "", 0, "answered", f"{n}") for n, i in enumerate(items) if n % 5]
    written = MCGA.write_outputs(items, responses, tmp_path)
    assert {p.name for p in written} == {f"MCGA_{t.id}.jsonl" for t in MCGA.spec.tasks}
    found = MCGA.outputs([tmp_path])
    assert {i for i, r in found.responses.items() if r.status == "answered"} == {r.item for r in responses}
    for item in items:
        read_again = found.items[item.id]
        assert read_again.target == item.target
        assert read_again.option_texts() == item.option_texts()
        assert read_again.facets == item.facets


def test_partial_predictions_with_data_count_the_rest_as_missing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(data, "MCGA_su_test.jsonl", ROW, ROW | {"audio": "2.wav"})
    path = write(tmp_path, "out/su.jsonl", ROW | {"su_r": "B"})
    found = score("mcga", predictions=[path], data=data, protocols=["official"])["official"]
    (row,) = [a for a in found if not a.slice]
    assert (row.value, row.value_answered, row.counts) == (50.0, 100.0, {"scored": 1, "missing": 1})


@pytest.mark.parametrize(
    ("field", "reply", "needs"),
    [
        ("su_r", "B", ("su_a",)),
        ("sr_r", "A", ("sr_a",)),
        ("sqa_a_r", "李白", ("sqa_a",)),
        ("asr_r", "床前", ("asr",)),
        ("sec_r", "一位男性\n清冷\n床前|清冷", ("asr", "sec_1", "sec_2", "sec_3")),
        ("s2tt_r", "Moon", ("asr",)),
    ],
)
def test_a_row_is_scored_with_no_more_than_its_reply_and_what_that_is_held_against(
    tmp_path: Path, field: str, reply: str, needs: tuple[str, ...]
) -> None:
    bare = {"id": "5-2", field: reply, **{name: ROW[name] for name in needs}}
    whole = score("mcga", predictions=[write(tmp_path, "a/x.jsonl", {**ROW, field: reply})])
    mine = score("mcga", predictions=[write(tmp_path, "b/x.jsonl", bare)])

    def figures(found: Any) -> dict[Any, Any]:
        return {(p, a.task, a.metric): a.value for p, own in found.items() for a in own if not a.slice}

    assert figures(mine) == figures(whole)


def test_what_a_row_lacks_is_taken_from_the_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(data, "MCGA_su_test.jsonl", ROW)
    path = write(tmp_path, "out/su.jsonl", {"audio": ROW["audio"], "su_a": "C", "su_r": "B"})
    known = {item.id: item for item in MCGA.items(data)}
    assert MCGA.outputs([path], known).items == {}, "the question is whole in the data"
    assert set(MCGA.outputs([path]).items) <= set(known)


def test_a_letter_in_lower_case_is_the_letter(tmp_path: Path) -> None:
    """The released scorer turns both sides to upper case."""
    rows = [ROW | {"su_a": "b", "su_r": "B"}, ROW | {"audio": "2.wav", "su_a": " b ", "su_r": "c"}]
    found = score("mcga", predictions=[write(tmp_path, "x.jsonl", *rows)])
    for protocol in found:
        (figure,) = [a for a in found[protocol] if a.task == "mcga/su" and not a.slice]
        assert (figure.value, figure.n) == (50.0, 2)
    items = MCGA.items(write(tmp_path / "d", "MCGA_su_test.jsonl", ROW | {"su_a": "b"}).parent)
    assert {item.target for item in items} == {"B"}


def test_a_file_in_a_folder_without_replies_is_told(tmp_path: Path) -> None:
    write(tmp_path, "asr.jsonl", ROW | {"asr_r": "x"})
    write(tmp_path, "questions.jsonl", ROW)
    notes = MCGA.outputs([tmp_path]).notes
    assert [n for n in notes if "questions.jsonl" in n and "left out" in n] and not any("asr.jsonl" in n for n in notes)
