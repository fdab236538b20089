"""The examples of the pages on adding a benchmark, a model and so on are typed off, and do what the pages say."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import commands

PAGES = Path(__file__).parents[2] / "docs/adding"
_FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```', re.S | re.M)


@pytest.fixture
def typed_off(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder with the files of the page named by the marker's parameter, as if installed."""
    _type_off(tmp_path, request.param)
    return tmp_path


def _type_off(folder: Path, name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for name, content in _FILE.findall(page):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        if path.parent != folder and path.suffix == ".py":
            (path.parent / "__init__.py").touch()
    _install(folder)


def _install(folder: Path) -> None:
    """What an editable installation comes to: the entry points, where Python looks for them."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")


def typed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder."""
    beside = os.environ.get("PYTHONPATH", "")
    place = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{beside}" if beside else str(folder)}
    return commands.triptych(*arguments, cwd=folder, env=place)


def triptych(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run a command in the folder; returns what it printed."""
    done = typed(folder, *arguments)
    assert done.returncode == code, done.stderr
    return done.stdout


def triptych_error(folder: Path, *arguments: str) -> str:
    """What a command says that is refused."""
    done = typed(folder, *arguments)
    assert done.returncode == 2, done.stderr
    return done.stderr


def value(document: str, protocol: str, **slice_: str) -> float:
    rows = json.loads(document)["scores"]
    return next(r["value"] for r in rows if r["protocol"] == protocol and r["slice"] == slice_)


@pytest.mark.parametrize("typed_off", ["benchmark", "metric", "model", "condition"], indirect=True)
def test_the_example_of_a_page_has_no_fault(typed_off: Path) -> None:
    project = tomllib.loads((typed_off / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "fault" not in triptych(typed_off, "check-plugin", project["name"])


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_source_files_may_be_a_generator(typed_off: Path) -> None:
    reader = typed_off / "capitals/reader.py"
    source = reader.read_text("utf-8").replace(
        'return [data / "questions.jsonl"]', 'yield data / "no.jsonl"\n    yield data / "questions.jsonl"'
    )
    reader.write_text(source, encoding="utf-8")
    assert "fault" not in triptych(typed_off, "check-plugin", "capitals-benchmark")
    reader.write_text(source.replace('"questions.jsonl"\n\n', '"nothing.jsonl"\n\n'), encoding="utf-8")
    told = triptych(typed_off, "check-plugin", "capitals-benchmark", code=1)
    assert "names no file that the mini set has" in told and "mini/nothing.jsonl" in told


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_benchmark_without_check_is_told_so_and_tried_further(typed_off: Path) -> None:
    (typed_off / "capitals/check.py").unlink()
    protocols = typed_off / "capitals/protocols.py"
    source = protocols.read_text("utf-8").replace("100 * total", "total")
    protocols.write_text(source, encoding="utf-8")
    told = triptych(typed_off, "check-plugin", "capitals-benchmark", code=1)
    assert "there is no check.py, so `triptych check capitals` can't be called" in told
    assert "a share, where acc is a percentage" in told


@pytest.mark.parametrize("typed_off", ["metric"], indirect=True)
def test_a_metric_of_an_id_that_exists_is_a_fault_and_stops_nothing_else(typed_off: Path) -> None:
    module = typed_off / "vowels.py"
    module.write_text(module.read_text("utf-8").replace('id="ver.plain"', 'id="acc"'), encoding="utf-8")
    done = typed(typed_off, "check-plugin", "vowels-metric")
    assert done.returncode == 1 and "triptych has a metric with this id" in done.stdout
    done = typed(typed_off, "run", "cmdar/main", "--model", "baseline/longest", "--limit", "2", "--out", "run")
    assert done.returncode == 0 and "two metrics have the id 'acc' (triptych and vowels-metric)" in done.stderr


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_benchmark_is_listed_checked_run_scored_and_reported(typed_off: Path) -> None:
    names = {row["name"]: row["from"] for row in json.loads(triptych(typed_off, "list", "benchmarks", "--json"))}
    assert names["capitals"] == "capitals-benchmark"
    triptych(typed_off, "check", "capitals")
    right = triptych(typed_off, "run", "capitals", "--model", "baseline/reference", "--out", "right", "--json")
    assert value(right, "official") == value(right, "standard") == 100
    b = triptych(typed_off, "run", "capitals", "--model", "baseline/constant", "-M", "letter=B", "--out", "b", "--json")
    assert (value(b, "official"), value(b, "official", continent="Europe")) == (25, 50)
    triptych(typed_off, "report", "right", "b", "--with-published", "--to", "report", "--format", "csv")
    cells = set()
    for table in ("main", "main-published"):  # the questions are not those of the published row: it is apart
        with (typed_off / f"report/{table}.csv").open(encoding="utf-8") as lines:
            cells |= {cell for row in csv.reader(lines) for cell in row}
    assert {"Atlas-1", "baseline/reference"} <= cells


def _added(name: str) -> dict[str, str]:
    """The titled examples of a further page about the capitals."""
    return dict(_FILE.findall((PAGES / f"{name}.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_the_variation_of_the_page_is_compared_by_consistency(typed_off: Path) -> None:
    page = (PAGES / "spec.md").read_text(encoding="utf-8")
    examples = _added("spec")
    spec, reader = typed_off / "capitals/spec.toml", typed_off / "capitals/reader.py"
    spec.write_text(spec.read_text("utf-8") + examples["capitals/spec.toml (added)"], encoding="utf-8")
    (typed_off / "capitals/mini/questions.jsonl").write_text(examples["capitals/mini/questions.jsonl"], "utf-8")
    lines = page.partition("```python\n")[2].partition("```")[0]
    source = reader.read_text("utf-8")
    old = '        facets={"continent": row["continent"]},\n'
    assert old in source
    reader.write_text(source.replace(old, lines), encoding="utf-8")
    triptych(typed_off, "run", "capitals", "--model", "baseline/constant", "-M", "letter=B", "--out", "runs/b")
    shown = triptych(typed_off, "analyse", "runs/b", "--kind", "consistency")
    assert "in every form of 50.0% of the Instances" in " ".join(shown.split())


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_the_preset_of_the_page_is_listed_and_run(typed_off: Path) -> None:
    (typed_off / "capitals/presets.toml").write_text(_added("presets")["capitals/presets.toml"], encoding="utf-8")
    assert "order" in triptych(typed_off, "list", "presets")
    model = ("--model", "baseline/constant", "-M", "letter=B")
    triptych(typed_off, "run", "capitals", "--preset", "order", *model, "--out", "runs/order")
    assert {path.name for path in (typed_off / "runs/order").iterdir()} >= {"given", "shuffled"}
    triptych(typed_off, "report", "runs/order", "--to", "report")


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_results_in_the_benchmarks_own_format_are_scored_and_its_protocols_differ(typed_off: Path) -> None:
    (typed_off / "replies.json").write_text(json.dumps({"1": "B", "2": "A or B", "3": "It is D."}))
    told = triptych(
        typed_off, "score", "capitals", "--predictions", "replies.json", "--data", "capitals/mini", "--json"
    )
    assert value(told, "official") == 50  # B, and the A of "A or B"; I is no D; one is missing
    assert value(told, "standard") == 50  # B and D; "A or B" is unparsed


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_what_is_missing_or_malformed_in_a_benchmark_is_told(
    typed_off: Path,
) -> None:
    reader = typed_off / "capitals/reader.py"
    reader.write_text(reader.read_text("utf-8").replace('row["answer"]', 'row["anwser"]'), encoding="utf-8")
    said = triptych_error(typed_off, "run", "capitals", "--model", "baseline/first")
    assert "4 problems with the data" in said and "check capitals --data mini" in said and "--filter" not in said
    (typed_off / "capitals/check.py").unlink()
    said = triptych_error(typed_off, "check", "capitals")
    assert "the benchmark capitals has no check.py" in said and "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_folder_without_its_files_and_no_mini_set_are_told(typed_off: Path) -> None:
    (typed_off / "empty").mkdir()
    run = ("run", "capitals", "--model", "baseline/first")
    for arguments in (
        (*run, "--data", "empty"),
        ("check", "capitals", "--data", "empty"),
        ("audit", "data", "capitals", "--data", "empty"),
    ):
        said = triptych_error(typed_off, *arguments)
        assert "questions.jsonl" in said or "no question files of capitals found" in said
    shutil.rmtree(typed_off / "capitals/mini")
    for arguments in (run, ("check", "capitals"), ("audit", "data", "capitals"), (*run, "--data", "nowhere")):
        said = triptych_error(typed_off, *arguments)
        assert "Traceback" not in said and "triptych fetch" not in said, "nothing is released"
    assert "capitals has no built-in mini set" in triptych_error(typed_off, *run)


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_missing_recording_is_found_whatever_the_check_looks_at(typed_off: Path) -> None:
    reader = typed_off / "capitals/reader.py"
    words = reader.read_text("utf-8").replace(
        'parts=(text(row["question"], role="question"),),',
        'parts=(text(row["question"], role="question"), media("audio", f"clips/{row[\'id\']}.wav", role="content")),',
    )
    reader.write_text(words.replace("parts import text", "parts import media, text"), encoding="utf-8")
    clips = typed_off / "capitals/mini/clips"
    clips.mkdir()
    for number in (1, 2, 4):
        (clips / f"{number}.wav").write_bytes(b"RIFF")
    said = triptych(typed_off, "check", "capitals", code=1)
    assert "missing-media" in said and "3.wav" in said and "1 error" in said
    found = json.loads(triptych(typed_off, "audit", "data", "capitals", "--json", code=1))["findings"]
    assert any("3.wav" in f["message"] + str(f.get("file")) for f in found)
    (clips / "3.wav").write_bytes(b"RIFF")
    assert "missing-media" not in triptych(typed_off, "check", "capitals")


@pytest.mark.slow
@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_broken_benchmark_takes_no_other_with_it(typed_off: Path) -> None:
    spec = typed_off / "capitals/spec.toml"
    good = spec.read_text("utf-8")
    broken = good.replace("summary =", "sumary =").replace('"acc"', '"ac"', 1).replace("count = 4", 'count = "4"')
    spec.write_text(broken.replace('answer = "letter"', 'anser = "letter"'), encoding="utf-8")
    for what in ("benchmarks", "tasks", "protocols", "presets"):
        done = typed(typed_off, "list", what)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
        assert "cmdar" in done.stdout and "capitals" in done.stderr
    rows = {row["name"]: row for row in json.loads(triptych(typed_off, "list", "benchmarks", "--json", code=1))}
    assert rows["cmdar"]["broken"] is None
    for words in ("4 errors", "did you mean 'summary'", "did you mean 'answer'", "did you mean 'acc'", "'count'"):
        assert words in rows["capitals"]["broken"], "all at once"
    assert "4 errors" in triptych_error(typed_off, "run", "capitals", "--model", "baseline/first")
    triptych(typed_off, "run", "cmdar/main", "--model", "baseline/first", "--limit", "1", "--out", "other")
    spec.write_text(good, encoding="utf-8")
    (typed_off / "capitals/protocols.py").write_text("import no_such_package\n", encoding="utf-8")
    done = typed(typed_off, "list", "protocols")
    assert "cmdar" in done.stdout and "no_such_package" in done.stderr and "Traceback" not in done.stderr
    (typed_off / "capitals/__init__.py").write_text("1 / 0\n", encoding="utf-8")
    assert "division by zero" in typed(typed_off, "list", "benchmarks").stderr


@pytest.mark.parametrize("typed_off", ["model"], indirect=True)
def test_a_model_answers_takes_settings_and_fails_as_it_says(typed_off: Path) -> None:
    listed = {row["name"]: row["what"] for row in json.loads(triptych(typed_off, "list", "models", "--json"))}
    assert listed["parrot"] == "parrot/NAME repeats the last words of the question."
    ask = ("run", "cmdar/open", "--condition", "blind", "--limit", "2", "--model", "parrot/polly")
    triptych(typed_off, *ask, "--out", "calm", "-M", "words=1")
    replies = [json.loads(line) for line in (typed_off / "calm/responses.jsonl").read_text("utf-8").splitlines()]
    assert replies and all(r["status"] == "answered" and len(r["text"].split()) == 1 for r in replies)
    triptych(typed_off, *ask, "--out", "cross", "-M", "mood=cross", "--retries", "0", code=1)
    triptych(typed_off, *ask, "--out", "wrong", "-M", "word=1", code=2)


@pytest.mark.parametrize("typed_off", ["model"], indirect=True)
def test_a_model_that_cant_be_imported_is_listed_as_such(typed_off: Path) -> None:
    (typed_off / "parrot.py").write_text("import no_such_package\n", encoding="utf-8")
    listed = {row["name"]: row["what"] for row in json.loads(triptych(typed_off, "list", "models", "--json", code=1))}
    assert "no_such_package" in listed["parrot"] and listed["openai"]


@pytest.mark.parametrize("typed_off", ["metric"], indirect=True)
def test_a_metric_is_found_and_counts_as_its_docstring_says(typed_off: Path) -> None:
    found = {row["name"]: row for row in json.loads(triptych(typed_off, "list", "metrics", "--json"))}
    assert (found["ver.plain"]["better"], found["ver.plain"]["from"]) == ("lower", "vowels-metric")
    subprocess.run([sys.executable, "-m", "doctest", "vowels.py"], cwd=typed_off, check=True, timeout=600)


@pytest.mark.parametrize("typed_off", ["condition"], indirect=True)
def test_a_condition_changes_what_is_sent_and_is_part_of_the_runs_name(typed_off: Path) -> None:
    ask = ("run", "cmdar/open", "--limit", "1", "--model", "baseline/first", "--condition", "shout:marks=3")
    triptych(typed_off, *ask, "--out", "run")
    assert json.loads((typed_off / "run/manifest.json").read_text("utf-8"))["conditions"] == ["shout:marks=3"]
    assert "!!!" in triptych(typed_off, *ask, "--out", "other", "--dry-run")
    assert "out of range" in triptych_error(typed_off, *ask[:-1], "shout:marks=10")


@pytest.mark.parametrize("typed_off", ["condition"], indirect=True)
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        (
            "return msgspec.structs.replace(item, parts=parts)",
            "msgspec.structs.replace(item, parts=parts)",
            "gave None",
        ),
        ("replace(item, parts=parts)", "replace(item, parts=parts, id=item.id + '!')", "gave another id"),
        ("    return Shout(", "    Shout(", "returns None; expected a Condition"),
        ("    def apply(", "    async def apply(", "apply is async"),
    ],
)
def test_a_run_with_a_faulty_condition_names_it_and_its_package(
    typed_off: Path, right: str, wrong: str, words: str
) -> None:
    module = typed_off / "shout.py"
    module.write_text(module.read_text("utf-8").replace(right, wrong), encoding="utf-8")
    error = triptych_error(typed_off, "run", "cmdar/open", "--model", "baseline/first", "--condition", "shout")
    assert words in error and "'shout" in error and "shout-condition" in error and "Traceback" not in error


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
def test_a_recipe_builds_the_questions_of_the_benchmark(typed_off: Path) -> None:
    _type_off(typed_off, "recipe")
    assert "ok" in triptych(typed_off, "check-plugin", "capitals-recipe")
    triptych(typed_off, "build", "capitals", "--config", "capitals.toml", "--to", "build")
    rows = [json.loads(line) for line in (typed_off / "build/out/questions.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["france", "kenya"]
    right = triptych(
        typed_off, "run", "capitals", "--data", "build/out", "--model", "baseline/reference", "--out", "run", "--json"
    )
    assert value(right, "official") == 100


@pytest.mark.parametrize("typed_off", ["benchmark"], indirect=True)
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("def write(config: Config, ", "def write(", "write can't be called with 4 arguments"),
        ("    start=start,", "    start=None,", "start is None"),
        ("    version=1,\n    about", "    version=0,\n    about", "version is 0"),
        ("    return [four_options]", "    return [four_options] * 2", "two stages have one name"),
        ('benchmark="capitals"', 'benchmark="nosuch"', "no benchmark 'nosuch'"),
        ("yield Start(", "yield (", "gives no Start"),
    ],
)
def test_a_faulty_recipe_is_refused_before_anything_is_built(
    typed_off: Path, right: str, wrong: str, words: str
) -> None:
    _type_off(typed_off, "recipe")
    module = typed_off / "capitals_recipe.py"
    module.write_text(module.read_text("utf-8").replace(right, wrong), encoding="utf-8")
    error = triptych_error(typed_off, "build", "capitals", "--config", "capitals.toml", "--to", "build")
    assert words in error and "Traceback" not in error and not (typed_off / "build/out").exists()
