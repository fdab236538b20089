"""lmms-eval's logs of its XModBench tasks as Runs of xmodbench.

The rows have the fields that lmms-eval's evaluator and tracker leave (`doc` is dropped), and the results those of its
results file: a figure in per cent, rounded to five decimals.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.xmodbench.test_unified import line, write
from triptych import api
from triptych.audit.results import rows as published_rows
from triptych.benchmarks.xmodbench.lite import item_id, lite_family, load_index
from triptych.benchmarks.xmodbench.names import CONFIGS, released_subtask
from triptych.cli.main import main
from triptych.errors import DataError
from triptych.interchange.exports import import_log
from triptych.interchange.logs import find_logs
from triptych.models.catalogue import find_model, models_named
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder

REPLIES = ("A", "B", "(C)", "A dog barks", "The answer is D.", "B, because", "", "A B", "D.", "**C**", "assistant\nC")
READ = ("A", "B", "C", "A", "D", None, None, "B", "D", None, None)  # by hand, of the rules of that harness


def row(doc_id: int, subtask: str, config: str, reply: str, key: str, correct: int, **more: Any) -> dict[str, Any]:
    """A line of the samples file: `resps` is dropped where it equals `filtered_resps`."""
    score = {
        "family": lite_family(subtask),
        "subtask": released_subtask(subtask).partition("/")[2],
        "config": config,
        "correct": correct,
    }
    return {
        "doc_id": doc_id,
        "target": key,
        "filtered_resps": reply,
        "token_counts": [{"input_tokens": 9, "output_tokens": 2}],
        "doc_hash": "x",
        "xmod_bench_score": score,
        "input": f"<media_0>\nWhich one? {doc_id}",
        **more,
    }


def lite_rows(config: str, n: int = 1000) -> list[dict[str, Any]]:
    found = []
    for doc_id, (subtask, _) in enumerate(load_index()[config][:n]):
        which = doc_id % len(REPLIES)
        key = "ABCD"[doc_id % 4]
        found.append(row(doc_id, subtask, config, REPLIES[which], key, int(READ[which] == key)))
    return found


def log(
    folder: Path,
    task: str,
    rows: Sequence[dict[str, Any]],
    stated: float | None = None,
    time: str = "20260622_014059",
    model: str = "Qwen/Qwen2.5-Omni-7B",
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{time}_samples_{task}.jsonl"
    path.write_text("".join(json.dumps(own, ensure_ascii=False) + "\n" for own in rows), encoding="utf-8")
    value = (
        stated
        if stated is not None
        else round(100 * sum(own["xmod_bench_score"]["correct"] for own in rows) / len(rows), 5)
    )
    told = {
        "results": {task: {"alias": task, "xmod_bench_score,none": value, "xmod_bench_score_stderr,none": "N/A"}},
        "configs": {task: {"metric_list": [{"metric": "xmod_bench_score", "aggregation": "<function aggregate>"}]}},
        "n-samples": {task: {"original": 1000, "effective": len(rows)}},
        "config": {"model": "qwen2_5_omni", "gen_kwargs": ""},
        "date": time,
        "model_name": model,
    }
    (folder / f"{time}_results.json").write_text(json.dumps(told))
    return path


def test_a_lite_log_becomes_a_run_of_the_benchmark(tmp_path: Path) -> None:
    run = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t")), tmp_path / "run")
    manifest = run.manifest
    assert (manifest.benchmark, manifest.benchmark_version, manifest.sample) == ("xmodbench", "2026-06", "lite@2026-06")
    assert (manifest.model, manifest.planned, manifest.note) == ("replay/Qwen/Qwen2.5-Omni-7B", 1000, "")
    items = list(run.items())
    assert {i.id for i in items} == {item_id("a2t", *entry) for entry in load_index()["a2t"]}
    assert {i.target for i in items} == set("ABCD")
    scored = score_run(run)
    ours = {tuple(a.slice.items()): a.value for a in scored["lmms-eval"] if a.metric == "pooled"}
    stated = json.loads((tmp_path / "log/20260622_014059_results.json").read_text())["results"]["xmod_bench_lite_a2t"]
    assert ours[("config", "a2t"),] == pytest.approx(stated["xmod_bench_score,none"], abs=1e-5)
    assert any("states xmod_bench_lite_a2t xmod_bench_score" in note and "differs" not in note for note in scored.notes)
    assert not [f for f in api.audit_run([run.path]) if f.kind in ("score", "count")]


def test_logs_of_lmms_eval_0_3_have_hashes_as_lm_eval_writes_them(tmp_path: Path) -> None:
    rows = [{**own, "prompt_hash": "y", "target_hash": "z"} for own in lite_rows("a2t")]
    folder = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", rows), tmp_path / "run")
    assert folder.manifest.benchmark == "xmodbench"


def test_a_log_of_another_task_says_what_it_was_taken_for(tmp_path: Path) -> None:
    path = log(tmp_path / "log", "mmmu_val", lite_rows("a2t", 3))
    with pytest.raises(DataError, match="mmmu_val of lmms-eval"):
        import_log(path, tmp_path / "run", data=tmp_path)


def test_six_jobs_of_one_model_are_one_run(tmp_path: Path) -> None:
    for number, config in enumerate(CONFIGS):
        log(
            tmp_path / "logs" / config / "Qwen",
            f"xmod_bench_lite_{config}",
            lite_rows(config),
            time=f"20260622_01405{number}",
        )
    run = import_log(tmp_path / "logs", tmp_path / "run")
    assert len(list(run.items())) == run.manifest.planned == 6000
    by_family = {a.slice["family"]: a.value for a in score_run(run)["lmms-eval"] if list(a.slice) == ["family"]}
    assert set(by_family) == {"perception", "spatial", "temporal", "linguistic", "knowledge"}


def test_logs_of_two_models_or_of_a_task_twice_are_not_joined(tmp_path: Path) -> None:
    log(tmp_path / "a/x", "xmod_bench_lite_a2t", lite_rows("a2t"))
    log(tmp_path / "a/y", "xmod_bench_lite_t2a", lite_rows("t2a"), model="another", time="20260622_014100")
    log(tmp_path / "b/x", "xmod_bench_lite_a2t", lite_rows("a2t"))
    log(tmp_path / "b/y", "xmod_bench_lite_a2t", lite_rows("a2t"), time="20260622_014100")
    for name in "ab":
        with pytest.raises(DataError, match="one evaluation"):
            import_log(tmp_path / name, tmp_path / f"run_{name}")


def test_a_full_log_without_its_data_is_found_by_the_known_order(tmp_path: Path) -> None:
    """The lines of audio_video by README and PR.md: sorted by released subtask, 441 + 390 + 3 x 500 + 700."""
    sizes = [
        ("3D_movements", 441),
        ("panaroma", 390),
        ("calculation", 500),
        ("count", 500),
        ("order", 500),
        ("emotion_classification", 700),
    ]
    expected = [(subtask, index) for subtask, n in sizes for index in range(n)]
    rows = [row(n, subtask, "a2v", "A", "B", 0) for n, (subtask, _) in enumerate(expected)]
    run = import_log(log(tmp_path / "log", "xmod_bench_audio_video", rows), tmp_path / "run")
    assert {tuple(i.id.split("/")[1:]) for i in run.items()} == {(s, "audio_vision", str(n)) for s, n in expected}
    assert (run.manifest.sample, run.manifest.note) == ("", "")


def _told(rows: list[dict[str, Any]], **other: str) -> None:
    rows[7]["xmod_bench_score"].update(other)


def _another_subtask(rows: list[dict[str, Any]]) -> None:
    _told(rows, subtask="order" if rows[7]["xmod_bench_score"]["subtask"] == "count" else "count")


NOT_TAKEN = "no row is taken for a question"
PLANTED: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], str]] = {
    "missing rows": (lambda rows: rows.__delitem__(slice(3, 6)), "3 of 1,000 rows are not in the log (doc_id 3, 4, 5)"),
    "another subtask": (_another_subtask, NOT_TAKEN),
    "another direction": (lambda rows: _told(rows, config="t2a"), NOT_TAKEN),
    "another family": (lambda rows: _told(rows, family="other"), NOT_TAKEN),
    "a line beyond the file": (lambda rows: rows[-1].update(doc_id=5000), NOT_TAKEN),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_does_not_fit_is_told(tmp_path: Path, what: str) -> None:
    rows = lite_rows("a2t")
    PLANTED[what][0](rows)
    run = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", rows), tmp_path / "run")
    assert PLANTED[what][1] in run.manifest.note
    known = {item_id("a2t", *entry) for entry in load_index()["a2t"]}
    assert all((i.id in known) == (what == "missing rows") for i in run.items())


def test_a_doubled_row_is_refused(tmp_path: Path) -> None:
    rows = lite_rows("a2t")
    with pytest.raises(DataError, match="a sample twice"):
        import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", [*rows, rows[5]]), tmp_path / "run")
    other = {**rows[5], "target": "D" if rows[5]["target"] == "A" else "A"}
    with pytest.raises(DataError, match="a sample twice"):
        import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", [*rows, other]), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_logs_in_folders_inside_that_of_a_log_are_named_and_audited(tmp_path: Path) -> None:
    log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t"))
    log(tmp_path / "log" / "other", "xmod_bench_lite_t2a", lite_rows("t2a"), model="another")
    with pytest.raises(DataError, match="so do folders inside it") as refused:
        import_log(tmp_path / "log", tmp_path / "run")
    assert "other" in str(refused.value)
    found = [path.name for path in find_logs(tmp_path / "log")]
    assert len(found) == 2 and "other" in found


def test_planted_figures_and_flags_are_found(tmp_path: Path) -> None:
    """A figure that isn't its rows' mean, and a row whose `correct` isn't what its reply says."""
    rows = lite_rows("a2t")
    right = round(100 * sum(own["xmod_bench_score"]["correct"] for own in rows) / len(rows), 5)
    wrong = import_log(log(tmp_path / "a", "xmod_bench_lite_a2t", rows, stated=right + 3), tmp_path / "run_a")
    (found,) = [f for f in api.audit_run([wrong.path]) if f.kind == "score"]
    assert (found.severity, found.published, found.recomputed) == ("severe", right + 3, pytest.approx(right, abs=1e-5))
    rows[9]["xmod_bench_score"]["correct"] ^= 1
    flagged = import_log(log(tmp_path / "b", "xmod_bench_lite_a2t", rows), tmp_path / "run_b")
    (told,) = [f for f in api.audit_run([flagged.path]) if f.kind == "score"]
    assert told.rows == (item_id("a2t", *load_index()["a2t"][9]),)


@pytest.mark.parametrize("name", ["Qwen/Qwen2.5-Omni-7B", "models--Qwen--Qwen2.5-Omni-7B", "Qwen__Qwen2.5-Omni-7B"])
def test_the_catalogue_gives_the_papers_row_of_a_hub_id(tmp_path: Path, name: str) -> None:
    run = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t", 60), model=name), tmp_path / "run")
    (note,) = [f for f in api.audit_run([run.path]) if "published row" in f.columns]
    assert (
        [*note.rows] == ["Qwen2.5-Omni"] and "by the catalogue" in note.message and "--row Qwen2.5-Omni" in note.message
    )
    assert note.severity == "note", "another measurement of the model says nothing against the paper's figures"


def test_a_name_of_several_rows_is_not_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = [model for key in ("qwen2.5-omni-7b", "pandagpt-7b") if (model := find_model(key))]
    monkeypatch.setattr(published_rows, "models_named", lambda name: two if name == "omni" else models_named(name))
    run = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t", 60), model="omni"), tmp_path / "run")
    (note,) = [f for f in api.audit_run([run.path]) if "published row" in f.columns]
    assert "2 rows of its tables may be of this model (PandaGPT, Qwen2.5-Omni)" in note.message


def test_import_tells_its_notes_before_the_tables(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t", 60))
    with redirect_stderr(sys.stdout), pytest.raises(SystemExit) as ended:
        main(["import", str(path), "--out", str(tmp_path / "run")])
    assert not ended.value.code
    said = capfd.readouterr().out
    assert said.index("940 of 1,000 rows are not in the log") < said.index("XModBench: overview")


def test_the_audit_tells_which_replies_the_protocols_read_differently(tmp_path: Path) -> None:
    """Of `REPLIES`, by hand: lmms-eval alone doesn't read the letter before a comma."""
    run = import_log(log(tmp_path / "log", "xmod_bench_lite_a2t", lite_rows("a2t", 11)), tmp_path / "run")
    (found,) = [f for f in api.audit_run([run.path]) if f.kind == "reading"]
    assert "'B, because' is official B, standard B, lmms-eval none" in found.message
    assert "of 11 replies differently" in found.message


def asked(n: int) -> str:
    """What `doc_to_text` of lmms-eval makes of the n-th row of `with_data`."""
    options = "".join(
        f"\n{letter}. {name}{n}" for letter, name in zip("ABCD", ("cat", "dog", "hen", "owl"), strict=True)
    )
    return f"<media_0>\nWhich one? (audio_text){options}\nAnswer with the option's letter (A, B, C, or D) directly."


def with_data(
    tmp_path: Path, keys: str = "BBB", change: Callable[[str], str] = str, changed: Sequence[int] = ()
) -> tuple[RunFolder, Path]:
    data = tmp_path / "data_root"
    write(data, "audio_text", [line("audio_text", "04_temporal/count", n, key="B") for n in range(len(keys))])
    inputs = [change(asked(n)) if n in changed else asked(n) for n in range(len(keys))]
    rows = [row(n, "count", "a2t", "B", key, 1, input=inputs[n]) for n, key in enumerate(keys)]
    return import_log(log(tmp_path / "log", "xmod_bench_audio_text", rows), tmp_path / "run", data), data


def test_with_the_data_items_are_the_questions_themselves(tmp_path: Path) -> None:
    run, _ = with_data(tmp_path)
    (first, *_) = run.items()
    assert (first.id, len(first.options), first.parts[1].path) == (
        "temporal/count/audio_text/0",
        4,
        "Data/some/stem0.wav",
    )
    assert run.manifest.note == ""


def test_a_row_with_another_key_than_the_data_is_not_its_question(tmp_path: Path) -> None:
    run, _ = with_data(tmp_path, "BCB")
    assert "1 of 3 rows (the first is doc_id 1): another correct answer" in run.manifest.note
    numbers = {i.id.rpartition("/")[2] for i in run.items()}
    assert numbers == {"0", "xmod_bench_audio_text-1", "2"}


CHANGED_INPUTS: dict[str, Callable[[str], str]] = {
    "another question": lambda text: text.replace("Which one?", "Which one is wrong?"),
    "options in another order": lambda text: text.replace("A. cat", "A. x").replace("B. dog", "B. cat"),
    "the input of the next row": lambda text: asked(int(text[text.index("cat") + 3]) + 1),
    "an option that was cut": lambda text: text.replace("\nD. owl1", ""),
}


@pytest.mark.parametrize("what", CHANGED_INPUTS)
def test_a_row_that_was_asked_something_else_is_not_its_question(tmp_path: Path, what: str) -> None:
    run, _ = with_data(tmp_path, "BBB", CHANGED_INPUTS[what], changed=[1])
    assert "1 of 3 rows (the first is doc_id 1): the input doesn't contain the texts" in run.manifest.note
    assert {i.id.rpartition("/")[2] for i in run.items()} == {"0", "xmod_bench_audio_text-1", "2"}


def test_a_log_of_another_prompt_keeps_its_questions_with_a_note(tmp_path: Path) -> None:
    run, _ = with_data(tmp_path, "BBB", lambda text: "a prompt of one's own", changed=[0, 1, 2])
    assert "3 of 3 rows" in run.manifest.note and "another prompt, or other questions" in run.manifest.note
    assert {i.id.rpartition("/")[2] for i in run.items()} == {"0", "1", "2"}


def test_the_task_that_is_not_of_the_benchmark_is_named(tmp_path: Path) -> None:
    for config in CONFIGS:
        log(tmp_path / "log", f"xmod_bench_lite_{config}", lite_rows(config, 3))
    log(tmp_path / "log", "xmod_bench_lite_x2y", lite_rows("a2t", 3))
    with pytest.raises(DataError, match=r"xmod_bench_lite_x2y of lmms-eval") as refused:
        import_log(tmp_path / "log", tmp_path / "run", data=tmp_path)
    assert "lite_a2t" not in str(refused.value)


def test_data_of_another_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old/tasks/01_perception").mkdir(parents=True)
    path = log(tmp_path / "log", "xmod_bench_audio_text", [row(0, "count", "a2t", "B", "B", 1)])
    with pytest.raises(DataError, match=r"audio_text\.jsonl"):
        import_log(path, tmp_path / "run", tmp_path / "old")
