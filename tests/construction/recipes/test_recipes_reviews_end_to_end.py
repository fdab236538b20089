"""Edits, rejections and disagreements in every field of MCS-Bench, MCIF and XModBench reach the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.people.test_reviews import reasons, say
from tests.construction.recipes import test_mcif as mcif_material
from tests.construction.recipes import test_xmodbench as xmodbench_material
from tests.construction.recipes.test_mcs_bench import drawn
from triptych.construction.build import Built, build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes.mcs_bench import chinese_marks, written

speaker, material = xmodbench_material.speaker, mcif_material.material


def note_of(folder: Path, stage: str, record: str) -> str:
    line = BuildFolder(folder).find(stage, record)
    assert line is not None
    return line.outcome.note


# MCS-Bench

PICTURES = [
    {"id": "fixed", "task": "T1", "answer": "余聞之。皇后在里中"},
    {"id": "word", "task": "T5", "question": "說", "answer": "高兴", "wrong": ["说话", "劝说", "学说"]},
    {"id": "choice", "task": "T7", "answer": "论语", "wrong": ["史记", "庄子", "孟子"]},
    {"id": "asked", "task": "T21", "question": "画中有几只鸟?", "answer": "画中有三只鸟, 都在树上."},
    {"id": "gone", "task": "T21", "question": "画中有什么?", "answer": "一座山。"},
    {"id": "empty", "task": "T21", "answer": "一座山。"},
]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")
    for seed, row in enumerate(PICTURES):
        drawn(seed).save(tmp_path / f"{seed}.png")
        row |= {"image": f"{seed}.png", "licence": "cc0-1.0"}
    rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in PICTURES)
    (tmp_path / "pictures.jsonl").write_text(rows, encoding="utf-8")
    config = tmp_path / "recipe.toml"
    config.write_text(
        'pictures = "pictures.jsonl"\nmatch = false\nsecond_review = false\nallow_guessable = true\n', encoding="utf-8"
    )
    return config


def released(folder: Path) -> dict[str, dict[str, Any]]:
    rows = json.loads((folder / "out/MCS-Bench.json").read_text(encoding="utf-8"))
    samples = [json.loads(x) for x in (folder / "out/samples.jsonl").read_text(encoding="utf-8").splitlines()]
    return {sample["record"]: row for sample, row in zip(samples, rows, strict=True)}


def test_mcs_bench_edits_of_every_field_are_released_in_both_scripts(pictures: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    build("mcs_bench", pictures, to)
    edits: dict[str, dict[str, Any]] = {
        "fixed": {"verdict": "approve", "why": "checked against the page"},
        "word": {"verdict": "revise", "question": "悅", "answer": "B"},
        "choice": {"verdict": "revise", "options": ["论语集注", "史记", "庄子", "荀子"]},
        "asked": {"verdict": "revise", "question": "画中有多少只鸟?", "answer": "画中有四只鸟."},
        "gone": {"verdict": "remove", "faults": ["answer wrong"], "answer": "两座山。"},
        "empty": {"verdict": "approve"},
    }
    say(to, "review", "R1", lambda task: edits[task["id"]])
    done = build("mcs_bench", pictures, to)
    assert done.complete and reasons(done, "standard-question") == {"dropped: empty-question": 1}
    rows = released(to)
    assert rows.keys() == {"fixed", "word", "choice", "asked"}
    assert rows["fixed"]["Answer_Traditional"] == "余聞之。皇后在里中"  # the original, not what a converter makes of it
    assert rows["fixed"]["Answer_Simplified"] == "余闻之。皇后在里中"
    word = rows["word"]
    assert "“悅”一词" in word["Question_Traditional"].replace("詞", "词") and "“悦”" in word["Question_Simplified"]
    assert f"{word['Answer_Simplified']}、说话" in word["Question_Simplified"]
    choice = rows["choice"]
    assert f"{choice['Answer_Simplified']}、论语集注" in choice["Question_Simplified"] and "孟子" not in str(choice)
    assert rows["asked"]["Question_Simplified"] == "画中有多少只鸟？"
    assert rows["asked"]["Answer_Simplified"] == "画中有四只鸟。" and "畫" in rows["asked"]["Answer_Traditional"]
    assert "answer: 两座山。" in note_of(to, "review", "gone") and "answer wrong" in note_of(to, "review", "gone")
    assert "checked against the page" in note_of(to, "review", "fixed")  # also what is said with an approval


def test_mcs_bench_fixed_words_and_disagreements(pictures: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    build("mcs_bench", pictures, to)
    say(
        to,
        "review",
        "R1",
        lambda task: (
            {"verdict": "approve"}
            if task["id"] != "fixed"
            else {"verdict": "revise", "answer": "另一段文字", "question": "请识别文字"}
        ),
    )
    held = build("mcs_bench", pictures, to)
    assert reasons(held, "review") == {"pending: result-refused": 1}
    assert "question can't be edited: T1 asks" in note_of(to, "review", "fixed")
    say(to, "review", "R1", lambda task: {"verdict": "approve"} if task["id"] == "fixed" else None)
    different: dict[str, dict[str, Any]] = {
        "word": {"verdict": "revise", "answer": "C"},
        "choice": {"verdict": "revise", "options": ["论语", "史记", "庄子", "荀子"]},
        "asked": {"verdict": "revise", "question": "画中有多少只鸟？"},
        "gone": {"verdict": "remove", "faults": ["answer wrong"]},
    }
    say(to, "review", "R2", lambda task: different.get(task["id"], {"verdict": "approve"}))
    assert reasons(build("mcs_bench", pictures, to), "review") == {"pending: disagreement": 4}
    say(to, "review", "R3", lambda task: different.get(task["id"]), settles=True)
    done = build("mcs_bench", pictures, to)
    assert done.complete
    rows = released(to)
    assert "gone" not in rows and "荀子" in str(rows["choice"]) and "多少" in str(rows["asked"])


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("王曰:叟,不远千里(1,000 li)而来.", "王曰：叟，不远千里（1,000 li）而来。"),
        ("1:30, 2.5 and 3", "1:30, 2.5 and 3"),
        ("见图1.5,共3人;其余(两人)不详!", "见图1.5，共3人；其余（两人）不详！"),
        ("省略...号", "省略...号"),
    ],
)
def test_chinese_marks(text: str, made: str) -> None:
    assert chinese_marks(text) == made


def test_an_original_keeps_its_characters() -> None:
    pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")
    assert written("余聞之。皇后在里中", "traditional") == "余聞之。皇后在里中"
    assert written("学而时习之", "traditional") == "學而時習之"


# XModBench


def photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Built:
    """Eight sounds with pictures and a text, and four translations of recorded sentences."""
    monkeypatch.chdir(tmp_path)
    names = ["dog", "cat", "bell", "rain", "train", "clock", "drum", "horn", "saw"]
    rows = []
    for seed, name in enumerate(names):
        (tmp_path / f"{name}.wav").write_bytes(xmodbench_material.said(name * 3))
        drawn(seed + 20).save(tmp_path / f"{name}.png")
        rows.append(
            {
                "id": name,
                "subtask": "general",
                "text": f"a {name}",
                "audio": f"{name}.wav",
                "image": f"{name}.png",
                "category": name,
            }
        )
    rows += xmodbench_material.sentences()[:4]
    xmodbench_material.table(tmp_path, rows)
    config = xmodbench_material.config(review=True, allow_guessable=True, **more)
    return build("xmodbench", config, tmp_path / "b")


def test_xmodbench_a_row_is_reviewed_once_for_all_questions_that_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "b"
    assert photographs(tmp_path, monkeypatch).waiting == 13
    said: dict[str, dict[str, Any]] = {
        "dog": {"verdict": "edit", "text": "a dog that barks"},
        "cat": {"verdict": "reject", "fault": "audio", "why": "a voice speaks over it"},
        "s00": {"verdict": "edit", "text": "She had a bicycle on Monday."},
        "bell": {"verdict": "edit", "target_text": "a bell tower"},
    }
    say(to, "review-forms", "R1", lambda task: said.get(task["id"], {"verdict": "approve"}))
    held = photographs(tmp_path, monkeypatch)
    assert reasons(held, "review-forms")["pending: result-refused"] == 2
    assert "correct the table" in note_of(to, "review-forms", "s00")
    assert "edit `text`" in note_of(to, "review-forms", "bell")
    say(to, "review-forms", "R1", lambda task: {"verdict": "approve"} if task["id"] in ("s00", "bell") else None)
    say(to, "review-forms", "R2", lambda task: {"verdict": "reject", "why": "no"} if task["id"] == "saw" else None)
    held = photographs(tmp_path, monkeypatch)
    assert reasons(held, "review-forms")["pending: disagreement"] == 1
    say(to, "review-forms", "R3", lambda task: {"verdict": "approve"} if task["id"] == "saw" else None, settles=True)
    photographs(tmp_path, monkeypatch)
    tasks = say(
        to,
        "review",
        "R1",
        lambda task: (
            {"verdict": "reject", "also_right": ["3"]}
            if task["id"] == "rain"
            else {"verdict": "approve", "why": "clear"}
        ),
    )
    assert len(tasks) == 12
    again = photographs(tmp_path, monkeypatch)
    assert again.waiting == 1 and "candidate C is correct too" in note_of(to, "review", "rain")
    (task,) = say(to, "review-again", "R1", lambda task: {"verdict": "approve"})
    shown = [form["text"] for form in task["shows"]["candidates"]]
    before = next(each for each in tasks if each["id"] == "rain")["shows"]["candidates"]
    assert before[2]["text"] not in shown and len(set(shown)) == 4
    assert {before[n]["text"] for n in (0, 1, 3)} < set(shown)
    done = photographs(tmp_path, monkeypatch)
    assert done.complete and done.written
    out = "".join(
        p.read_text(encoding="utf-8") for p in (to / "out").rglob("*.json") if "sounds" in str(p) or "general" in str(p)
    )
    assert "a dog that barks" in out and '"a dog"' not in out  # as an answer, and as a distractor
    assert "a cat" not in out  # neither as an answer nor as a distractor


def test_xmodbench_wrong_options_are_edited_one_by_one_before_they_are_spoken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = ["She had a bike.", "She saw a boat.", "She lost a bicycle."]
    rows = [
        {"id": "a", "subtask": "recognition", "text": "She had a bicycle.", "wrong": "|".join(wrong)},
        {
            "id": "b",
            "subtask": "translation",
            "text": "I am proud.",
            "target_text": "我很自豪。",
            "wrong": "我很难过。|我很冷。|我很高。|我很老。",
        },
    ]
    config = xmodbench_material.config(review=True, allow_guessable=True)
    to = tmp_path / "b"

    def made() -> Built:
        xmodbench_material.table(tmp_path, rows)
        return build("xmodbench", config, to)

    assert made().waiting == 2
    said: dict[str, dict[str, Any]] = {
        "a": {"verdict": "edit", "wrong_options": ["She had a bike.", "She had a boat.", "She had a bike!"]},
        "b": {
            "verdict": "edit",
            "target_text": "我感到自豪。",
            "wrong_options": ["我很难过。", "I am cold.", "我很高。", "我很老。"],
        },
    }
    say(to, "review-texts", "R1", lambda task: said[task["id"]])
    held = made()
    assert reasons(held, "review-texts") == {"pending: result-refused": 2}
    assert "says the same as another option" in note_of(to, "review-texts", "a")
    assert "not in the language zh" in note_of(to, "review-texts", "b")
    said["a"]["wrong_options"][2] = "She sold a bicycle."
    said["b"]["wrong_options"][1] = "我很热。"
    say(to, "review-texts", "R1", lambda task: said[task["id"]])
    made()
    say(to, "review-forms", "R1", lambda task: {"verdict": "approve"})
    made()
    # The fourth wrong text of the row takes the place of one that is correct too.
    first = {"verdict": "reject", "also_right": ["4"]}
    say(to, "review", "R1", lambda task: first if task["id"] == "b" else {"verdict": "approve"})
    made()
    say(to, "review-again", "R1", lambda task: {"verdict": "approve"})
    assert made().complete
    texts = {"a": set(), "b": set()}  # type: dict[str, set[str]]
    for path in (to / "out").rglob("*_vision_text.json"):
        for row in json.loads(path.read_text(encoding="utf-8")):
            texts["b" if "translation" in path.as_posix() else "a"] |= {o["input"] for o in row["options"].values()}
    assert texts["a"] == {"She had a bicycle.", "She had a bike.", "She had a boat.", "She sold a bicycle."}
    assert texts["b"] == {"我感到自豪。", "我很难过。", "我很热。", "我很老。"}


# MCIF


def test_mcif_what_listeners_writers_and_translators_say(material: Any, tmp_path: Path) -> None:
    material.talks, to = material.talks[:2], tmp_path / "b"
    material.questions = [row for row in material.questions if row["talk"] in ("t1", "t2")]
    del material.talks[1]["transcript"]
    for row in (material.talks[1], *material.questions):
        for name in [n for n in row if n.endswith("_de") or (n.startswith("translation") and row is material.talks[1])]:
            del row[name]
    material.talks[1]["voice"] = ""
    roles = ["recogniser", "translator"]
    languages = ('drafts = ["transcripts", "translations"]', 'languages = ["en", "de"]')
    config = material.config(*languages, mcif_material.ANY_LENGTH, roles=roles)
    build("mcif", config, to)
    say(to, "listen", "L1", lambda task: {"voice": "human", "sound": "good", "why": "a cough at 0:05"})
    say(to, "listen", "L2", lambda task: {"voice": "synthetic"})
    assert reasons(build("mcif", config, to), "listen") == {"pending: disagreement": 1}
    say(to, "listen", "L3", lambda task: {"voice": "human", "sound": "good", "why": "a cough at 0:05"}, settles=True)
    build("mcif", config, to)
    assert "a cough at 0:05" in note_of(to, "listen", "t2")
    say(to, "transcribe", "W1", lambda task: {"transcript": "Hello, all.\nGoodbye."})
    say(to, "transcribe", "W2", lambda task: {"transcript": "Hello all of you.\nGoodbye."})
    assert reasons(build("mcif", config, to), "transcribe") == {"pending: disagreement": 1}
    say(to, "transcribe", "W3", lambda task: {"transcript": "Hello all of you.\nGoodbye."}, settles=True)
    build("mcif", config, to)
    draft = lambda task: {"text": "\n".join(task["shows"]["draft"])}  # noqa: E731
    say(
        to,
        "post-edit",
        "T1",
        lambda task: (
            draft(task) | ({"source_fault": "the speaker says “rivers”"} if task["id"] == "t2/talk/de" else {})
        ),
    )
    held = build("mcif", config, to)
    assert reasons(held, "post-edit")["pending: source-fault"] == 1
    assert "T1: the speaker says “rivers”" in note_of(to, "post-edit", "t2/talk/de")
    say(
        to,
        "post-edit",
        "T2",
        lambda task: {"text": "Hallo zusammen.\nTschüss."} if task["id"] == "t2/talk/de" else None,
        settles=True,
    )
    done = build("mcif", config, to)
    assert done.complete, done.counts
    by_iid = {r.iid: r for r in mcif_material.references(to / "out", "long", "de")}
    assert by_iid["TRANS_2"].text == "Hallo zusammen.\nTschüss."
    assert by_iid["TRANS_2"].transcript == "Hello all of you.\nGoodbye."
