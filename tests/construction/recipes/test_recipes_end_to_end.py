"""All four recipes from raw material to a benchmark, with every role filled by a model: over HTTP, and embedded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.mini import recipes

from tests.support.mock_process import MockProcess
from triptych import load_benchmark
from triptych.construction.build import Built, build

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

ROLES = {
    "mcga": ("maker", "validator_a", "validator_b", "validator_c", "asr_a", "asr_b"),
    "cmdar": ("recogniser", "audio_describer", "maker", "validator", "blind"),
    "mcs_bench": ("maker", "validator"),
    "mcif": ("recogniser", "translator"),
}
# The small language model repeats itself when it describes a recording, until its reply is cut; a recogniser does not.
HEARS = ("recogniser", "asr_a", "asr_b", "audio_describer")
CONFIGS = {
    "mcga": """
works = "few.csv"
year = 2026
readers = "one"
review = false
[stages.clip-text]
characters_per_second = 5.0
[stages.double-asr]
ok = {most}
reject = {most}
[stages.split]
shares = { test = 1.0 }
""",
    "cmdar": """
recordings = "few.csv"
choose = "all"
confirm_pairs = false
review = false
second_review = false
[stages.clips]
how = "whole"
[stages.describe-audio]
may_copy = true
""",
    "mcs_bench": """
pictures = "few.jsonl"
year = 2026
review = false
second_review = false
[tasks.T2]
how = "model"
[tasks.T17]
how = "description"
""",
    "mcif": """
talks = "few.csv"
questions = ["questions.tsv"]
languages = ["en", "de"]
drafts = ["transcripts", "translations"]
people = false
guideline = false
[stages.natural-voice]
synthetic = "keep"
[stages.clean-transcript]
wording = false
""",
}
# Tasks in which the small model gets as far as the last role that is asked, and the stages that ask
FEWER = {"mcga": 'tasks = ["asr", "s2tt"]\n', "cmdar": 'tasks = ["open"]\n'}
ASKED = {"mcga": {"s2tt", "validate", "double-asr"}, "cmdar": {"transcribe", "describe-audio", "open", "in-audio"}}
FEW = {
    "mcga": "id,title,author,author_died,genre,dynasty,text\n"
    "jingyesi,《静夜思》,李白,762,诗,唐,床前明月光，疑是地上霜。举头望明月，低头思故乡。\n",
    "cmdar": "id,path,story,licence\n"
    + "".join(f"homework_{n},recordings/homework_{n}.ogg,homework,cc0-1.0\n" for n in (1, 2)),
    "mcs_bench": "".join(
        json.dumps({"id": id, "image": f"images/{image}.jpg", "task": task, "licence": "cc0-1.0", **own}) + "\n"
        for id, image, task, own in (
            ("a", "page_analects", "T2", {"text": "子曰學而時習之不亦說乎"}),
            ("b", "painting_river", "T17", {"description": "云山、江水和一叶小舟"}),
            ("c", "page_mencius", "T7", {"answer": "孟子", "wrong": ["论语", "史记", "庄子"]}),
        )
    ),
    "mcif": "id,path,video,speaker,licence,abstract\nt1,t1.ogg,t1.mp4,Anna Keller,cc0-1.0,We count swifts by ear.\n",
}


def material(name: str, to: Path, models: str, most_errors: float) -> Path:
    """A few rows of a mini set's raw material, and a configuration that leaves nothing to people but recordings."""
    shutil.copytree(recipes.HERE / name, to)
    (to / ("few.jsonl" if name == "mcs_bench" else "few.csv")).write_text(FEW[name], encoding="utf-8")
    if name == "mcif":
        rows = (to / "questions.tsv").read_text(encoding="utf-8").splitlines()[:3]
        (to / "questions.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (to / "own.toml").write_text(
        "allow_same_family = true\n" + CONFIGS[name].replace("{most}", str(most_errors)) + models, encoding="utf-8"
    )
    return to / "own.toml"


def built(name: str, config: Path, to: Path) -> Built:
    """The build, after the synthetic readers returned their recordings."""
    done = build(name, config, to)
    while done.waiting and recipes.answer_tasks(name, to):
        done = build(name, config, to)
    return done


def checked(name: str, done: Built) -> None:
    """Every record was decided, the counts add up, and what was written is a benchmark without an error."""
    assert done.complete and not done.waiting, done.counts
    assert all(sum(each.decisions.values()) == each.came for each in done.counts)
    if done.written:
        bench = load_benchmark(name)
        assert list(bench.items(done.folder / "out"))
        assert not [p for p in bench.check(done.folder / "out") if p.severity == "error" and p.kind != "count"]


@pytest.fixture(scope="module")
def mock() -> Iterator[MockProcess]:
    with MockProcess(answer="json") as started:
        yield started


@pytest.mark.parametrize("name", ROLES)
def test_with_any_openai_compatible_endpoint(
    name: str, mock: MockProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    roles = "".join(f'[models.{r}]\nmodel = "openai/{r}"\nbase_url = "{mock.base_url}"\n' for r in ROLES[name])
    config = material(name, tmp_path / "raw", roles, most_errors=1.0)  # a mock hears nothing
    if name == "mcif":  # whatever a mock writes isn't German
        config.write_text(config.read_text(encoding="utf-8").replace(', "de"]', "]"), encoding="utf-8")
    mock.reset()
    done = built(name, config, tmp_path / "b")
    checked(name, done)
    assert done.written, done.counts
    asked = mock.stats()
    media = {medium.split()[0] for entry in asked["requests"].values() for medium in entry["media"]}
    assert media == {"mcs_bench": {"image"}}.get(name, {"audio"})
    assert built(name, config, tmp_path / "b").complete
    assert mock.stats()["received"] == asked["received"], "what is journaled was asked again"


@pytest.mark.weights
@pytest.mark.slow
@pytest.mark.parametrize("name", ROLES)
def test_offline_with_the_embedded_cascade(name: str, tmp_path: Path) -> None:
    from triptych.models.weights.resolver import Resolver

    for weights in ("qwen2.5-coder-0.5b", "whisper-base"):
        if Resolver().missing_files(weights):
            pytest.skip(f"needs the weights {weights} (make demo fetches them)")
    roles = "".join(
        f'[models.{role}]\nmodel = "local/{"asr" if role in HEARS else "cascade"}"\n' for role in ROLES[name]
    )
    config = material(name, tmp_path / "raw", roles, most_errors=0.75)
    if name in FEWER:  # a small model takes half a minute for each; the endpoint above was asked for all
        config.write_text(FEWER[name] + config.read_text(encoding="utf-8"), encoding="utf-8")
    if name == "cmdar":
        few = config.with_name("few.csv")
        few.write_text("\n".join(few.read_text(encoding="utf-8").splitlines()[:2]) + "\n", encoding="utf-8")
    done = built(name, config, tmp_path / "b")
    checked(name, done)
    if name == "mcif":  # the small model leaves lines in English, and a talk that lacks a language is dropped
        assert not done.written and all(each.reasons for each in done.counts if each.decisions.get("dropped"))
        config.write_text(config.read_text(encoding="utf-8").replace(', "de"]', "]"), encoding="utf-8")
        done = built(name, config, tmp_path / "b")
        checked(name, done)
    assert done.written and ASKED.get(name, set()) <= {each.stage for each in done.counts if each.came}
