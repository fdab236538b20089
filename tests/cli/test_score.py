"""`triptych score BENCH --predictions`: results in the authors' formats, the names that scripts read, hostile files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from triptych.benchmarks import load_benchmark
from triptych.cli.main import main

SEC = "女青年\n哀伤\n明月|悲"
OCR = {"cr", "ar", "ned", "f1", "precision", "recall", "bleu"}
OPEN = {"cls_cosine", "bertscore", "anls", "open_qa"}
# What the documentation promises to scripts: Task -> its metrics' names in the JSON.
PROMISED: dict[str, set[str]] = {
    "mcga/asr": {"cer"},
    **{task: {"f1"} for task in ("mcga/sqa", "mcga/qa")},
    **{task: {"acc"} for task in ("mcga/su", "mcga/sr", "mcga/lu", "mcga/lr")},
    **{task: {"llm_bf", "llm_bm", "llm_bs", "llm_b"} for task in ("mcga/s2tt", "mcga/mt")},
    "mcga/sec": {"sec_p", "sec_g", "sec_s", "llm_c", "cer"},
    "mcga": {"cmc"},
    **{f"mcs_bench/T{n}": {"acc"} for n in range(1, 46)},
    **{f"mcs_bench/T{n}": OCR for n in (1, 8, 26, 28, 30, 37)},
    "mcs_bench/T2": {"bleu", "rouge_1", "rouge_2", "rouge_l"},
    **{f"mcs_bench/T{n}": {"f1", "precision", "recall"} for n in (3, 4)},
    **{f"mcs_bench/T{n}": OPEN for n in (6, 9, 15, 17, 22, 25, 27, 29, 35, 38, 39, 44)},
    **{f"mcif/{track}/en/ASR": {"wer"} for track in ("short", "long")},
    **{f"mcif/{track}/{lang}/TRANS": {"comet"} for track in ("short", "long") for lang in ("de", "it", "zh")},
    **{f"mcif/{track}/{lang}/QA": {"bertscore"} for track in ("short", "long") for lang in ("en", "de", "it", "zh")},
    **{f"mcif/long/{lang}/SUM": {"bertscore"} for lang in ("en", "de", "it", "zh")},
    "cmdar/main": {"acc"},
    "cmdar/multi": {"em", "ji", "precision", "recall"},
    "cmdar/open": {"judge_score"},
    "xmodbench/perception/general/audio_text": {"acc"},
}
MINI = {name: load_benchmark(name).mini for name in ("mcga", "mcs_bench", "mcif", "cmdar", "xmodbench")}
Rows = list[dict[str, Any]]


def mcga(to: Path) -> Path:
    """A folder of JSONL files, those of the text tasks in files called `…_text`."""
    for path in MINI["mcga"].glob("MCGA_*.jsonl"):
        task = path.name.split("_")[1]
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        key = {"asr": "asr", "s2tt": "s2tt", "sqa": "sqa_a", "su": "su_a", "sr": "sr_a"}.get(task)
        replied = [row | {"sqa_a_r" if task == "sqa" else f"{task}_r": row[key] if key else SEC} for row in rows]
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in replied)
        (to / path.name).write_text(lines, encoding="utf-8")
        if task not in ("asr", "sec"):
            (to / f"{path.stem}_text.jsonl").write_text(lines, encoding="utf-8")
    return to


def mcs_bench(to: Path) -> Path:
    rows = json.loads((MINI["mcs_bench"] / "MCS-Bench.json").read_text(encoding="utf-8"))
    return dump(to / "mcs.json", [row | {"Response": row["Answer_Simplified"]} for row in rows])


def cmdar(kind: str) -> Callable[[Path], Path]:
    def write(to: Path) -> Path:
        rows = json.loads((MINI["cmdar"] / f"MDAR-{kind}.json").read_text(encoding="utf-8"))
        said = ["；".join(row["answer"]) if isinstance(row["answer"], list) else row["answer"] for row in rows]
        return dump(to / "results.json", [row | {"model_output": s} for row, s in zip(rows, said, strict=True)])

    return write


def mcif(track: str, language: str) -> Callable[[Path], Path]:
    """An empty answer to every sample of the reference."""

    def write(to: Path) -> Path:
        root = ElementTree.parse(reference(track, language)).getroot()
        samples = [id_ for sample in root.iter("sample") for id_ in sample.attrib["id"].split(",")]
        body = "".join(f'<sample id="{id_}">.</sample>' for id_ in samples)
        path = to / f"audio_{track}_{language}_fixed_mine_output.xml"
        head = f'<testset name="MCIF" type="output"><task track="{track}" text_lang="{language}">'
        path.write_text(f"{head}{body}</task></testset>", encoding="utf-8")
        return path

    return write


def xmodbench(to: Path) -> Path:
    results = {
        "0": {"response": "A", "correct_answer": "A", "question": "?"},
        "1": {"response": None, "correct_answer": "B", "question": "?"},
    }
    dump(to / "perception_general_audio_text.json", {"results": results})
    return to


def reference(track: str, language: str) -> Path:
    return MINI["mcif"] / f"MCIF1.0.IF.{track}.{language}.ref.xml"


def dump(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


WRITERS: dict[str, tuple[str, Callable[[Path], Path], tuple[str, ...]]] = {
    "mcga": ("mcga", mcga, ()),
    "mcs_bench": ("mcs_bench", mcs_bench, ()),
    **{f"cmdar/{kind}": ("cmdar", cmdar(kind), ()) for kind in ("main", "multi", "open")},
    **{
        f"mcif/{track}/{lang}": ("mcif", mcif(track, lang), ("--reference", str(reference(track, lang))))
        for track, lang in (("short", "en"), ("short", "de"), ("long", "zh"))
    },
    "xmodbench": ("xmodbench", xmodbench, ()),
}


def run(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["score", *arguments])
    out, said = capsysbinary.readouterr()
    return int(ended.value.code or 0), out.decode(), said.decode()


def scored(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> dict[str, Any]:
    """The one JSON document that a command prints."""
    code, out, said = run(capsysbinary, *arguments, "--json")
    assert code == 0, said
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


@pytest.mark.parametrize("writer", WRITERS)
def test_json_has_the_promised_metric_names_task_by_task(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, writer: str
) -> None:
    name, write, options = WRITERS[writer]
    document = scored(capsysbinary, name, *options, "--predictions", str(write(tmp_path)))
    assert document["benchmark"] == name
    found: dict[str, set[str]] = defaultdict(set)
    for score in document["scores"]:
        assert score.keys() >= {"protocol", "task", "metric", "slice", "value", "n", "counts", "interval", "signature"}
        found[score["task"]].add(score["metric"])
    own = {task for task in found if task.startswith(f"{name}/")}
    assert own
    for task in own | ({"mcga"} & found.keys()):
        assert found[task] == PROMISED[task], task


def test_every_task_of_four_benchmarks_is_promised() -> None:
    """XModBench's Tasks all have the one metric."""
    every = {
        bench.spec.full_id(task)
        for bench in map(load_benchmark, ("mcga", "mcs_bench", "mcif", "cmdar"))
        for task in bench.spec.tasks
    }
    assert {task for task in PROMISED if not task.startswith("xmodbench") and "/" in task} == every
    assert {m for task in load_benchmark("xmodbench").spec.tasks for m in task.metrics} == {"acc"}


# ---- files that nobody should send


def mutated(rows: Rows, **fields: Any) -> Rows:
    return [rows[0] | fields, *rows[1:]]


def hostile() -> Iterator[tuple[str, str, Any, int, str]]:
    """(name, writer, what the file is changed to, exit code, what is said)."""
    deep = "[" * 100_000
    for writer, field, list_ in (
        ("mcs_bench", "Response", "not a JSON list"),
        ("cmdar/main", "model_output", "not a file of CMDAR results"),
    ):
        yield "nested without end", writer, deep, 2, list_
        yield "no list", writer, {"a": 1}, 2, list_
        yield "cut in the middle", writer, lambda rows: json.dumps(rows)[:2000], 2, ""
        yield "nobody's", writer, [], 2, ""
        yield "strings", writer, ["a", "b"], 2, ""
        yield "asked twice", writer, lambda rows: [*rows, rows[0]], 2, "two answers to one question"
        for kind, said in (("null", None), ("a list", [["B"]]), ("an object", {"text": "B"}), ("true", True)):
            yield kind, writer, lambda rows, f=field, s=said: mutated(rows, **{f: s}), 0, f"have no {field}"


CASES = list(hostile())


@pytest.mark.parametrize(("name", "writer", "change", "code", "said"), CASES, ids=[f"{c[1]} {c[0]}" for c in CASES])
def test_a_hostile_file_is_refused_or_counted(
    capsysbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
    name: str,
    writer: str,
    change: Any,
    code: int,
    said: str,
) -> None:
    bench, write, options = WRITERS[writer]
    path = write(tmp_path)
    rows = json.loads(path.read_text(encoding="utf-8"))
    dump(path, change(rows) if callable(change) else change)
    ended, out, told = run(capsysbinary, bench, *options, "--predictions", str(path))
    assert ended == code, told
    words = " ".join((told if code else out).split())
    assert said in words
    assert "Traceback" not in told
    if code == 0:
        assert f"1 of {len(rows)} rows {said}" in words


def test_mcga_counts_lines_that_cannot_be_read_and_rows_that_come_twice(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    path = mcga(tmp_path) / "MCGA_asr_test.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    unanswered = json.dumps(json.loads(lines[1]) | {"asr_r": ["a", "list"]})
    path.write_text("\n".join([*lines, lines[0], unanswered, "{broken", "[" * 50_000, '"text"']), encoding="utf-8")
    document = scored(capsysbinary, "mcga", "--predictions", str(path))
    assert document["counts"] == {"answered": len(lines) + 1, "failed": 1}
    notes = " ".join(document["notes"])
    assert "2 rows repeat another row's question about the clip" in notes
    for line in (3, 4, 5):
        assert f"{path}:{len(lines) + line}" in notes


BOMB = (
    '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<testset name="M" type="output"><task track="short" text_lang="en"><sample id="0">&b;</sample></task></testset>'
)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda xml: BOMB, "declares a document type or entities"),
        (lambda xml: BOMB.replace('"aaaaaaaaaa"', 'SYSTEM "file:///etc/passwd"'), "declares a document type"),
        (lambda xml: "<a>" * 100_000, "nested too deep"),
        (lambda xml: "hello", "line 1, character 1"),
        (lambda xml: xml.replace('<sample id="0">.</sample>', ""), "no sample 0"),
        (lambda xml: re.sub(r'(<sample id=)"0"(.*?<sample id=)("\d+")', r"\1\3\2\3", xml, flags=re.S), "two answers"),
        (lambda xml: xml.replace('<sample id="0">', "<sample>"), "a sample has no id"),
        (lambda xml: xml.replace(".</sample>", "\x0b</sample>"), "U+000B"),
        (lambda xml: xml.replace('track="short"', 'track="middle"'), "an unknown track"),
    ],
)
def test_hostile_xml_is_refused_in_words(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    _, write, options = WRITERS["mcif/short/en"]
    path = write(tmp_path)
    dump(path, change(path.read_text(encoding="utf-8")))
    code, _, told = run(capsysbinary, "mcif", *options, "--predictions", str(path))
    assert code == 2
    assert said in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "content", ["[" * 100_000, {"results": None}, {"results": {"0": None}}, {"results": {"first": {}}}, {"results": {}}]
)
def test_hostile_results_of_xmodbench_are_refused(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, content: Any
) -> None:
    dump(tmp_path / "perception_general_audio_text.json", content)
    code, _, told = run(capsysbinary, "xmodbench", "--predictions", str(tmp_path))
    assert code == 2
    assert told.startswith("triptych: ")


def test_unknown_and_missing_questions_are_told_where_the_data_is_named(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    path = mcs_bench(tmp_path)
    rows = json.loads(path.read_text(encoding="utf-8"))
    stranger = {"ID": "stranger", "Task_ID": 1, "Response": "x"}
    dump(path, [*rows[:40], stranger])
    document = scored(capsysbinary, "mcs_bench", "--data", "mini", "--predictions", str(path))
    tasks = {row["Task_ID"] for row in rows[:40]}
    asked = sum(row["Task_ID"] in tasks for row in rows)
    assert document["counts"] == {"answered": 40} | ({"missing": asked - 40} if asked > 40 else {})
    assert any("belongs to no known question" in note and "stranger" in note for note in document["notes"])


def test_the_papers_rows_stand_beside_results_made_elsewhere(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # otherwise the table may be parted at the width of the terminal
    path = cmdar("main")(tmp_path)
    _, plain, _ = run(capsysbinary, "cmdar", "--predictions", str(path))
    code, out, _ = run(capsysbinary, "cmdar", "--predictions", str(path), "--with-published")
    assert code == 0
    assert "GPT-4o Audio" not in plain
    rows = [line for line in out.splitlines() if line.startswith("GPT-4o Audio")]
    assert any("paper" in row.split() for row in rows)
    assert "results.json" in out


def test_what_another_protocol_could_not_read_is_told_where_the_totals_are_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads((load_benchmark("cmdar").mini / "MDAR-main.json").read_text(encoding="utf-8"))[:5]
    path = tmp_path / "main.json"
    path.write_text(json.dumps([row | {"model_output": "A"} for row in rows]), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["score", "cmdar", "--predictions", str(path)])
    text = capsys.readouterr().out
    assert ended.value.code == 0 and "all protocols give the same totals" in text
    assert "main.json, standard: 5 unparsed" in text


def test_a_judge_that_nothing_asks_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    judge = ("--judge", "openai/x", "--judge-base-url", "http://127.0.0.1:9/v1")
    run = str(tmp_path / "run")
    with pytest.raises(SystemExit):
        main(["run", "cmdar/main", "--model", "baseline/random", "--out", run, *judge])
    assert "--judge is not used" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["score", "mcs_bench", "--predictions", str(mcs_bench(tmp_path)), *judge])
    assert "--judge is not used: no metric of mcs_bench" in capsys.readouterr().err
