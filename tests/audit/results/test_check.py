"""Runs and released results with planted faults; and the statistics of agreement against simulation."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

import triptych
from triptych import audit_run
from triptych.errors import DataError, SpecError
from triptych.records import Finding, Response
from triptych.store.journals.journal import Journal, JournalWriter

Reply = Callable[[int, str, random.Random], str | None]
LETTERS = "ABCD"


def results(
    folder: Path,
    reply: Reply,
    count: int = 200,
    name: str = "perception_general_audio_text",
    seed: int = 0,
    **stored: float,
) -> Path:
    """A results file as XModBench's runner writes it; `reply` sees position, key, and random numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    keys, rng = random.Random(99), random.Random(seed)
    rows = {}
    for index in range(count):
        key = keys.choice(LETTERS)
        rows[str(index)] = {"question": f"q{index}", "response": reply(index, key, rng), "correct_answer": key}
    answered = [r for r in rows.values() if r["response"] is not None]
    right = sum(str(r["response"]).strip() == r["correct_answer"] for r in answered)
    score = 100 * right / len(answered) if answered else 0.0
    file = {"score": score, "correct_count": right, "all_count": len(answered), "results": rows} | stored
    (folder / f"{name}.json").write_text(json.dumps(file), encoding="utf-8")
    return folder


def often(index: int, key: str, rng: random.Random) -> str:
    return key if rng.random() < 0.6 else rng.choice(LETTERS)


def kinds(found: list[Finding]) -> set[str]:
    return {f.kind for f in found if f.kind not in ("coverage", "missing", "family", "lost")}


def test_sound_results_are_no_finding(tmp_path: Path) -> None:
    assert kinds(audit_run([results(tmp_path / "a", often)], benchmark="xmodbench")) == set()


def test_a_stored_score_that_does_not_follow(tmp_path: Path) -> None:
    (found,) = [
        f for f in audit_run([results(tmp_path / "a", often, score=93.0)], benchmark="xmodbench") if f.kind == "score"
    ]
    assert (found.severity, found.published) == ("severe", 93.0) and 50 < float(str(found.recomputed)) < 85


def several(folder: Path, reply: Callable[[int], str]) -> Path:
    """CMDAR's questions with several answers; the first three options are right in two of three."""
    folder.mkdir()
    options = ["one", "two", "three", "four"]
    rows = [
        {
            "id": f"{n:04}",
            "audio_path_1": "a.wav",
            "audio_path_2": "b.wav",
            "question": f"q{n}",
            "chosens": options,
            "answer": options[:3] if n % 3 else options[1:],
            "category": "c",
            "model_output": reply(n),
        }
        for n in range(60)
    ]
    path = folder / "multi.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def repeat_of(first: dict[int, str], share: float) -> Reply:
    """The answers of `first`, but for some of them."""
    return lambda index, key, rng: first[index] if rng.random() < share else rng.choice(LETTERS)


def test_a_repeat_under_another_name_is_suspected_and_a_second_model_is_not(tmp_path: Path) -> None:
    said: dict[int, str] = {}

    def first(index: int, key: str, rng: random.Random) -> str:
        said[index] = often(index, key, rng)
        return said[index]

    one = results(tmp_path / "model-a", first, 1000, seed=1)
    two = results(tmp_path / "model-b", often, 1000, seed=2)
    three = results(tmp_path / "model-c", repeat_of(said, 0.97), 1000, seed=3)
    found = [f for f in audit_run([one, two, three], benchmark="xmodbench") if f.kind == "mislabelled"]
    assert [f.rows for f in found] == [("model-a", "model-c")] and found[0].severity == "severe"
    known = audit_run([one, two, three], benchmark="xmodbench", repeats=[("model-a", "model-c")])
    assert not [f for f in known if f.kind == "mislabelled"]


def test_against_known_repeats(tmp_path: Path) -> None:
    """Repeats at a temperature agree less; a pair that agrees as much as they do is suspected all the same."""
    said: dict[int, str] = {}

    def first(index: int, key: str, rng: random.Random) -> str:
        said[index] = often(index, key, rng)
        return said[index]

    folders = [results(tmp_path / "a", first, 1500, seed=1)]
    folders += [results(tmp_path / n, repeat_of(said, 0.55), 1500, seed=k) for k, n in enumerate(("a2", "b"), 2)]
    folders.append(results(tmp_path / "c", often, 1500, seed=9))

    def pairs(repeats: Sequence[tuple[str, str]] = ()) -> set[tuple[str, ...]]:
        found = audit_run(folders, benchmark="xmodbench", repeats=repeats)
        return {f.rows for f in found if f.kind == "mislabelled"}

    assert ("a", "b") not in pairs()
    told = pairs(repeats=[("a", "a2")])
    assert ("a", "b") in told and not any("c" in pair for pair in told)
    with pytest.raises(SpecError, match="nobody"):
        audit_run(folders, benchmark="xmodbench", repeats=[("a", "nobody")])


def test_one_file_under_two_names(tmp_path: Path) -> None:
    folder = results(tmp_path / "a", often, 400, "linguistic_x", seed=4)
    (folder / "linguistic_x.json").rename(folder / "speech_recognition_text_audio.json")
    content = (folder / "speech_recognition_text_audio.json").read_bytes()
    (folder / "speech_recognition_vision_audio.json").write_bytes(content)
    (found,) = [f for f in audit_run([folder], benchmark="xmodbench") if f.kind == "copy"]
    assert {task.rpartition("/")[2] for task in found.rows} == {"text_audio", "vision_audio"}


def test_runs_on_two_versions_of_the_data(tmp_path: Path) -> None:
    for name in ("one", "two"):
        triptych.run("cmdar/main", "baseline/random", seed=0, out=tmp_path / name)
    path = tmp_path / "two" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(manifest | {"data_sha256": "0" * 64}), encoding="utf-8")
    found = audit_run([tmp_path / "one", tmp_path / "two"])
    assert [f.severity for f in found if f.kind == "version"] == ["severe"]


def test_two_answers_to_one_question_stop_that_system_alone(tmp_path: Path) -> None:
    row = {"question": "q", "chosens": ["甲", "乙", "丙", "丁"], "answer": "甲", "category": "时间推理任务"}
    for name, ids in (("fine", (1, 2)), ("twice", (3, 3))):
        (tmp_path / name).mkdir()
        rows = [row | {"id": n, "audio_path": f"{n}.wav", "model_output": "甲"} for n in ids]
        (tmp_path / name / "MDAR-main.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    found = audit_run([tmp_path], benchmark="cmdar")
    assert [(f.rows, f.severity) for f in found if f.kind == "duplicate"] == [(("twice",), "severe")]
    assert all(str(f.file).endswith("fine") for f in found if f.kind != "duplicate")


def test_what_a_system_lost_is_told_in_one_line_before_the_cells(tmp_path: Path) -> None:
    reply: Reply = lambda index, key, rng: None if index < 150 else often(index, key, rng)  # noqa: E731
    for direction in ("audio_text", "text_audio", "vision_text"):
        whole = direction == "vision_text"
        results(tmp_path / "a", often if whole else reply, 200, f"perception_general_{direction}")
    found = audit_run([tmp_path / "a"], benchmark="xmodbench")
    assert found[0].kind == "lost" and found[0].severity == "severe" and found[0].rows == ("a",)
    assert "300 of 600 questions have no reply, in 2 of 3 Tasks" in found[0].message
    assert "general/audio_text 150 of 200" in found[0].message
    results(tmp_path / "_first", often, score=93.0)  # whose own severe finding comes earlier
    assert [f.kind for f in audit_run([tmp_path], benchmark="xmodbench")][:2] == ["lost", "score"]
    assert not [f for f in audit_run([results(tmp_path / "b", often)], benchmark="xmodbench") if f.kind == "lost"]


def test_a_few_lost_replies_of_a_short_run_are_a_note(tmp_path: Path) -> None:
    reply: Reply = lambda index, key, rng: None if index < 2 else often(index, key, rng)  # noqa: E731
    for direction in ("audio_text", "text_audio"):
        results(tmp_path / "a", reply, 15, f"perception_general_{direction}")
    (found,) = [f for f in audit_run([tmp_path / "a"], benchmark="xmodbench") if f.kind == "lost"]
    assert found.severity == "note" and "4 of 30" in found.message


def test_a_sample_of_the_released_questions_is_told_once(tmp_path: Path) -> None:
    for direction in ("audio_text", "audio_vision", "text_audio", "text_vision"):
        results(tmp_path / "a", often, 97, f"perception_general_{direction}")
    found = [f for f in audit_run([tmp_path / "a"], benchmark="xmodbench") if f.kind == "coverage"]
    (sample,) = [f for f in found if f.columns == ("sample",)]
    assert "4 Tasks hold 388 of 8,000 released questions" in sample.message
    assert [f.severity for f in found if f is not sample] == ["note"]  # that each rests on under 100


def test_files_of_two_runners_in_one_folder_are_told(tmp_path: Path) -> None:
    folder = results(tmp_path / "a", often, 40)
    path = folder / "perception_general_audio_text.json"
    file = json.loads(path.read_text(encoding="utf-8"))
    for row in file["results"].values():
        row["original_response"] = row["response"]
    (folder / "perception_general_vision_text.json").write_text(json.dumps(file), encoding="utf-8")
    (found,) = [f for f in audit_run([folder], benchmark="xmodbench") if f.kind == "version"]
    assert "1 of 2 files lack `original_response`" in found.message and "perception_general_audio_text" in found.message


@pytest.mark.parametrize("name", ["cmdar", "mcga", "mcif", "mcs_bench", "xmodbench"])
def test_perfect_replies_are_no_failures(name: str, tmp_path: Path) -> None:
    """Protocols that look whether the key occurs in a reply read no option out of it; it is an answer all the same."""
    triptych.run(name, "baseline/reference", limit=1, out=tmp_path / "run")
    found = audit_run([tmp_path / "run"])
    assert {f.severity for f in found} <= {"note"} and {f.kind for f in found} <= {"coverage"}


@pytest.mark.parametrize("name", ["mcga", "mcif", "mcs_bench", "xmodbench"])
def test_questions_that_a_baseline_skips_are_not_lost(name: str, tmp_path: Path) -> None:
    """A baseline that chooses options skips Tasks without options, and says so: nothing was lost."""
    triptych.run(name, "baseline/longest", limit=1, out=tmp_path / "run")
    found = audit_run([tmp_path / "run"])
    assert not [f for f in found if f.kind in ("lost", "failure") or f.severity != "note"], [f.message for f in found]
    assert [f for f in found if "all Units are skipped" in f.message]


def test_lost_replies_are_counted_among_those_that_were_asked(tmp_path: Path) -> None:
    run = triptych.run("mcs_bench", "baseline/random", out=tmp_path / "run")
    changed = 0

    def lose(response: Response) -> Response:
        nonlocal changed
        if response.status != "answered" or changed == 22:
            return response
        changed += 1
        return msgspec.structs.replace(response, status="failed", text="")

    responses = [lose(r) for r in Journal(run.folder.path / "responses.jsonl", Response)]
    (run.folder.path / "responses.jsonl").unlink()
    writer = JournalWriter(run.folder.path / "responses.jsonl")
    for response in responses:
        writer.append(response)
    writer.close()
    asked = sum(r.status != "skipped" for r in responses)
    (found,) = [f for f in audit_run([run.folder.path]) if f.kind == "lost"]
    assert found.severity == "severe" and found.message.startswith(f"baseline/random: 22 of {asked} questions have no")
    assert f"not counted: {len(responses) - asked} questions that were skipped" in found.message


def test_an_archive_cut_short_is_told(tmp_path: Path, shared_data: Path) -> None:
    whole = shared_data / "xmodbench" / "released_results.tar.xz"
    (tmp_path / "cut.tar.xz").write_bytes(whole.read_bytes()[:200_000])
    with pytest.raises(DataError, match="can't be unpacked"):
        audit_run([tmp_path / "cut.tar.xz"], benchmark="xmodbench")


def test_one_model_under_two_conditions_pretends_nothing(tmp_path: Path) -> None:
    triptych.run("xmodbench", "baseline/random", limit=3, seed=0, out=tmp_path / "a")
    triptych.run("xmodbench", "baseline/random", limit=3, seed=0, conditions=["blind"], out=tmp_path / "b")
    found = audit_run([tmp_path])  # all Runs below
    assert {Path(str(f.file)).name for f in found} == {"a", "b"}
    assert not [f for f in found if f.kind == "mislabelled"]


def test_talks_are_not_counted_as_segments(shared_data: Path) -> None:
    """The released count is of segments, the Units are talks: 21 of 21, not of 670."""
    output = shared_data / "mcif" / "audio_short_en_fixed_phi_multimodal_output.xml"
    found = audit_run([output], benchmark="mcif", data=shared_data / "mcif")
    assert {f.severity for f in found} == {"note"} and any("on 21" in f.message for f in found)


def test_one_failure_of_a_dozen_is_not_severe(tmp_path: Path) -> None:
    """The severities that docs/audit.md tells: by the share of the questions, not by how few they are."""
    import triptych
    from triptych.records import Response
    from triptych.store.journals.journal import Journal, JournalWriter

    run = triptych.run("cmdar/main", "baseline/random", limit=12, seed=1, out=tmp_path / "run")

    def coverage(failed: int) -> str:
        place = run.folder.path / "responses.jsonl"
        told = list(Journal(place, Response))
        place.unlink()
        writer = JournalWriter(place)
        for number, response in enumerate(told):
            status = "failed" if number < failed else "answered"
            writer.append(msgspec.structs.replace(response, status=status))
        writer.close()
        found = [f for f in triptych.audit_run([run.folder.path]) if f.kind == "coverage"]
        return found[0].severity if found else ""

    assert [coverage(n) for n in (0, 1, 3, 8)] == ["note", "note", "warning", "severe"]


def test_ones_own_runs_and_the_papers_findings_stand_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json as json_

    import triptych
    from triptych.cli.main import main
    from triptych.records.findings import FINDING_ORIGINS
    from triptych.reports.findings.audited import counts_by_origin, findings_markdown, findings_text

    run = triptych.run("cmdar", "baseline/constant", out=tmp_path / "run")
    own, paper = triptych.audit_run([run.folder.path]), triptych.audit_tables("cmdar")
    assert {f.origin for f in own} == {"run"} and {f.origin for f in paper} == {"paper"}
    assert {f.origin for f in triptych.audit_data("xmodbench")} == {"data"}
    counts = counts_by_origin([*paper, *own])
    assert list(counts) == ["run", "paper"] and sum(counts["paper"].values()) == len(paper)
    shown = findings_text([*paper, *own], "both")
    assert shown.index(f"== {FINDING_ORIGINS['run']}") < shown.index(f"== {FINDING_ORIGINS['paper']}")
    assert "==" not in findings_text(paper, "paper"), "one origin needs no heading"
    assert "### Runs and results" in findings_markdown([*paper, *own])
    with pytest.raises(SystemExit):
        main(["audit", "run", str(run.folder.path), "--json"])
    document = json_.loads(capsys.readouterr().out)
    assert document["counts"]["run"] == counts["run"] and document["findings"][0]["origin"] == "run"


def rows(count: int, odd: str = "") -> str:
    return "".join(f'"{i}": {{"question": "q", "response": "A{odd}", "correct_answer": "A"}},' for i in range(count))


def folder_of(tmp_path: Path, *, broken: tuple[str, ...]) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for name in ("perception_general_audio_text", "perception_general_audio_vision", "perception_natures_audio_text"):
        text = f'{{"score": 100.0, "correct_count": 40, "all_count": 40, "results": {{{rows(40).rstrip(",")}}}}}'
        (folder / f"{name}.json").write_text(text[:200] if name in broken else text, encoding="utf-8")
    return folder


def malformed(found: list[Finding]) -> list[str]:
    return [f.columns[0] for f in found if f.kind == "malformed"]


def test_the_audit_goes_on_past_malformed_files(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, broken=("perception_general_audio_vision", "perception_natures_audio_text"))
    found = audit_run([folder], benchmark="xmodbench")
    assert malformed(found) == ["perception_general_audio_vision.json", "perception_natures_audio_text.json"]
    assert [f for f in found if f.kind == "coverage" and "40 of" in f.message], "the third file was audited"


def test_the_option_that_the_message_names_exists(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "mcif" / "audio_short_en_fixed_phi_multimodal_output.xml"
    good = shared_data / "mcif" / "audio_short_de_random_phi_multimodal_output.xml"
    folder = tmp_path / "phi"
    folder.mkdir()
    text = source.read_text(encoding="utf-8")
    place = text.index("</sample>")
    (folder / source.name).write_text(text[:place] + "\x0c" + text[place:], encoding="utf-8")
    (folder / good.name).write_bytes(good.read_bytes())
    data = shared_data / "mcif"
    found = audit_run([folder], benchmark="mcif", data=data)
    (told,) = [f for f in found if f.kind == "malformed"]
    assert told.columns == (source.name,) and "--recover" in told.message
    assert not [f for f in audit_run([folder], benchmark="mcif", data=data, recover=True) if "left out" in f.message]
    command = [sys.executable, "-m", "triptych", "audit", "run", str(folder), "--data", str(data), "--recover"]
    assert subprocess.run(command, capture_output=True, check=False).returncode in (0, 1)
