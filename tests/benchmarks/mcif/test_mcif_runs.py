"""MCIF from end to end: what a Run asks by default and by choice, stopped midway, replayed, written back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import triptych
from tests.benchmarks.mcif.editions import outputs, write
from tests.cli.test_main import triptych as command
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcif.samples import read_references
from triptych.errors import SpecError
from triptych.prompts.build import build_request

MCIF = load_benchmark("mcif")


def asked(**what: object) -> Counter[tuple[str, str]]:
    ready = api.plan("mcif", "baseline/reference", **what)  # type: ignore[arg-type]
    return Counter((i.facets["modality"], i.facets["prompts"]) for i in ready.items())


def test_a_run_asks_the_fixed_prompts_unless_told_otherwise() -> None:
    assert {prompts for _, prompts in asked()} == {"fixed"}
    assert {m for m, _ in asked()} == {"text", "audio", "video", "audio_video"}
    assert {prompts for _, prompts in asked(filters={"prompts": ["mixed"]})} == {"mixed"}
    both = asked(filters={"prompts": ["fixed", "mixed"], "modality": ["audio"]})
    assert set(both) == {("audio", "fixed"), ("audio", "mixed")}
    assert api.plan("mcif", "baseline/reference").manifest.filters == {"prompts": ("fixed",)}
    with pytest.raises(SpecError, match="no facet 'promts'"):
        asked(filters={"promts": ["mixed"]})


def test_limit_keeps_talks_whole() -> None:
    ready = api.plan("mcif/short/en/ASR", "baseline/reference", limit=1, filters={"modality": ["audio"]})
    assert len({i.unit_id for i in ready.items()}) == 1
    assert len(list(ready.items())) == next(iter(ready.items())).unit_size == 5


def test_content_comes_first_and_the_system_sentence_is_the_papers() -> None:
    item = next(i for i in MCIF.items(MCIF.mini) if i.facets["modality"] == "audio_video")
    request = build_request(item, MCIF.spec.prompts[MCIF.spec.prompt], settings=MCIF.spec.decoding)
    system, user = request.messages
    assert system.parts[0].text == (
        "Only return the answer requested. Do not include any explanation or introductions."
    )
    assert [p.kind for p in user.parts] == ["video", "audio", "text"]
    assert request.settings == {"max_tokens": 4096}


def test_a_talk_that_was_asked_in_part_counts_nowhere_until_it_is_whole(tmp_path: Path) -> None:
    ready = api.plan("mcif/short/en/ASR", "baseline/reference", filters={"modality": ["audio"]})
    ids = sorted(i.id for i in ready.items())
    some = tmp_path / "items"
    some.write_text("\n".join(ids[:-1]), encoding="utf-8")
    result = triptych.run("mcif/short/en/ASR", "baseline/reference", items_file=some, out=tmp_path / "run")
    wer = next(a for a in result.scores["official"] if a.task == "mcif/short/en/ASR" and not a.slice)
    assert (wer.n, wer.value) == (2, 0.0)
    assert any("only in part" in note for note in result.scores.notes)  # type: ignore[attr-defined]


def test_released_outputs_are_replayed_whatever_was_asked(tmp_path: Path) -> None:
    ids = {i.id.rpartition("/")[2] for i in MCIF.items(MCIF.mini) if i.id.startswith("mcif/short/en/audio/mixed/")}
    path = write(tmp_path, "audio_short_en_random_x_output.xml", outputs(dict.fromkeys(ids, "Hello & goodbye")))
    result = triptych.run("mcif", "replay/x", settings={"path": str(path)}, out=tmp_path / "run")
    assert result.outcome.counts == {"answered": len(ids)}
    assert {i.facets["prompts"] for i in result.folder.items()} == {"mixed"}
    path.write_text(path.read_text(encoding="utf-8").replace("&amp;", "\x0b&", 1), encoding="utf-8")
    settings = {"path": str(path), "recover": "true"}
    again = triptych.run("mcif", "replay/x", settings=settings, out=tmp_path / "again")
    assert again.outcome.counts == result.outcome.counts


def test_a_run_is_written_back_and_scores_the_same_from_there(tmp_path: Path) -> None:
    run = tmp_path / "run"
    triptych.run("mcif", "baseline/reference", filters={"modality": ["audio"]}, out=run)
    shown = command("report", str(run), "--format", "outputs", "--to", str(tmp_path / "to"))
    assert shown.returncode == 0, shown.stderr
    written = sorted((tmp_path / "to" / "outputs").glob("*.xml"))
    assert len(written) == 8
    english = next(p for p in written if p.name.startswith("audio_short_en"))
    reference = MCIF.mini / "MCIF1.0.IF.short.en.ref.xml"
    scored = command("score", "mcif", "--reference", str(reference), "--predictions", str(english), "--json")
    assert scored.returncode == 0, scored.stderr
    rows = json.loads(scored.stdout)["scores"]
    wer = [r for r in rows if (r["protocol"], r["task"], r["slice"]) == ("official", "mcif/short/en/ASR", {})]
    assert [(r["metric"], r["value"], r["n"]) for r in wer] == [("wer", 0.0, 3)]


def test_several_files_and_recover_on_the_command_line(tmp_path: Path) -> None:
    reference = MCIF.mini / "MCIF1.0.IF.short.en.ref.xml"
    ids = [id_ for block in read_references(reference) for sample in block.samples for id_ in sample.ids]
    assert len(ids) == 27
    first = write(tmp_path, "a.xml", outputs(dict.fromkeys(ids[:10], "x")))
    second = write(tmp_path, "b.xml", outputs(dict.fromkeys(ids[10:], "x")).replace(">x<", ">\x01x<"))
    arguments = ["score", "mcif", "--reference", str(reference), "--predictions", str(first), str(second), "--json"]
    damaged = command(*arguments)
    assert damaged.returncode == 2
    assert "b.xml, line 1, character" in damaged.stderr
    assert "Traceback" not in damaged.stderr
    assert command(*arguments, "--recover").returncode == 0
    missing = command(*arguments[:-2], "--json")
    assert missing.returncode == 2
    assert all(id_ in missing.stderr for id_ in ids[10:])


def test_a_report_has_the_published_rows(tmp_path: Path) -> None:
    run = tmp_path / "run"
    triptych.run("mcif", "baseline/reference", filters={"modality": ["audio"]}, out=run)
    shown = command("report", str(run), "--to", str(tmp_path), "--format", "md", "--with-published")
    assert shown.returncode == 0, shown.stderr
    text = (tmp_path / "official.md").read_text(encoding="utf-8")
    assert "Phi4-Multimodal" in text
    assert "Gemini 2.5 Flash" in text
