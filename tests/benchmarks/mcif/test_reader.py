"""Source and reference files -> Items: Units of several, Instances across languages, what each modality is asked."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.benchmarks.mcif.editions import edition, reference, source, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError
from triptych.records import Item, Problem
from triptych.scoring.stored.units import group_units

MCIF = load_benchmark("mcif")


def by_id(items: list[Item]) -> dict[str, Item]:
    return {item.id.removeprefix("mcif/"): item for item in items}


def test_a_sample_is_an_item_for_each_modality_that_is_asked(tmp_path: Path) -> None:
    items = by_id(list(MCIF.items(edition(tmp_path))))
    assert set(items) == {
        *(f"short/en/{m}/fixed/{id_}" for m in ("audio", "audio_video") for id_ in "0312"),
        *(f"short/en/video/fixed/{id_}" for id_ in "03"),
    }
    audio = items["short/en/audio/fixed/1"]
    assert [(p.kind, p.path, p.text) for p in audio.parts] == [
        ("audio", "SHORT_AUDIOS/s1.wav", ""),
        ("text", "", "Transcribe the English content."),
    ]
    both = items["short/en/audio_video/fixed/0"]
    assert [p.kind for p in both.parts] == ["video", "audio", "text"]
    assert both.facets == {
        "track": "short",
        "language": "en",
        "kind": "QA",
        "modality": "audio_video",
        "prompts": "fixed",
        "acronym": "AVQA",
        "qa_type": "AV",
        "qa_origin": "General",
        "wording": "1",
    }
    assert items["short/en/audio/fixed/3"].target == "Nobody."


def test_a_talk_is_one_unit_in_the_references_order_whatever_the_files_is(tmp_path: Path) -> None:
    edition(tmp_path)
    write(tmp_path, "MCIF1.0.short.en.ref.xml.gz", reference(ids="2,1"))
    items = [i for i in MCIF.items(tmp_path) if i.task.endswith("ASR") and i.facets["modality"] == "audio"]
    assert [i.id[-1] for i in items] == ["1", "2"]
    (unit,) = group_units(items, [])
    assert [i.id[-1] for i in unit.items] == ["2", "1"]
    assert unit.item.target == "I saw two birds. They sang."
    assert unit.items[1].target == ""
    assert (unit.unit_id, unit.item.instance_id) == ("mcif/short/en/audio/fixed/ASR_1", "mcif/ASR_1")


def test_a_translation_keeps_its_lines_and_their_source(tmp_path: Path) -> None:
    items = by_id(list(MCIF.items(edition(tmp_path, "de"))))
    first = items["short/de/audio/fixed/1"]
    assert first.target == "Ich sah zwei Vögel.\nSie sangen."
    assert first.hidden == {"source": "I saw two birds.\nThey sang."}
    assert not items["short/de/audio/fixed/2"].hidden
    sent = [p.text for p in first.parts]
    assert not any("sah" in text or "saw" in text for text in sent)


def test_instances_are_shared_by_languages_and_modalities(tmp_path: Path) -> None:
    items = list(MCIF.items(edition(tmp_path, "en", "de")))
    assert Counter(i.instance for i in items if i.task.endswith("QA")) == {"mcif/QA_1_1": 6, "mcif/QA_1_2": 6}


def test_without_sources_there_is_something_to_score_against_and_nothing_to_ask(tmp_path: Path) -> None:
    path = write(tmp_path, "any name.xml", reference("de"))
    items = list(MCIF.items(path))
    assert [i.id for i in items] == [f"mcif/short/de/{id_}" for id_ in "1203"]
    assert all(not i.parts and "modality" not in i.facets for i in items)


def test_without_references_the_wording_tells_the_task_and_nothing_the_target(tmp_path: Path) -> None:
    edition(tmp_path, "de")
    (tmp_path / "MCIF1.0.short.de.ref.xml.gz").unlink()
    items = [i for i in MCIF.items(tmp_path) if i.facets["modality"] == "audio"]
    assert Counter(i.task for i in items) == {"mcif/short/de/QA": 2, "mcif/short/de/TRANS": 2}
    assert {i.target for i in items} == {None}
    assert len({i.unit_id for i in items}) == 4


def test_a_sample_that_nothing_tells_of_is_reported(tmp_path: Path) -> None:
    edition(tmp_path)
    write(tmp_path, "MCIF1.0.IF.short.en.src.fixedprompts.xml", source(questions="0,3,9"))
    problems: list[Problem] = []
    items = list(MCIF.items(tmp_path, None, problems.append))
    assert not any(i.id.endswith("/9") for i in items)
    assert {p.kind for p in problems} == {"task-unknown"}
    with pytest.raises(DataError, match="its task is unknown"):
        list(MCIF.items(tmp_path))


def test_a_path_that_leads_out_is_never_read(tmp_path: Path) -> None:
    """Text is read while Items are made; other media are resolved when they are sent, by the same rules."""
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    data = tmp_path / "data"
    data.mkdir()
    sample = (
        "<testset><task track='long' text_lang='en'><sample id='0'><text_path>{}</text_path>"
        "<instruction>Summarize the English content in an abstract of approximately 200 words.</instruction>"
        "</sample></task></testset>"
    )
    for path in ("../../secret", "/etc/passwd", "../secret"):
        write(data, "MCIF1.0.IF.long.en.src.fixedprompts.xml", sample.format(path))
        problems: list[Problem] = []
        assert not list(MCIF.items(data, None, problems.append))
        assert [p.kind for p in problems] == ["missing-media"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<other/>", "not a file of MCIF"),
        ("<testset><task track='long' text_lang='fr'/></testset>", "unknown track or language"),
        ("<testset><task track='long' text_lang='de'/></testset>", "match its name"),
        ("<testset><task track='short' text_lang='en'><sample id='1'/></task></testset>", "id, iid, task"),
        (reference(ids="0,1"), "a sample is in two references"),
    ],
)
def test_malformed_references_are_told(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        list(MCIF.items(write(tmp_path, "MCIF1.0.short.en.ref.xml", content).parent))


def test_a_talks_segments_share_one_wording_and_languages_draw_their_own() -> None:
    mixed = [i for i in MCIF.items(MCIF.mini) if i.facets["prompts"] == "mixed"]
    for unit in group_units(mixed, []):
        assert len({i.facets["wording"] for i in unit.items}) == 1
    drawn = {(i.instance, i.facets["language"]): i.facets["wording"] for i in mixed if i.task.endswith("QA")}
    questions = sorted({instance for instance, _ in drawn})
    assert any(drawn[q, a] != drawn[q, b] for q in questions for a, b in pairwise(("en", "de", "it", "zh")))
