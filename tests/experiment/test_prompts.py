"""A prompt of one's own is recorded with its text, never bears a benchmark's name, and can be given again."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.benchmarks.mcga.test_authors import pack
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError, SpecError
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder
from triptych.store.merge import merge

HINTING = '[prompts.v2]\ncontent = ["{media}", "The answer is the first: {question} {options}"]\nlanguage = "zh"\n'
OTHER = HINTING.replace("first", "last")
CMDAR = load_benchmark("cmdar")


def file(folder: Path, text: str = HINTING, name: str = "my.toml") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def ran(out: Path, prompt: str | None = None, **more: object) -> RunFolder:
    return api.run("cmdar", "baseline/first", out=out, prompt=prompt, scored=False, limit=2, **more).folder  # type: ignore[arg-type]


def test_it_does_not_bear_the_name_of_the_benchmarks_prompt(tmp_path: Path) -> None:
    manifest = ran(tmp_path / "run", file(tmp_path)).manifest
    own = next(name for name in manifest.prompt.split("+") if name != "open")
    assert own.startswith("own:v2@") and manifest.prompts[own]["content"] == ["{media}", HINTING.split('"')[3]]
    assert own in manifest.prompt_texts


def test_the_same_text_is_the_benchmarks_prompt(tmp_path: Path) -> None:
    same = {"prompts": {"v2": CMDAR.spec.prompts["v2"].sent_fields()}}
    text = "[prompts.v2]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in same["prompts"]["v2"].items())
    manifest = ran(tmp_path / "run", file(tmp_path, text)).manifest
    assert manifest.prompt == ran(tmp_path / "plain").manifest.prompt


def test_signatures_of_different_texts_differ(tmp_path: Path) -> None:
    prompts = [None, "v1", file(tmp_path), file(tmp_path, OTHER, "other.toml")]
    folders = [ran(tmp_path / str(number), prompt) for number, prompt in enumerate(prompts)]
    signatures = [score_run(folder)["official"][0].signature for folder in folders]
    assert len(set(signatures)) == 4
    assert len({part for one in signatures for part in one.split("|") if part.startswith("prompt:")}) == 4


@pytest.mark.parametrize("then", [None, "v2", OTHER])
def test_a_run_with_it_does_not_go_on_without_it(tmp_path: Path, then: str | None) -> None:
    out = tmp_path / "run"
    ran(out, file(tmp_path))
    with pytest.raises(RunFolderError, match="another Run, which differs in: prompt"):
        ran(out, file(tmp_path, OTHER) if then == OTHER else then)
    assert len(list(ran(out, file(tmp_path)).responses())) == len(list(RunFolder.open(out).responses()))


def test_another_file_with_the_same_text_resumes_it(tmp_path: Path) -> None:
    folder = ran(tmp_path / "run", file(tmp_path))
    again = ran(tmp_path / "run", file(tmp_path, HINTING.replace("prompts.v2", "v2"), "elsewhere.toml"))
    assert again.manifest == folder.manifest


def test_shards_with_different_texts_do_not_merge(tmp_path: Path) -> None:
    one = ran(tmp_path / "one", file(tmp_path), shard="1/2")
    two = ran(tmp_path / "two", file(tmp_path, OTHER), shard="2/2")
    with pytest.raises(RunFolderError, match="differ in prompt"):
        merge([one, two], tmp_path / "whole")
    alike = ran(tmp_path / "three", file(tmp_path), shard="2/2")
    assert merge([one, alike], tmp_path / "whole").manifest.prompts == one.manifest.prompts


def test_the_authors_prompts_are_repeated_from_the_manifest(tmp_path: Path) -> None:
    ready = api.plan("mcga/su", "baseline/first", prompt=f"authors:{pack(tmp_path)}")
    folder = RunFolder.create(tmp_path / "run", ready.manifest)
    again = api.plan("mcga/su", "baseline/first", prompt=str(tmp_path / "run" / "manifest.json"))
    assert again.manifest.identity() == folder.manifest.identity()


def test_a_prompt_file_without_a_model_to_ask_is_still_read(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no prompt 'v9'"):
        ran(tmp_path / "run", file(tmp_path) + "#v9")


def as_version_1(folder: RunFolder) -> Path:
    """Rewrite the manifest as the first version of the schema had it."""
    told = msgspec.json.decode((folder.path / "manifest.json").read_bytes())
    told.pop("prompts")
    (folder.path / "manifest.json").write_bytes(msgspec.json.encode({**told, "schema_version": 1}))
    return folder.path


def test_a_run_of_an_earlier_version_is_read_and_its_prompt_is_not_guessed(tmp_path: Path) -> None:
    path = as_version_1(ran(tmp_path / "run"))
    folder = RunFolder.open(path)
    assert folder.manifest.schema_version == 1 and folder.manifest.prompts == {}
    signature = score_run(folder)["official"][0].signature
    assert f"|prompt:{folder.manifest.prompt}|" in signature and "@" not in folder.manifest.prompt_texts


def test_a_changed_text_of_the_benchmarks_prompt_makes_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ran(tmp_path / "run").path
    changed = msgspec.structs.replace(CMDAR.spec.prompts["v2"], content=("{media}", "Now: {question} {options}"))
    monkeypatch.setitem(CMDAR.spec.prompts, "v2", changed)
    with pytest.raises(RunFolderError, match="differs in: prompts"):
        ran(path)
