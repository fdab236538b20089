"""Tests of `construction/release/media.py`: media of a finished benchmark, copied or listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.release.media import (
    FileNames,
    ReleasedMedia,
    check_ids,
    faults_of_ids,
    refuse_reference_only,
)
from triptych.errors import DataError

# Names that are one file on Windows or macOS, or one row's id: case, and composed or decomposed letters.
SAME = [("a.wav", "A.WAV"), ("Zoë.wav", "Zoe\u0308.wav"), ("straße.wav", "STRASSE.wav"), ("İ", "i\u0307")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_are_one_file_on_some_systems_are_refused(one: str, other: str) -> None:
    names = FileNames()
    assert names.claim_name(one, "w1") == one == names.claim_name(one, "w1")
    with pytest.raises(DataError, match="same name in the output") as error:
        names.claim_name(other, "w2")
    assert "w1 and w2" in str(error.value)


def test_the_ids_of_raw_material_differ_in_more_than_separators() -> None:
    check_ids(["guan/ju", "春望", "春曉", "guan_ju", "guanju"])
    check_ids(["w1", "w1"])  # the same id twice is another error, which names the rows
    faults = faults_of_ids(["li/bai", "w1", "li-bai", "Li bai", "W2", "w2"])
    assert [fault.got for fault in faults] == ["li/bai and li-bai", "li/bai and Li bai", "W2 and w2"]
    with pytest.raises(DataError, match="same name"):
        check_ids(["a b", "a-b"])
    assert faults_of_ids([]) == []


def test_media_are_copied_once_or_only_listed(tmp_path: Path) -> None:
    store = MediaStore(tmp_path / "build")
    free, protected = store.put(b"free", "wav"), store.put(b"protected", "mp4")
    out = tmp_path / "out"
    out.mkdir()
    released = ReleasedMedia(out, Context(Parameters(), store), "media")
    first = released.put(free, "film:1", 0.5, 3.0, pass_on=True)
    assert released.put(free, "film:1", 0.5, 3.0, pass_on=True) == first
    second = released.put(protected, "https://example.org/f.mp4", None, None, pass_on=False)
    released.save()
    assert (out / first).read_bytes() == b"free" and first.endswith(".wav") and not (out / second).exists()
    lines = [json.loads(line) for line in (out / "media.jsonl").read_text().splitlines()]
    assert [line["file"] for line in lines] == sorted([first, second])
    by_file = {line.pop("file"): line for line in lines}
    assert by_file[first] == {"source": "film:1", "begin": 0.5, "end": 3.0, "passed_on": True}
    assert by_file[second]["passed_on"] is False and by_file[second]["source"] == "https://example.org/f.mp4"


def test_no_media_are_an_empty_list(tmp_path: Path) -> None:
    ReleasedMedia(tmp_path, Context(Parameters(), MediaStore(tmp_path)), "media").save()
    assert (tmp_path / "media.jsonl").read_bytes() == b"" and (tmp_path / "media").is_dir()


def test_material_that_may_not_be_passed_on_is_refused_where_it_would_be() -> None:
    refuse_reference_only("w1", {}, "the text")
    refuse_reference_only("w1", {"pass_on": True, "rights": "cc0-1.0"}, "the text")
    with pytest.raises(DataError, match="the text would be passed on") as error:
        refuse_reference_only("w1", {"pass_on": False, "rights": "all-rights-reserved"}, "the text")
    assert (
        error.value.where == "w1" and "all-rights-reserved" in str(error.value) and "reference_only" in str(error.value)
    )
