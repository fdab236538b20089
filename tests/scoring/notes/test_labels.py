"""Runs of the same model are distinguished in tables by what differs between them."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import manifest
from triptych.records import RunManifest
from triptych.scoring.notes.labels import labels_of
from triptych.store.folder import RunFolder


def labelled(tmp_path: Path, *manifests: RunManifest) -> list[str]:
    return labels_of([RunFolder(tmp_path / f"{number}-0a1b2c3d", one) for number, one in enumerate(manifests)])


def test_runs_are_labelled_by_what_differs(tmp_path: Path) -> None:
    cold, warm = manifest(decoding={"temperature": 0}), manifest(decoding={"temperature": 0.7, "top_p": 0.9})
    assert labelled(tmp_path, cold, warm) == [
        "told/it [temperature=0, no top_p]",
        "told/it [temperature=0.7, top_p=0.9]",
    ]
    assert labelled(tmp_path, cold, manifest(name="ckpt"), manifest(name="ckpt", conditions=("blind",))) == [
        "told/it",
        "ckpt",
        "ckpt (blind)",
    ]
    assert labelled(tmp_path, manifest(prompt="a"), manifest(prompt="b")) == ["told/it [a]", "told/it [b]"]
    seeds = labelled(tmp_path, manifest(), manifest(seed=3))
    assert seeds == ["told/it [seed=0]", "told/it [seed=3]"], "0 is a seed"
    trial = labelled(tmp_path, manifest(limit=5), manifest())
    assert trial == ["told/it [limit=5]", "told/it [no limit]"]
    assert labelled(tmp_path, manifest(), manifest()) == ["told/it [0-0a1b2c3d]", "told/it [1-0a1b2c3d]"]


def test_no_run_has_no_label_and_two_folders_of_one_name_are_numbered(tmp_path: Path) -> None:
    assert labels_of([]) == []
    folders = [RunFolder(tmp_path / parent / "run", manifest()) for parent in ("one", "two", "three")]
    assert labels_of(folders) == ["told/it [1]", "told/it [2]", "told/it [3]"]


def test_a_label_has_four_differing_settings_at_most_and_no_long_value(tmp_path: Path) -> None:
    decoding = {"temperature": 0.7, "top_p": 0.9, "top_k": 20, "min_p": 0.1, "seed": 1}
    assert labelled(tmp_path, manifest(), manifest(decoding=decoding))[1] == (
        "told/it [seed=1, temperature=0.7, top_p=0.9, top_k=20]"
    )
    long = manifest(model_settings={"system": "You are a careful assistant. " * 10, "dtype": "bfloat16"})
    assert labelled(tmp_path, manifest(), long) == ["told/it [no dtype]", "told/it [dtype=bfloat16]"]


def test_other_runs_in_the_table_change_no_label(tmp_path: Path) -> None:
    """A setting is shown if it differs among the Runs that share a label, not because another model has another one."""
    other = manifest(name="ckpt-2", seed=9, filters={"language": ("zh", "en")})
    same = (manifest(filters={"language": ("zh",)}), manifest(filters={"language": ("zh", "de")}))
    assert labelled(tmp_path, *same, other) == ["told/it [language=zh]", "told/it [language=zh,de]", "ckpt-2"]
