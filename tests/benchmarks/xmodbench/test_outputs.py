"""Results in the authors' format: small hand-made files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.benchmarks.xmodbench.conftest import row, write_results, write_rows
from tests.benchmarks.xmodbench.replay import SYSTEMS, agrees, figures, read_system, table_cells
from tests.benchmarks.xmodbench.test_protocols import TRANSCRIPT, scores
from tests.benchmarks.xmodbench.test_xmodbench_released_results import GOLDEN
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.outputs import EXTRACTED
from triptych.errors import DataError
from triptych.protocols.protocol import Outputs
from triptych.records import Item

AT = "perception/general/audio_text"
FILE = "perception_general_audio_text.json"


def answer(response: Any, key: str = "B", question: str = "Which? (audio_text)", **more: Any) -> dict[str, Any]:
    return {"question": question, "response": response, "correct_answer": key, "is_correct": response == key, **more}


def read(bench: Benchmark, folder: Path, data: Path | None = None) -> Outputs:
    items = {i.id: i for i in bench.items(data)} if data else None
    return bench.outputs([folder], items)


def test_a_file_becomes_responses_and_items(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B"), "7": answer("c", reasoning="It barks.")}, score=50.0, all_count=2)
    outputs = read(bench, tmp_path)
    assert {k: (r.status, r.text, r.thinking) for k, r in outputs.responses.items()} == {
        f"{AT}/0": ("answered", "B", None),
        f"{AT}/7": ("answered", "c", "It barks."),
    }
    item = outputs.items[f"{AT}/7"]
    assert (item.task, item.target, item.instance) == (f"xmodbench/{AT}", "B", "perception/general/7")
    assert item.parts[0].text == "Which? (audio_text)"
    assert outputs.stored is not None
    assert outputs.stored[f"xmodbench/{AT}"]["score"] == 50.0


def test_no_reply_is_a_failure_and_an_empty_one_an_answer(bench: Benchmark, tmp_path: Path) -> None:
    """The runner stores both as null; only the empty one is in `all_count`."""
    write_results(tmp_path / "a", FILE, {"0": answer("B"), "1": answer(None)}, all_count=1, score=100.0)
    write_results(tmp_path / "b", FILE, {"0": answer("B"), "1": answer(None)}, all_count=2, score=50.0)
    lost, empty = (read(bench, tmp_path / name).responses[f"{AT}/1"] for name in "ab")
    assert (lost.status, lost.error is not None) == ("failed", True)
    assert (empty.status, empty.text) == ("answered", "")


def test_what_is_no_text_is_kept_as_text(bench: Benchmark, tmp_path: Path) -> None:
    rows = {
        "0": answer(3),
        "1": answer(["B"]),
        "2": answer({"answer": "B"}),
        "x": answer("B"),
        "1_0": answer("B"),
        "3": "B",
        "4": None,
    }
    write_results(tmp_path, FILE, rows)
    outputs = read(bench, tmp_path)
    assert [r.text for r in outputs.responses.values()] == ["3", '["B"]', '{"answer":"B"}']
    assert any("4 rows are malformed" in note for note in outputs.notes)


def test_a_key_that_is_not_there_is_taken_from_the_data(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": {"response": "B"}})
    assert read(bench, tmp_path / "out").items[f"{AT}/0"].target is None
    assert read(bench, tmp_path / "out", tmp_path / "data").items[f"{AT}/0"].target == "B"


def test_the_datas_item_is_used_where_key_and_question_agree(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B")})
    item = read(bench, tmp_path / "out", tmp_path / "data").items[f"{AT}/0"]
    assert item.parts[1].path == "Data/dog.wav"
    assert "questions" not in item.facets


@pytest.mark.parametrize("changed", [answer("B", key="C"), answer("B", question="Other?")])
def test_another_version_of_the_questions_is_scored_by_its_own_keys(
    bench: Benchmark, tmp_path: Path, changed: dict[str, Any]
) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text"), row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B"), "1": changed})
    outputs = read(bench, tmp_path / "out", tmp_path / "data")
    assert outputs.items[f"{AT}/1"].target == changed["correct_answer"]
    assert {i.facets["questions"] for i in outputs.items.values()} == {"other version"}  # both: positions prove nothing
    assert any(note.startswith("1 questions are of another version") for note in outputs.notes)


def test_rows_of_a_longer_list_than_the_data_are_another_version(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B"), "5": answer("B")})
    assert len(read(bench, tmp_path / "out", tmp_path / "data").items) == 2


def test_contradicting_keys_are_not_paired(bench: Benchmark, tmp_path: Path) -> None:
    for direction, key in (("audio_text", "B"), ("audio_vision", "B"), ("text_audio", "C")):
        write_results(tmp_path, f"perception_general_{direction}.json", {"0": answer("B", key=key)})
    outputs = read(bench, tmp_path)
    assert outputs.items["perception/general/audio_vision/0"].instance == "perception/general/0"
    assert outputs.items["perception/general/text_audio/0"].instance == ""
    assert any("text_audio" in n and "not paired" in n for n in outputs.notes)


def test_emotion_lies_among_external_and_is_linguistic(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, "external_emotion_classification_text_vision.json", {"0": answer("B")})
    (item,) = read(bench, tmp_path).items.values()
    assert item.task == "xmodbench/linguistic/emotion_classification/text_vision"


def test_missing_files_and_wrong_stored_scores_are_told(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B"), "1": answer("C")}, score=80.0, all_count=2)
    notes = read(bench, tmp_path).notes
    (note,) = (note for note in notes if "101 of the six directions' 102 result files are missing" in note)
    assert note.endswith(", and 81 more")
    assert any("stored score 80.00 does not follow" in note for note in notes)


def test_a_folder_of_several_systems_is_refused(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path / "one", FILE, {"0": answer("B")})
    assert len(read(bench, tmp_path).responses) == 1
    write_results(tmp_path / "two", FILE, {"0": answer("B")})
    with pytest.raises(DataError, match="one, two"):
        read(bench, tmp_path)


def test_results_of_a_part_of_instruments_pair_past_the_missing_row(bench: Benchmark, tmp_path: Path) -> None:
    keys = {n: "ABCD"[n % 4] for n in range(300, 320)}
    full = {str(n): answer("A", key) for n, key in keys.items()}
    short = {str(n - (n > 308)): answer("A", key) for n, key in keys.items() if n != 308}
    write_results(tmp_path, "perception_instruments_vision_text.json", full)
    write_results(tmp_path, "perception_instruments_audio_text.json", short)
    outputs = read(bench, tmp_path)
    assert not [note for note in outputs.notes if "contradict" in note]
    assert outputs.items["perception/instruments/audio_text/310"].instance == "perception/instruments/311"


def test_files_with_a_suffix_are_read_and_named(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, "perception_general_audio_text_pandagpt.json", {"0": answer("B")})
    write_results(tmp_path, "perception_instruments_comp_vision_text_reason.json", {"0": answer("B")})
    outputs = read(bench, tmp_path)
    assert {item.task.partition("/")[2] for item in outputs.items.values()} == {
        AT,
        "perception/instruments_comp/vision_text",
    }
    (note,) = (n for n in outputs.notes if "with a suffix" in n)
    assert note.startswith("2 files") and "perception_general_audio_text_pandagpt" in note
    (note,) = (n for n in outputs.notes if "result files are missing" in n)
    assert note.startswith("100 of the six directions' 102") and "perception_general_audio_text," not in note


@pytest.mark.parametrize("protocol", ["official", "paper", "standard"])
def test_results_of_another_prompt_enter_no_average(bench: Benchmark, tmp_path: Path, protocol: str) -> None:
    write_results(tmp_path, FILE, {"0": answer("B", key="B"), "1": answer("B", key="A")})
    write_results(tmp_path, "perception_instruments_comp_audio_text_reason.json", {"0": answer("B", key="B")})
    scores = triptych.score("xmodbench", predictions=[tmp_path])
    apart = [a for a in scores[protocol] if a.slice.get("variant")]
    told = [(a.task, a.slice, a.value) for a in apart]
    assert told == [("xmodbench/perception/instruments_comp/audio_text", {"variant": "reason"}, 100.0)]
    others = [a for a in scores[protocol] if a not in apart]
    assert {a.value for a in others if a.metric == "acc" and a.value is not None} == {50.0}
    assert not any("instruments_comp" in task for a in others for task in (a.task, *a.tasks))
    assert any("1 files end in `_reason`" in note for note in scores.notes)  # type: ignore[attr-defined]


def test_two_files_of_one_task_are_refused_whatever_their_suffix(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B")})
    write_results(tmp_path, "perception_general_audio_text_reason.json", {"0": answer("B")})
    with pytest.raises(DataError, match="two result files for one task"):
        read(bench, tmp_path)


def test_a_file_under_a_name_of_its_own_is_known_by_its_content(bench: Benchmark, tmp_path: Path) -> None:
    file = {"task_name": "perception/general_audio_text", "results": {"0": answer("B")}}
    (tmp_path / "mine.json").write_text(json.dumps(file), encoding="utf-8")
    assert list(read(bench, tmp_path / "mine.json").responses) == [f"{AT}/0"]


def test_json_files_that_are_not_read_are_named(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B")})
    for name in ("acr_acr_audio_vision.json", "perception_general_audio_text_vision.json"):
        (tmp_path / name).write_text(json.dumps({"task_name": "acr/acr_audio_vision", "results": {}}), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (note,) = (n for n in read(bench, tmp_path).notes if "are not read" in n)
    assert note.startswith("3 JSON files") and "broken.json" in note and "acr_acr_audio_vision.json" in note


@pytest.mark.parametrize("spelt", ["audio_vision_text", "audiovision_text"])
def test_audio_with_vision_to_text_is_read_by_either_name(bench: Benchmark, tmp_path: Path, spelt: str) -> None:
    for subtask in ("general", "instruments"):
        write_results(tmp_path, f"perception_{subtask}_{spelt}.json", {"0": answer("B")})
    write_results(tmp_path, f"spatial_panaroma_{spelt}.json", {"0": answer("B")})  # crashed: KeyError
    items = read(bench, tmp_path).items.values()
    assert {item.facets["direction"] for item in items} == {"audiovision_text"}
    assert {item.instance for item in items} == {
        "perception/general/0",
        "perception/instruments/0",
        "spatial/panaroma/audiovision_text/0",
    }


def session(*asked: tuple[str, int, str, str], **more: Any) -> dict[str, Any]:
    """A session as the survey page stores it: (question file, position, reply, reference letter) each."""
    questions = [
        {
            "question_number": n,
            "question_text": "Which?",
            "user_answer": said,
            "correct_answer": key,
            "source_file": f"/home/x/AudioBench/benchmark/tasks/{file}.json",
            "question_type": Path(file).name,
            "question_id": f"{Path(file).name}_{at}",
            "is_correct": said == key,
        }
        for n, (file, at, said, key) in enumerate(asked)
    ]
    return {"session_id": "ab12", "task": "01_perception", "subtask": "general", "questions": questions, **more}


GENERAL = "01_perception/general_activities/general_activities_questions_audio_text"
ORDER = "04_temporal/order/vggss_order_audio_bench_questions_vision_audio"


def test_sessions_of_people_are_one_system(bench: Benchmark, tmp_path: Path) -> None:
    one, two = session((GENERAL, 90, "A", "A"), (ORDER, 3, "B", "C")), session((GENERAL, 7, "D", "A"))
    for name, content in (("P1_session_ab12_01_perception.json", one), ("P2_session_cd34.json", two)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    outputs = read(bench, tmp_path)
    assert {k: r.text for k, r in outputs.responses.items()} == {
        f"{AT}/90": "A",
        "temporal/order/vision_audio/3": "B",
        f"{AT}/7": "D",
    }
    assert {i.target for i in outputs.items.values()} == {"A", "C"}
    assert any(n == "2 sessions of people: 3 answers to questions of 2 Tasks" for n in outputs.notes)
    assert not any("result files are missing" in n for n in outputs.notes)


@pytest.mark.parametrize("reply", ["**B**", "The answer is B.", TRANSCRIPT])
def test_a_stored_reply_was_extracted_already(reply: str) -> None:
    """Released results hold what the authors' extraction left: what is no letter there was counted as wrong."""
    found = scores(reply, finish=EXTRACTED)
    assert found["official"].numerator == found["paper"].numerator == 0
    assert found["standard"].numerator == 1


@pytest.mark.parametrize("protocol", ["official", "paper"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_papers_cells(bench: Benchmark, released_results: Path, system: str, protocol: str) -> None:
    found = table_cells(bench, figures(read_system(bench, released_results, system), bench.protocol(protocol)))
    for golden in (r for r in GOLDEN if r["system"] == system and r["table"] != "T4"):
        table = "T12" if golden["table"] == "T3" else golden["table"]
        value, digits = found.get((table, golden["column"]), (None, 0))
        assert ("" if value is None else f"{value:.3f}") == golden["recomputed"], golden
        follows = value is not None and agrees(value, float(golden["published"]), digits)
        assert follows == (not golden["reason"]), golden


def test_what_the_items_say_about_themselves(
    bench: Benchmark, released_items: dict[str, Item], released_results: Path
) -> None:
    """With the question files at hand: which results are of another version, and which can't be paired."""
    gemini, qwen = (bench.outputs([released_results / system], released_items) for system in SYSTEMS)
    other = Counter(i.task.split("/")[2] for i in gemini.items.values() if i.facets.get("questions"))
    assert other == {"natures": 3000, "3D_movements": 3060, "count": 3000}
    other = Counter(i.task.split("/", 2)[2] for i in qwen.items.values() if i.facets.get("questions"))
    assert other == {
        "natures/audio_vision": 500,
        "3D_movements/vision_text": 441,
        "count/audio_text": 500,
        "count/text_audio": 500,
    }
    (unpaired,) = [n for n in qwen.notes if "not paired" in n]
    assert unpaired.endswith("them: perception_natures_audio_vision, spatial_3D_movements_vision_text")
    statuses = Counter(r.status for r in gemini.responses.values())
    assert statuses == {"answered": 85_392, "failed": 356}
    assert any(n.startswith("14 of the six directions' 102 result files are missing") for n in qwen.notes)


def test_everything_is_loaded_and_tabled(
    bench: Benchmark, released_items: dict[str, Item], released_results: Path
) -> None:
    for system in SYSTEMS:
        outputs = bench.outputs([released_results / system], released_items)
        assert outputs.responses.keys() <= outputs.items.keys() and len(outputs.items) > 50_000
        tabled = table_cells(bench, figures(outputs, bench.protocol("official")))
        published = {(r["table"], r["column"]) for r in GOLDEN if r["system"] == system and r["recomputed"]}
        assert published <= {("T3" if table == "T12" else table, column) for table, column in tabled} | tabled.keys()
