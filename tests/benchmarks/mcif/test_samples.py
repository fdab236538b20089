"""Source and reference files both ways: what is written is what was read, whatever it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcif.samples import (
    Block,
    Reference,
    Source,
    read_references,
    read_sources,
    write_references,
    write_sources,
)

MINI = load_benchmark("mcif").mini
FILES = sorted(path.name for path in MINI.glob("*.xml"))
# What XML can carry between the ends of an element: no white space at the ends, `\r` would come back as a line end.
TEXTS = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=20
).map(lambda text: f"«{text}\n<b>&amp; ]]> \" '»")


@pytest.mark.parametrize("name", FILES)
def test_the_mini_sets_files_come_back_byte_for_byte(name: str, tmp_path: Path) -> None:
    if ".ref." in name:
        write_references(tmp_path / name, read_references(MINI / name))
    else:
        write_sources(tmp_path / name, read_sources(MINI / name))
    assert (tmp_path / name).read_bytes() == (MINI / name).read_bytes()


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, one: str, other: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.xml"
    source = Source("7", one, {"audio": "a.wav", "text": "a.en"})
    write_sources(path, [Block("long", "de", (source,))])
    assert list(read_sources(path)) == [Block("long", "de", (source,))]
    reference = Reference(("1", "2"), "TRANS_1", "TRANS", one, other, "", "", {"audio": "a.wav,b.wav"})
    question = Reference(("9",), "QA_3_27", "QA", other, "", "AV", "Abstract", {"video": "a.mp4"})
    blocks = [Block("short", "zh", (reference,)), Block("long", "it", (question,))]
    write_references(path, blocks)
    assert list(read_references(path)) == blocks


def test_what_xml_cannot_carry_is_left_out(tmp_path: Path) -> None:
    write_sources(tmp_path / "s.xml", [Block("short", "en", (Source("1", "a\x0bb\ud800c", {"audio": "x\x00.wav"}),))])
    assert next(read_sources(tmp_path / "s.xml")).samples == (Source("1", "abc", {"audio": "x.wav"}),)
