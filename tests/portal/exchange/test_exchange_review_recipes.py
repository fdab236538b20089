"""The stages of MCGA, CMDAR, MCS-Bench and MCIF that ask reviewers, done on the pages: push, review, pull, build."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.construction.recipes import test_cmdar as cmdar
from tests.construction.recipes import test_mcga as mcga
from tests.construction.recipes import test_mcif as mcif
from tests.construction.recipes import test_mcs_bench as mcs_bench
from tests.portal.conftest import Visitor, visitor
from tests.portal.exchange.test_exchange import lines
from tests.portal.review.test_review import send
from triptych.construction.build import Built, build
from triptych.models import registry
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push
from triptych.portal.project import Portal

config_of_cmdar, config_of_mcga, material = cmdar.config, mcga.config, mcif.material
pytestmark = pytest.mark.slow


def reasons(built: Built) -> dict[str, dict[str, int]]:
    return {each.stage: each.reasons for each in built.counts}


def review(portal: Portal, to: Path, stage: str, who: Visitor, *given: dict[str, Any]) -> int:
    """Push a stage, do its tasks on the pages, each with the next of the given values, and pull the results."""
    made = push(Local(portal), to, stage)
    assert made.kind == "review" and made.open
    number = 0
    while found := re.search(r'data-task="(\d+)"', page := who.client.get(f"/review/{stage}").text):
        for source in re.findall(r'src="(/shown/[^"]+)"', page):
            answer = who.client.get(source)
            kind = answer.headers["content-type"].partition("/")[0]
            assert answer.status_code == 200 and kind in ("audio", "image", "video")
        values = given[min(number, len(given) - 1)]
        receipt = send(who, int(found[1]), values, path=f"/review/{stage}")
        assert receipt.status_code == 201, receipt.text
        number += 1
    assert pull(Local(portal), to, stage).results == number == made.open
    return number


def _offered(portal: Portal, to: Path, stage: str, who: Visitor) -> str:
    push(Local(portal), to, stage)
    return who.client.get(f"/review/{stage}").text


def test_scenes_pairs_and_questions_of_cmdar(config_of_cmdar: Path, tmp_path: Path, small: Portal) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    to, who = tmp_path / "build", visitor(small, "reviewer")
    build("cmdar", config_of_cmdar, to)
    review(small, to, "scenes", who, {"take": "no", "why": "太安静"}, {"take": "yes"})
    assert reasons(build("cmdar", config_of_cmdar, to))["scenes"] == {"dropped: scene-not-chosen": 1}
    review(small, to, "confirm-pairs", who, {"related": "no"}, {"related": "yes"})
    assert "dropped: pair-not-related" in reasons(build("cmdar", config_of_cmdar, to))["confirm-pairs"]
    rejected = {"verdict": "reject", "criterion": ["ambiguous", "names a video or a description"]}
    edited = {"verdict": "edit", "question": "他们究竟为什么停下？", "timestamps": "3-9; 12.5-14"}
    review(small, to, "review", who, rejected, edited, {"verdict": "approve", "timestamps": "3-9"})
    done = build("cmdar", config_of_cmdar, to)
    assert reasons(done)["review"] == {"dropped: rejected-in-review": 1, "revised: edited-in-review": 1}
    assert not re.search(r'data-task="(\d+)"', _offered(small, to, "second-review", who))  # who did the first review
    review(small, to, "second-review", visitor(small, "reviewer"), {"verdict": "approve"})
    done = build("cmdar", config_of_cmdar, to)
    assert done.complete and done.written
    rows = [row for path in sorted((to / "out").glob("MDAR-*.json")) for row in json.loads(path.read_text("utf-8"))]
    assert "他们究竟为什么停下？" in {row["question"] for row in rows}


def test_sound_questions_and_answers_of_mcga(config_of_mcga: Path, tmp_path: Path, small: Portal) -> None:
    for package in ("pypinyin", "datasketch"):
        pytest.importorskip(package, reason=f"{package} comes with the extra [build]")
    to, who = tmp_path / "build", visitor(small, "reviewer")
    build("mcga", config_of_mcga, to)
    mcga.TEXTS.update({task["id"]: task["shows"]["text"] for task in lines(to / "tasks/record.jsonl")})
    mcga.record_everything(to)
    build("mcga", config_of_mcga, to, ask=False)
    mcga.hear(to)
    assert build("mcga", config_of_mcga, to).waiting
    number = review(small, to, "inspect", who, {"score": "1", "fault": "noise"}, {"score": "5"})
    done = build("mcga", config_of_mcga, to)
    assert reasons(done)["inspect"]["dropped: recording-rejected"] > 1 < number  # one verdict, for all of its tasks
    refused = {"verdict": "reject", "fault": "ambiguous"}
    review(small, to, "review", who, refused, {"verdict": "approve"})
    done = build("mcga", config_of_mcga, to)
    if done.waiting:  # captions of the split's recordings, if one of them passed
        review(small, to, "review-sec", who, {"verdict": "approve"})
        done = build("mcga", config_of_mcga, to)
    assert reasons(done)["review"].keys() == {"dropped: rejected-in-review"}
    assert done.complete and done.written
    mcga.HEARD.clear()


def test_the_second_expert_and_the_native_supervisor_of_mcif(
    material: mcif.Material, tmp_path: Path, small: Portal
) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    material.talks, material.questions = material.talks[:1], material.questions[:2]
    material.talks[0].pop("translation_de")
    config = material.config(
        'languages = ["en", "de"]',
        'drafts = ["translations"]',
        "second_expert = true",
        "native = true",
        roles=["translator"],
    )
    to, who = tmp_path / "build", visitor(small, "reviewer")
    build("mcif", config, to)
    question = lines(to / "tasks/second-expert.jsonl")[0]["shows"]["question"]
    edited = {"verdict": "edit", "question": question.replace("?", ", exactly?"), "end": "4.5"}
    review(small, to, "second-expert", who, edited, {"verdict": "approve"})
    done = build("mcif", config, to)
    assert reasons(done)["second-expert"] == {"revised: edited-in-review": 1}
    mcif.answer(to, "post-edit", lambda task: {"text": "\n".join(task["shows"]["draft"])})
    build("mcif", config, to)
    target = lines(to / "tasks/supervise.jsonl")[0]["shows"]["target"]
    changed = "\n".join([f"{target[0]} (genau)", *target[1:]])
    review(small, to, "supervise", who, {"verdict": "edit", "target": changed}, {"verdict": "approve"})
    done = build("mcif", config, to)
    assert done.complete and reasons(done)["supervise"] == {"revised: edited-in-review": 1}
    out = "".join(path.read_text(encoding="utf-8") for path in (to / "out").glob("*.xml"))
    assert ", exactly?" in out and "(genau)" in out


def test_pictures_and_questions_of_mcs_bench(tmp_path: Path, small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcs_bench", ""))
    texts = ["學而時習之", "溫故而知新", "己所不欲勿施於人"]
    for seed in range(len(texts)):
        mcs_bench.drawn(seed).save(tmp_path / f"{seed}.png")
    rows = [
        {"id": f"p{n}", "image": f"{n}.png", "task": "T1", "answer": text, "licence": "cc0-1.0"}
        for n, text in enumerate(texts)
    ]
    (tmp_path / "pictures.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    models = '[models.maker]\nmodel = "stand-in/maker"\n[models.validator]\nmodel = "stand-in/validator"\n'
    config, to = tmp_path / "recipe.toml", tmp_path / "build"
    config.write_text(f'pictures = "pictures.jsonl"\n{models}', encoding="utf-8")
    build("mcs_bench", config, to)
    who = visitor(small, "reviewer")
    mismatch = {"verdict": "remove", "faults": ["no match of text and picture"]}
    review(
        small,
        to,
        "review",
        who,
        mismatch,
        {"verdict": "revise", "answer": "溫故而知新乎"},
        {"verdict": "approve"},
    )
    done = build("mcs_bench", config, to)
    assert reasons(done)["review"] == {"dropped: removed-in-review": 1, "revised: revised-in-review": 1}
    assert not re.search(r'data-task="(\d+)"', _offered(small, to, "second-review", who))  # who did the first review
    review(small, to, "second-review", visitor(small, "reviewer"), {"verdict": "approve"})
    done = build("mcs_bench", config, to)
    made = json.loads((to / "out/MCS-Bench.json").read_text(encoding="utf-8"))
    assert done.complete and [row["Answer_Traditional"] for row in made] == ["溫故而知新乎", "己所不欲勿施於人"]
