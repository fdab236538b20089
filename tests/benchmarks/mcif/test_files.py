"""Tests of `benchmarks/mcif/files.py`: find the released files in a folder by their names."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.mcif.editions import reference, write
from triptych.benchmarks.mcif.files import find_files


def test_of_several_versions_the_newest_is_read(tmp_path: Path) -> None:
    for name in (
        "MCIF1.0.short.en.ref.xml",
        "MCIF1.2.IF.short.en.ref.xml",
        "MCIF1.10.short.en.ref.xml.gz",
        "MCIF1.10.short.en.ref.xml",
        "MCIF1.2.1.short.en.ref.xml",
    ):
        write(tmp_path, name, reference())
    found = find_files(tmp_path)
    assert [p.name for p in found.paths] == ["MCIF1.10.short.en.ref.xml"]
    assert [p.name for p in found.older] == [
        "MCIF1.10.short.en.ref.xml.gz",
        "MCIF1.2.1.short.en.ref.xml",
        "MCIF1.2.IF.short.en.ref.xml",
        "MCIF1.0.short.en.ref.xml",
    ]


def test_a_version_with_a_digit_that_is_no_decimal_is_text(tmp_path: Path) -> None:
    for name in ("MCIF1.².short.en.ref.xml", "MCIF1.2.short.en.ref.xml"):
        write(tmp_path, name, reference())
    found = find_files(tmp_path)
    assert [p.name for p in found.paths] == ["MCIF1.2.short.en.ref.xml"]
