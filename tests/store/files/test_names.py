"""Names from outside as paths: whatever they hold, a path stays in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.store.files.names import MAX_NAME_BYTES, checked_digest, checked_name, file_name, file_names, path_inside

HOSTILE = [
    "",
    ".",
    "..",
    "...",
    "../../x",
    "/etc/passwd",
    "a/../..",
    "C:\\x",
    "~",
    "a\x00b",
    "\ud800",
    ".ssh",
    "x" * 9999,
]
anything = st.one_of(st.text(), st.sampled_from(HOSTILE), st.text(alphabet="./\\~ ab"))


@given(anything)
def test_a_file_name_is_one_plain_name(words: str) -> None:
    name = file_name(words)
    assert name and not name.startswith(".") and "/" not in name and "\\" not in name and "\x00" not in name
    assert len(name.encode()) <= MAX_NAME_BYTES and Path("folder", name).parent == Path("folder")
    assert file_name(name) == name


@given(st.lists(anything, max_size=6))
def test_different_names_stay_different_also_where_letters_have_no_case(words: list[str]) -> None:
    names = file_names(words)
    assert set(names) == set(words)
    assert len({name.casefold() for name in names.values()}) == len(names)


def test_what_is_plain_already_stays_as_it_is() -> None:
    assert file_name("gpt-5.1_mini") == "gpt-5.1_mini" and file_name("诗词/A") == "诗词-A"
    assert file_name("..") == "_" and file_name("openai/m", "__") == "openai__m"
    assert file_names(["a/b", "a-b", "A-B"]) == {"a/b": "a-b", "a-b": "a-b-2", "A-B": "A-B-3"}


@given(anything)
def test_a_checked_name_stays_below_its_folder(words: str) -> None:
    try:
        name = checked_name(words, "here")
    except DataError:
        return
    assert (Path("/folder") / name).is_relative_to("/folder") and ".." not in Path(name).parts


def test_a_place_below_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    (tmp_path / "to/way").symlink_to(tmp_path)
    with pytest.raises(DataError, match="leads out"):
        path_inside(tmp_path / "to", "way/evil")
    assert path_inside(tmp_path / "to", "a/b").parent.is_dir()


@pytest.mark.parametrize("digest", ["/etc", "", "A" * 64, "a" * 63, "a" * 65, "g" * 64, "a" * 63 + "\n", None, 7])
def test_what_is_no_hash_is_refused(digest: object) -> None:
    with pytest.raises(DataError, match="not a valid hash"):
        checked_digest(digest, 64, "here")
    assert checked_digest("0" * 64, 64, "here") == "0" * 64
