"""Tests of `construction/recipes/_mcif_release.py`: the files of a release of MCIF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.recipes import test_mcif
from tests.construction.recipes.test_mcif import Material, references, sources
from triptych import load_benchmark
from triptych.benchmarks.mcif.names import LANGUAGES
from triptych.benchmarks.mcif.pools import wording_of
from triptych.construction.build import build
from triptych.construction.recipes.mcif import clean_lines

pytest.importorskip("av", reason="PyAV comes with the extra [local]")

material = test_mcif.material


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release that is built from the material as it is."""
    base = tmp_path_factory.mktemp("release")
    (base / "raw").mkdir()
    build("mcif", Material(base / "raw").config(), base / "b")
    return base / "b/out"


def test_hostile_texts_come_back_from_the_files_as_they_went_in(material: Material, tmp_path: Path) -> None:
    material.talks, material.questions = material.talks[:1], [material.questions[1] for _ in NASTY]
    for language in LANGUAGES:
        (material.base / f"t1.{language}").write_bytes("\n".join(NASTY).encode())
    material.questions = [
        {**row, **{f"{what}_{x}": text.replace("\x00", "") for x in LANGUAGES for what in ("question", "answer")}}
        for row, text in zip(material.questions, NASTY, strict=True)
    ]
    material.talks[0] |= {"title": NASTY[0], "speaker": NASTY[1], "abstract": " ".join(NASTY[:2])}
    named = ("question-form", "clean-transcript", "languages", "parallel-lines")
    build("mcif", material.config(*(f"[stages.{name}]\nwording = false" for name in named)), tmp_path / "b")
    out, clean = tmp_path / "b/out", clean_lines("\n".join(NASTY))
    assert len(clean) == len(NASTY) and clean[2] == "abc[31m" and clean[4] == "line and paragraph end"
    by_iid = {r.iid: r for r in references(out, "long", "de")}
    assert by_iid["TRANS_1"].text.split("\n") == by_iid["TRANS_1"].transcript.split("\n") == clean
    told = {s.id: s.instruction for s in sources(out, "long", "de")}
    kept = {r.iid: r for r in by_iid.values() if r.kind == "QA"}
    assert len(kept) >= len(NASTY) - 2
    for iid, reference in kept.items():
        expected = clean[int(iid.rpartition("_")[2]) - 1]
        assert reference.text == expected and told[reference.ids[0]].endswith(expected)
    assert not [p for p in load_benchmark("mcif").check(out) if p.severity == "error"]


def test_ids_prompts_and_clips_follow_the_generators_rules(release: Path) -> None:
    out = release
    ids = {language: {r.iid: r.ids for r in references(out, "long", language)} for language in LANGUAGES}
    assert ids["de"] == ids["it"] == ids["zh"]
    shared = set(ids["en"]) & set(ids["de"])
    assert all(ids["en"][iid] == ids["de"][iid] for iid in shared) and len(shared) == 12 + 3
    numbers = {int(i) for own in (ids["en"], ids["de"]) for each in own.values() for i in each}
    assert numbers == set(range(3 + 3 + 12 + 3))
    for language in LANGUAGES:
        long = sorted(references(out, "long", language), key=lambda r: int(r.ids[0]))
        short = sorted(references(out, "short", language), key=lambda r: int(r.ids[0]))
        assert [r.iid for r in short] == [r.iid for r in long if r.kind != "SUM"]
        assert all(len(r.ids) > 1 for r in short if r.kind in ("ASR", "TRANS"))
        fixed, mixed = (sources(out, "short", language, prompts) for prompts in ("fixed", "mixed"))
        assert {wording_of(s.instruction)[2] for s in fixed} == {1}  # type: ignore[index]
        told = {s.id: s.instruction for s in mixed}
        assert all(len({told[i] for i in r.ids}) == 1 for r in short if r.kind != "QA")
        assert {wording_of(s.instruction)[2] for s in mixed} != {1}  # type: ignore[index]
    texts = {s.id for s in sources(out, "long", "en") if "text" in s.files}
    assert texts == {r.ids[0] for r in references(out, "long", "en") if r.kind != "ASR"}
    assert not any("text" in s.files for s in sources(out, "short", "en"))
    assert len(list((out / "LONG_TEXTS").iterdir())) == 3


def test_two_builds_are_the_same_byte_for_byte(release: Path, material: Material, tmp_path: Path) -> None:
    """The other one is of the same material in another folder."""
    build("mcif", material.config(), tmp_path / "b")
    files = [
        {p.relative_to(o): p.read_bytes() for p in o.rglob("*") if p.is_file()} for o in (release, tmp_path / "b/out")
    ]
    assert files[0] and files[0] == files[1]


def test_media_that_may_not_be_passed_on_leave_as_address_and_time_span(material: Material, tmp_path: Path) -> None:
    material.talks[0]["licence"] = "cc-by-nc-nd-4.0"
    config = material.config('[stages.rights]\nreference_only = ["cc-by-nc-nd-4.0"]')
    assert build("mcif", config, tmp_path / "b").complete
    out = tmp_path / "b/out"
    rows = [json.loads(line) for line in (out / "media.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all((out / row["file"]).exists() == row["passed_on"] == (row["talk"] != "t1") for row in rows)
    held = {(row["source"], row["begin"]) for row in rows if not row["passed_on"]}
    assert ("t1.ogg", 0) in held and ("t1.mp4", 0) in held
    there = {p.relative_to(out).as_posix() for p in out.glob("*_[AV]*/*")}
    assert there == {row["file"] for row in rows if row["passed_on"]}


NASTY = [
    "<reference>&lt;![CDATA[ ]]></reference>",
    "&amp; & &#0; \"quoted\" 'so'",
    "a\x00b\x08c\x1b[31m",
    "\ufeffmark\ufffe",
    "line\u2028and\u2029paragraph\x85end",
    "<!DOCTYPE x [<!ENTITY y 'z'>]>&y;",
    "{QUESTION} {source} {0} %s $x",
    "=1+1",
    "e\u0301 \u202eright\u202c 👩‍🔬 𝔘",
    "\tblanks \u00a0 and\r",
    "-- --> <?pi ?>",
    "x" * 5000,
]
