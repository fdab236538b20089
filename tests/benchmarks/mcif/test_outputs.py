"""Results in the authors' format: complete or refused, in one file or many, damaged or not; and written back."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from tests.benchmarks.mcif.editions import answer, edition, outputs, reference, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError, SpecError
from triptych.protocols.protocol import Outputs
from triptych.records import Item

MCIF = load_benchmark("mcif")
TEXTS = {"0": "Ann", "1": "I saw", "2": "two birds", "3": ""}


@pytest.fixture
def items(tmp_path: Path) -> dict[str, Item]:
    return {i.id: i for i in MCIF.items(write(tmp_path, "reference", reference()))}


def texts(found: Outputs) -> dict[str, str]:
    return {id_.rpartition("/")[2]: response.text for id_, response in found.responses.items()}


def test_answers_come_out_stripped_and_empty_ones_are_answers(tmp_path: Path, items: dict[str, Item]) -> None:
    path = write(tmp_path, "o.xml", outputs({**TEXTS, "1": "\n I saw \n"}))
    found = MCIF.outputs([path], items)
    assert texts(found) == TEXTS
    assert {r.status for r in found.responses.values()} == {"answered"}
    assert found.complete
    assert any("1 samples are empty answers (3)" in note for note in found.notes)


def test_every_missing_id_is_named(tmp_path: Path, items: dict[str, Item]) -> None:
    path = write(tmp_path, "o.xml", outputs({"2": "x"}))
    with pytest.raises(DataError, match=r"3 of 4 samples have no answer[\s\S]*no sample 0, 1, 3\n"):
        MCIF.outputs([path], items)


def test_chunks_of_a_run_are_put_together_in_any_order(tmp_path: Path, items: dict[str, Item]) -> None:
    first = write(tmp_path, "mllm_short_en_random_m_0_2_output.xml", outputs({"0": "Ann", "1": "I saw"}))
    last = write(tmp_path, "mllm_short_en_random_m_2__output.xml", outputs({"2": "two birds", "3": ""}))
    for paths in ([first, last], [last, first]):
        found = MCIF.outputs(paths, items)
        assert texts(found) == TEXTS
        assert {i.facets["modality"] for i in found.items.values()} == {"audio_video"}
        assert {i.facets["prompts"] for i in found.items.values()} == {"mixed"}
        assert "mcif/short/en/audio_video/mixed/1" in found.responses
    with pytest.raises(DataError, match="chunk"):
        MCIF.outputs([first], items)
    with pytest.raises(DataError, match="two answers"):
        MCIF.outputs(
            [first, last, write(tmp_path, "mllm_short_en_random_m_3_4_output.xml", outputs({"3": "x"}))], items
        )


def test_two_modalities_are_two_sets_of_units(tmp_path: Path, items: dict[str, Item]) -> None:
    paths = [write(tmp_path, f"{m}_short_en_fixed_x_output.xml", outputs(TEXTS)) for m in ("audio", "mllm")]
    found = MCIF.outputs(paths, items)
    assert len(found.responses) == 8
    assert {i.unit for i in found.items.values() if i.task.endswith("ASR")} == {
        "mcif/short/en/audio/fixed/ASR_1",
        "mcif/short/en/audio_video/fixed/ASR_1",
    }


def test_a_video_model_is_not_scored_on_speech(tmp_path: Path, items: dict[str, Item]) -> None:
    """Released outputs of video models answer all samples; the paper's tables show their questions alone."""
    found = MCIF.outputs([write(tmp_path, "video_short_en_fixed_x_output.xml", outputs(TEXTS))], items)
    assert texts(found) == {"0": "Ann", "3": ""}
    assert any("ASR, which video input doesn't have" in note for note in found.notes)


def test_samples_without_a_reference_are_told_not_dropped_in_silence(tmp_path: Path, items: dict[str, Item]) -> None:
    found = MCIF.outputs([write(tmp_path, "o.xml", outputs({**TEXTS, "77": "x"}))], items)
    assert any("1 samples have no reference" in note and "77" in note for note in found.notes)


def test_one_file_may_hold_several_tasks(tmp_path: Path) -> None:
    data = edition(tmp_path, "en", "de")
    items = {i.id: i for i in MCIF.items(data)}
    english, german = outputs(TEXTS), outputs({**TEXTS, "1": "Ich"}, "de")
    both = english.replace("</testset>", "") + german.partition(">")[2]
    found = MCIF.outputs([write(tmp_path, "o.xml", both)], items)
    assert len(found.responses) == 8
    assert found.responses["mcif/short/de/1"].text == "Ich"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (outputs(TEXTS, "it"), "no reference for short/it"),
        (outputs(TEXTS, track="long"), "no reference for long/en"),
        (reference(), "not an output file"),
        ("<testset><task track='short' text_lang='en'><sample>x</sample></task></testset>", "no id"),
        ("<other/>", "not a file of MCIF"),
    ],
)
def test_what_can_not_be_scored_is_refused(tmp_path: Path, items: dict[str, Item], content: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        MCIF.outputs([write(tmp_path, "o.xml", content)], items)


def test_a_damaged_file_is_read_with_recover_only(tmp_path: Path, items: dict[str, Item]) -> None:
    path = write(tmp_path, "o.xml", outputs(TEXTS).replace("Ann", "A\x0bnn & Bob"))
    with pytest.raises(DataError, match=r"o.xml, line 1, character"):
        MCIF.outputs([path], items)
    found = MCIF.outputs([path], items, recover=True)
    assert texts(found)["0"] == "Ann & Bob"
    assert any("damaged" in note and "4 samples recovered" in note for note in found.notes)
    with pytest.raises(SpecError, match="can't recover damaged results"):
        load_benchmark("cmdar").outputs([path], None, recover=True)


def test_what_a_damaged_file_has_lost_is_missing(tmp_path: Path, items: dict[str, Item]) -> None:
    whole = outputs(TEXTS)
    path = write(tmp_path, "o.xml", whole[: whole.index("two birds") + 3])
    with pytest.raises(DataError, match="read it as far as possible with --recover"):
        MCIF.outputs([path], items)
    found = MCIF.outputs([path], items, recover=True)
    assert {id_: text for id_, text in texts(found).items() if id_ in "01"} == {"0": "Ann", "1": "I saw"}
    assert len(found.items) == 4
    assert any("samples have no answer in the damaged file: missing" in note for note in found.notes)


def test_a_run_of_a_damaged_replay_is_told_its_own_setting(tmp_path: Path, items: dict[str, Item]) -> None:
    path = write(tmp_path, "o.xml", outputs(TEXTS)[:-30])
    data = edition(tmp_path, "en")
    with pytest.raises(DataError, match="-M recover=true") as refused:
        triptych.run("mcif", model="replay/x", settings={"path": str(path)}, data=data, out=tmp_path / "run")
    assert "--recover" not in str(refused.value)


def test_a_run_written_back_scores_the_same_and_reads_the_same(tmp_path: Path) -> None:
    data = edition(tmp_path, "en", "de")
    items = {i.id: i for i in MCIF.items(data)}
    said = {
        id_: answer(item, f"I saw {'two' if i % 2 else ''} \x0b<birds> & {i}")
        for i, (id_, item) in enumerate(items.items())
    }
    written = MCIF.write_outputs(items.values(), said.values(), tmp_path / "out")
    assert sorted(p.name for p in written) == sorted(
        f"{m}_short_{lang}_fixed_triptych_output.xml" for m in ("audio", "mllm", "video") for lang in ("en", "de")
    )
    found = MCIF.outputs(written, items)
    assert {id_: r.text for id_, r in found.responses.items()} == {
        id_: r.text.replace("\x0b", "").strip() for id_, r in said.items()
    }
    scored = triptych.score("mcif", predictions=written, data=data, protocols=["official"])["official"]
    wer = next(a for a in scored if a.task == "mcif/short/en/ASR" and a.slice == {"modality": "audio"})
    assert wer.value is not None


def test_exported_outputs_are_named_for_the_model_and_for_nothing_else(tmp_path: Path) -> None:
    import msgspec

    items = list(MCIF.items(edition(tmp_path, "en")))
    said = [answer(item, "x") for item in items]
    written = MCIF.write_outputs(items, said, tmp_path / "out", model="openai/gpt 5")
    assert {path.name for path in written} == {
        f"{m}_short_en_fixed_openai-gpt-5_output.xml" for m in ("audio", "mllm", "video")
    }
    evil = [msgspec.structs.replace(i, facets={**i.facets, "track": "../../evil", "language": "/etc"}) for i in items]
    for path in MCIF.write_outputs(evil, said, tmp_path / "deep/er/out", model="../.."):
        assert path.parent == tmp_path / "deep/er/out" and path.is_file()


def test_languages_without_a_reference_are_told_and_the_others_scored(tmp_path: Path, items: dict[str, Item]) -> None:
    both = outputs(TEXTS).replace("</testset>", "") + outputs(TEXTS, "de").partition("<testset")[2].partition(">")[2]
    found = MCIF.outputs([write(tmp_path, "o.xml", both)], items)
    assert {item.facets["language"] for item in found.items.values()} == {"en"}
    assert len(found.responses) == len(found.items) > 0
    assert any("short/de" in note and "have no reference" in note for note in found.notes)


def test_results_are_replayed_against_references_alone(tmp_path: Path) -> None:
    data = edition(tmp_path, "en")
    items = list(MCIF.items(data))
    written = MCIF.write_outputs(items, [answer(item, "birds") for item in items], tmp_path / "out", model="m")
    for source in data.rglob("*.src.*"):
        source.unlink()
    done = triptych.run(
        "mcif/short", "replay/m", data=data, settings={"path": str(tmp_path / "out")}, out=tmp_path / "run"
    )
    replies = list(done.folder.responses())
    assert len(replies) == len(items) and {reply.status for reply in replies} == {"answered"} and len(written) == 3
    with pytest.raises(DataError, match="reference answer of this question, but not the question") as refused:
        triptych.run("mcif/short", "baseline/constant", data=data, out=tmp_path / "none")
    assert "triptych check mcif" in str(refused.value)


def test_a_benchmark_that_can_not_write_says_so(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="read, but not written"):
        load_benchmark("cmdar").write_outputs([], [], tmp_path)
