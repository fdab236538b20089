"""Tests of `reports/tables/restrictions.py`: restrictions of a Run that a reader must know before comparing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs

from triptych.api import plan
from triptych.reports.tables.marks import of_questions
from triptych.reports.tables.restrictions import data_versions, settings_marks
from triptych.store.folder import RunFolder


def test_runs_over_several_versions_of_the_data_say_so() -> None:
    def folder(data: str, digest: str, model: str = "openai/m") -> RunFolder:
        manifest = structs.replace(plan("cmdar", "baseline/first").manifest, data=data, data_sha256=digest, model=model)
        return RunFolder(Path("r"), manifest)

    one, other, mini = folder("/d", "aaaa1111bbbb"), folder("/d2", "cccc2222dddd"), folder("mini", "eeee")
    assert data_versions({"a": one, "b": one, "m": mini}) == {}
    assert data_versions({"a": one, "b": other, "m": mini}) == {
        "a": ("on other data than other Runs (version aaaa1111)",),
        "b": ("on other data than other Runs (version cccc2222)",),
    }
    assert data_versions({"a": one, "paper": folder("/d2", "cccc", "replay/gpt")}) == {}


def test_settings_that_differ_are_marked_where_models_were_asked() -> None:
    def folder(model: str, **decoding: Any) -> RunFolder:
        manifest = structs.replace(plan("cmdar", "baseline/first").manifest, model=model, decoding=decoding)
        return RunFolder(Path("r"), manifest)

    cold, hot = folder("openai/m", temperature=0, max_tokens=256), folder("openai/n", temperature=1, max_tokens=20)
    assert settings_marks({"m": cold, "n": hot, "chance": folder("baseline/random", temperature=2)}) == {
        "m": ("settings differ between the Runs: temperature 0, max_tokens 256",),
        "n": ("settings differ between the Runs: temperature 1, max_tokens 20",),
    }
    assert settings_marks({"m": cold, "n": folder("openai/n", temperature=0, max_tokens=256)}) == {}
    there = folder("openai/n", temperature=0, max_tokens=256, base_url="http://10.1.2.3:8000/v1")
    assert settings_marks({"m": cold, "n": there}) == {}, "where a model is asked is no setting of the measurement"
    labels = {"m [temperature=0, max_tokens=256]": cold, "m [temperature=1, max_tokens=20]": hot}
    assert settings_marks(labels) == {}, "the labels say it"
    many = folder("openai/m", temperature=0, top_p=1, seed=1, top_k=2, max_tokens=9, stop="x")
    ((mark,), _) = settings_marks({"a": many, "b": folder("openai/n")}).values()
    assert mark.endswith("2 more")
    assert of_questions([mark, "on the built-in mini set"]) == ["on the built-in mini set"]
