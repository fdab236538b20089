"""Entry points of installed packages: looked for once, and again when something was installed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from triptych.records import plug_ins


def install(folder: Path, package: str, name: str) -> None:
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[triptych.stages]\n{name} = {package}\n")


def names() -> set[str]:
    return {point.name for point in plug_ins.points("triptych.stages")}


def test_a_package_that_is_installed_meanwhile_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = names()
    (tmp_path / "one").mkdir()
    install(tmp_path / "one", "first", "tried-first")
    monkeypatch.syspath_prepend(tmp_path / "one")
    assert names() == before | {"tried-first"}
    install(tmp_path / "one", "second", "tried-second")
    assert names() == before | {"tried-first", "tried-second"}
    monkeypatch.undo()
    assert names() == before


def test_packages_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 7 ms, and one Run asks five times."""
    asked: list[int] = []
    monkeypatch.setattr(plug_ins, "entry_points", lambda: asked.append(1) or entry_points())
    plug_ins._installed.cache_clear()
    for group in plug_ins.GROUPS:
        plug_ins.points(group)
    assert asked == [1]


def test_an_error_is_shown_with_the_plug_ins_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "lineplug", "tried-line")
    (tmp_path / "lineplug.py").write_text("def fails():\n    return {}['marks']\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        import_module("lineplug").fails()
    except KeyError as error:
        try:
            raise ValueError("of our own") from error
        except ValueError as outer:
            for one in (error, outer):
                assert plug_ins.line_of(one) == "lineplug.py, line 2: return {}['marks']"
    assert plug_ins.line_of(KeyError("never raised")) == plug_ins.line_of(None) == ""


def test_values_in_words_and_what_functions_accept() -> None:
    assert (plug_ins.shown(None), plug_ins.shown({})) == ("None", "dict")
    assert plug_ins.accepts(print, 5) and plug_ins.accepts(type, 1)
    assert not plug_ins.accepts(lambda one: None, 2)
