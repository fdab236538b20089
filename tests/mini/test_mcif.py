"""The MCIF-like mini set as it ships: the released form and its generator's rules. Nothing is synthesised here."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import soundfile
from tools.mini import manifest, mcif_set

import triptych.benchmarks
from triptych.construction.tables import read_table

ROOT = Path(triptych.benchmarks.__file__).parent / "mcif" / "mini"
LANGUAGES = ("en", "de", "it", "zh")


def samples(name: str) -> list[ElementTree.Element]:
    return list(ElementTree.parse(ROOT / name).getroot().iter("sample"))


def test_files_are_those_of_the_manifest_and_small() -> None:
    assert manifest.differences(ROOT) == []
    assert sum(f.stat().st_size for f in ROOT.rglob("*") if f.is_file()) < 2_500_000


def test_ids_count_through_and_are_the_same_in_all_languages_but_for_what_is_transcribed_or_translated() -> None:
    for track in ("short", "long"):
        for prompts in ("fixed", "mixed"):
            en, de, it, zh = (
                [int(s.get("id") or -1) for s in samples(f"MCIF1.0.IF.{track}.{lang}.src.{prompts}prompts.xml")]
                for lang in LANGUAGES
            )
            assert de == it == zh and len(en) == len(de)
            assert sorted({*en, *de}) == list(range(len({*en, *de})))


def test_the_short_track_runs_in_the_long_tracks_order_without_summaries() -> None:
    for language in LANGUAGES:
        long, short = ([s.get("iid") for s in samples(f"MCIF1.0.IF.{t}.{language}.ref.xml")] for t in ("long", "short"))
        assert short == [iid for iid in long if not str(iid).startswith("SUM")]


def test_only_short_talks_join_samples_and_a_translation_has_its_sources_lines() -> None:
    for track in ("short", "long"):
        for language in LANGUAGES:
            for sample in samples(f"MCIF1.0.IF.{track}.{language}.ref.xml"):
                joined = "," in str(sample.get("id"))
                assert joined == (track == "short" and sample.get("task") in ("ASR", "TRANS"))
                if sample.get("task") == "TRANS":
                    lines = [str(sample.findtext(t)).count("\n") for t in ("reference", "metadata/transcript")]
                    assert lines[0] == lines[1] == 8


def test_questions_are_of_every_type_and_the_unanswerable_have_one_answer_a_language() -> None:
    for language in LANGUAGES:
        asked = [s for s in samples(f"MCIF1.0.IF.long.{language}.ref.xml") if s.get("task") == "QA"]
        assert Counter(s.get("qa_type") for s in asked) == {"A": 3, "V": 3, "AV": 3, "NA": 3}
        assert {s.get("qa_origin") for s in asked} == {"General", "Abstract", "Transcript"}
        assert len({s.findtext("reference") for s in asked if s.get("qa_type") == "NA"}) == 1


def test_what_only_a_slide_tells_is_not_said() -> None:
    rows = read_table(mcif_set.FOLDER / "questions.tsv", ["talk"])
    for name, talk in mcif_set.talks().items():
        said = (mcif_set.FOLDER / f"{name}.en").read_text(encoding="utf-8")
        shown = " ".join(line for slide in talk["slides"] for line in slide)
        for row in rows:
            if row["talk"] == name and row["type"] == "V":
                answer = row["answer_en"].rstrip(".").removeprefix("The ").removeprefix("In ").replace(" percent", " %")
                assert answer in shown
                assert answer not in said


def test_talks_are_half_a_minute_to_a_minute_and_segments_some_seconds() -> None:
    long = [soundfile.info(f).duration for f in (ROOT / "LONG_AUDIOS").iterdir()]
    short = [soundfile.info(f).duration for f in (ROOT / "SHORT_AUDIOS").iterdir()]
    assert all(30 < seconds < 60 for seconds in long)
    assert all(3 < seconds < 16 for seconds in short)


def test_a_video_lasts_as_long_as_its_sound_and_changes_its_slides() -> None:
    av = pytest.importorskip("av")
    for file in sorted((ROOT / "LONG_VIDEOS").iterdir()):
        with av.open(str(file)) as box:
            assert not box.streams.audio
            frames = [frame.to_ndarray(format="gray") for frame in box.decode(video=0)]
        seconds = soundfile.info(ROOT / "LONG_AUDIOS" / f"{file.stem}.ogg").duration
        assert len(frames) / mcif_set.SLIDES_FPS == pytest.approx(seconds, abs=3)
        cuts = sum(abs(a.astype(int) - b).mean() > 1 for a, b in pairwise(frames))
        assert cuts == 3
