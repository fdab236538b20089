"""Tests of `running/other_endpoint.py`: a Run that is resumed elsewhere, and what tells one model from another."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.support.runs import Told, manifest
from triptych.errors import SpecError
from triptych.models.http.endpoints import is_known_endpoint
from triptych.records import Response
from triptych.running.other_endpoint import (
    ENDPOINTS,
    at_endpoint,
    check_journal_endpoint,
    first_endpoint,
    journal_at_endpoint,
    last_address,
)
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

HERE, THERE, THIRD = "http://127.0.0.1:8000/v1", "https://host.example/v1", "https://third.example/v1"


def served(*urls: str, revision: str = "") -> Told:
    adapter = Told()
    adapter.endpoint = urls[0]
    adapter.revision = revision
    if len(urls) > 1:
        adapter.addresses = urls  # type: ignore[attr-defined]
    return adapter


def run_at(path: Path, *urls: str, status: str = "answered", revision: str = "") -> RunFolder:
    """A Run with one Response from these endpoints."""
    folder = RunFolder.create(path, manifest(endpoints=first_endpoint(served(*urls)), revision=revision))
    with folder.writer() as writer:
        writer.add_response(Response("00000", "", 0, status, "A"))  # type: ignore[arg-type]
    return folder


def addresses(folder: RunFolder) -> list[tuple[str, bool]]:
    return [(one.address, one.shared) for one in RunFolder.open(folder.path).manifest.endpoints]


def test_a_new_run_records_where_it_asks_and_a_model_in_this_process_nothing() -> None:
    (one,) = first_endpoint(served("http://user:pw@Host.example:80/v1/?sig=secret"))
    assert one.address == "http://host.example/v1" and not one.shared
    assert [each.shared for each in first_endpoint(served(HERE, THERE, THIRD))] == [False, True, True]
    assert first_endpoint(served("")) == ()


def test_the_same_endpoint_changes_nothing_however_it_is_written(tmp_path: Path) -> None:
    folder = run_at(tmp_path, HERE)
    before = (tmp_path / "manifest.json").read_bytes()
    assert at_endpoint(folder, served("http://me:pw@127.0.0.1:8000/v1/")) is folder
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_answers_from_another_endpoint_are_not_mixed_without_a_word(tmp_path: Path) -> None:
    folder = run_at(tmp_path, HERE)
    with pytest.raises(SpecError, match="answers from another endpoint") as error:
        at_endpoint(folder, served(THERE))
    said = str(error.value)
    assert (
        HERE in said and THERE in said and "--same-model" in said and "--name LABEL" in said and str(tmp_path) in said
    )
    assert addresses(folder) == [(HERE, False)], "nothing is written by a refusal"
    at_endpoint(folder, served(THERE), same_model=True)
    assert addresses(folder) == [(HERE, False), (THERE, False)]


def test_a_key_in_the_path_is_in_no_message(tmp_path: Path) -> None:
    key = "Zq7xMarker0123456789abc"
    with pytest.raises(SpecError) as error:
        at_endpoint(run_at(tmp_path, HERE), served(f"https://gate.example/{key}/v1"))
    assert key not in str(error.value) and "gate.example/***/v1" in str(error.value)


def test_a_revision_identifies_the_model_at_any_address(tmp_path: Path) -> None:
    folder = run_at(tmp_path, HERE, revision="8d3c")
    assert [a for a, _ in addresses(at_endpoint(folder, served(THERE, revision="8d3c")))] == [HERE, THERE]


@pytest.mark.parametrize("status", ["failed", "skipped"])
def test_a_run_without_answers_goes_on_anywhere_and_forgets_the_first_endpoint(tmp_path: Path, status: str) -> None:
    folder = run_at(tmp_path, HERE, status=status)
    at_endpoint(folder, served(THERE))
    assert addresses(folder) == [(THERE, False)]


def test_the_last_session_is_last_and_no_endpoint_is_listed_twice(tmp_path: Path) -> None:
    folder = run_at(tmp_path, HERE)
    folder = at_endpoint(folder, served(THERE), same_model=True)
    folder = at_endpoint(folder, served(HERE))
    assert addresses(folder) == [(THERE, False), (HERE, False)], "an endpoint that it has answers from needs no word"
    folder = at_endpoint(folder, served(HERE, THERE))
    assert addresses(folder) == [(HERE, False), (THERE, True)]
    with pytest.raises(SpecError, match=r"third\.example"):
        at_endpoint(folder, served(HERE, THIRD))


def test_a_manifest_of_a_version_that_stored_no_endpoint_gets_this_one(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, manifest())
    with folder.writer() as writer:
        writer.add_response(Response("00000", "", 0, "answered", "A"))
    at_endpoint(folder, served(HERE))
    assert addresses(folder) == [(HERE, False)]


def answered(journal: ReplyJournal, status: str = "answered") -> ReplyJournal:
    with journal.writer() as writer:
        writer.add_response(Response("00000", "", 0, status, "4"))  # type: ignore[arg-type]
    return journal


def test_a_judge_elsewhere_needs_a_word_and_each_judge_has_its_own_list(tmp_path: Path) -> None:
    first, second = ReplyJournal(tmp_path, "one"), ReplyJournal(tmp_path, "two")
    assert last_address(first) == ""
    journal_at_endpoint(first, served(HERE))
    answered(first)
    check_journal_endpoint(first, served(HERE))
    for check in (check_journal_endpoint, journal_at_endpoint):
        with pytest.raises(SpecError, match="was used at another endpoint before") as error:
            check(first, served(THERE))
        assert HERE in str(error.value) and THERE in str(error.value) and "--same-model" in str(error.value)
    journal_at_endpoint(second, served(THERE))
    journal_at_endpoint(first, served(THIRD), same_model=True)
    assert (last_address(first), last_address(second)) == (THIRD, THERE)
    stored = msgspec.json.decode((tmp_path / ENDPOINTS).read_bytes())
    assert [one["address"] for one in stored["one"]] == [HERE, THIRD] and len(stored["two"]) == 1


def test_a_judge_without_verdicts_may_move_and_a_model_in_this_process_has_no_address(tmp_path: Path) -> None:
    journal = ReplyJournal(tmp_path, "one")
    journal_at_endpoint(journal, served(HERE))
    answered(journal, "failed")
    journal_at_endpoint(journal, served(THERE))
    assert last_address(journal) == THERE
    local = ReplyJournal(tmp_path, "local")
    journal_at_endpoint(local, served(""))
    assert last_address(local) == "" and is_known_endpoint("", ())


@pytest.mark.parametrize("content", [b"", b"[]", b'{"one": [{"address": 1}]}', b"\xff\xfe"])
def test_a_damaged_list_of_endpoints_is_written_anew(tmp_path: Path, content: bytes) -> None:
    journal = answered(ReplyJournal(tmp_path, "one"))
    (tmp_path / ENDPOINTS).write_bytes(content)
    journal_at_endpoint(journal, served(HERE))
    assert last_address(journal) == HERE
