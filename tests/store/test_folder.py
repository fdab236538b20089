"""The Run folder: resume or refuse, the last line counts, one writer at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.store.test_shards import answer, shard
from tests.support.runs import MANIFEST, item, manifest
from triptych.errors import DataError, RunFolderError
from triptych.records import Part, Response, media
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal
from triptych.store.merge import merge


def response(number: int, status: str = "answered", text: str = "A", repeat: int = 0) -> Response:
    return Response(f"{number:05}", "", repeat, status, text)  # type: ignore[arg-type]


def test_create_open_and_resume(tmp_path: Path) -> None:
    made = RunFolder.create(tmp_path / "run", MANIFEST)
    assert RunFolder.open(tmp_path / "run").manifest == MANIFEST == made.manifest
    again = RunFolder.create(tmp_path / "run", manifest(created="later", code_version="9", data="/moved"))
    assert again.manifest == MANIFEST, "what is only told does not make another Run, and does not overwrite"


def test_another_identity_is_refused_by_name(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path, MANIFEST).writer() as writer:
        writer.add_response(response(1, "failed"))
    with pytest.raises(RunFolderError, match="differs in: limit, model") as error:
        RunFolder.create(tmp_path, manifest(model="other/one", limit=3))
    assert "'told/it' in the folder, 'other/one' now" in str(error.value)


def test_a_run_that_never_got_a_response_makes_way(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path, MANIFEST).writer() as writer:
        writer.add_item(item(1))
        with pytest.raises(RunFolderError, match="another process"):
            RunFolder.create(tmp_path, manifest(model="other/one"))
    RunFolder.create(tmp_path, manifest(model="other/one"))
    found = RunFolder.open(tmp_path)
    assert found.manifest.model == "other/one" and list(found.items()) == []


def test_a_run_whose_media_were_read_first_does_not_make_way(tmp_path: Path) -> None:
    """What another model, or the same one in other words, has read would stand in the next Run's questions."""
    folder = RunFolder.create(tmp_path, MANIFEST)
    with ReplyJournal(folder.path / "readings", "ocr").writer() as writer:
        writer.add_response(Response("a", "ocr", 0, "answered", "a page"))
    with pytest.raises(RunFolderError, match="another Run"):
        RunFolder.create(tmp_path, msgspec.structs.replace(MANIFEST, model="openai/another"))


def test_a_place_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="can't be used"):
        RunFolder.create(tmp_path / ("x" * 300), MANIFEST)


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(RunFolderError, match="not empty"):
        RunFolder.create(tmp_path, MANIFEST)
    with pytest.raises(RunFolderError, match="not a Run folder"):
        RunFolder.open(tmp_path)


def test_where_runs_are_is_told(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "bench" / "run", MANIFEST)
    for folder, inside in ((tmp_path, "*/*"), (tmp_path / "bench", "*")):
        with pytest.raises(RunFolderError) as refused:
            RunFolder.open(folder)
        assert f"{folder}/{inside}" in str(refused.value)
    with pytest.raises(RunFolderError) as refused:
        RunFolder.open(tmp_path / "nowhere")
    assert "what to do" not in str(refused.value)


@pytest.mark.parametrize(("version", "words"), [(3, "newer version of Triptych"), (0, "unknown"), (None, "unknown")])
def test_schema_version_is_checked_first(tmp_path: Path, version: int | None, words: str) -> None:
    RunFolder.create(tmp_path, MANIFEST)
    told = json.loads((tmp_path / "manifest.json").read_bytes()) | {"schema_version": version, "novelty": 1}
    (tmp_path / "manifest.json").write_text(json.dumps(told))
    with pytest.raises(RunFolderError, match=words):
        RunFolder.open(tmp_path)


def test_a_damaged_manifest_is_refused(tmp_path: Path) -> None:
    for content in (b"{", b"[]", b'{"schema_version": 1}', b"\xff", b'{"model": "\xff"}'):
        (tmp_path / "manifest.json").write_bytes(content)
        with pytest.raises(RunFolderError, match="manifest"):
            RunFolder.open(tmp_path)


def test_the_last_line_counts_and_order_does_not(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    with folder.writer() as writer:
        for number in (2, 1, 3):
            writer.add_item(item(number))
        writer.add_item(item(1))
        for line in (response(2, "failed"), response(1), response(2, text="B"), response(1, repeat=1)):
            writer.add_response(line)
    assert [i.id for i in folder.items()] == ["00001", "00002", "00003"]
    assert list(folder.responses()) == [response(1), response(1, repeat=1), response(2, text="B")]
    assert len(list(folder.history())) == 4
    assert (tmp_path / "items.jsonl").read_bytes().count(b"\n") == 3


def test_items_with_the_same_facets_hold_one_dictionary(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    given = [msgspec.structs.replace(item(n), facets={"direction": "ab"[n % 2]}) for n in range(4)]
    with folder.writer() as writer:
        for one in given:
            writer.add_item(one)
    found = list(folder.items())
    assert found == given
    assert len({id(one.facets) for one in found}) == 2


def test_a_line_that_lacks_a_field_is_named(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    with folder.writer() as writer:
        writer.add_item(item(2))
    with (tmp_path / "items.jsonl").open("a") as file:
        file.write('{"id": "00001"}\n')
    with pytest.raises(DataError, match=r"items\.jsonl:2"):
        list(folder.items())


def test_done_is_what_need_not_be_asked(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    assert folder.done() == set()
    with folder.writer() as writer:
        for line in (response(1), response(2, "failed"), response(3, "skipped"), response(4), response(4, "failed")):
            writer.add_response(line)
    assert folder.done() == {("00001", "", 0), ("00003", "", 0)}
    assert len(folder.done(frozenset())) == 4
    assert folder.done(frozenset({"failed", "answered"})) == {("00003", "", 0)}


def test_an_item_is_written_again_only_to_add_hashes(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    bare, hashed = item(1, media("audio", "a.wav")), item(1, Part("audio", path="a.wav", sha256="f" * 64))
    with folder.writer() as writer:
        writer.add_item(bare)
        writer.add_item(bare)
    with folder.writer() as writer:
        assert not writer.knows("00001")
        writer.add_item(hashed)
        assert writer.knows("00001")
        writer.add_item(bare)
    assert list(folder.items()) == [hashed]
    assert (tmp_path / "items.jsonl").read_bytes().count(b"\n") == 2


HOLD = """
import sys
from pathlib import Path
from triptych.store.folder import RunFolder
with RunFolder.open(Path(sys.argv[1])).writer() as writer:
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(RunFolderError, match=rf"locked by pid {other.pid} on "), folder.writer():
            pass
        other.kill()
    with folder.writer():  # the lock went with its process
        pass


def test_two_writers_in_one_process_neither(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    with folder.writer(), pytest.raises(RunFolderError, match="another process"), folder.writer():
        pass


def test_paths_of_derived_files(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    assert folder.scores_path("official") == tmp_path / "scores" / "official.jsonl"
    assert folder.summary_path == tmp_path / "summary.json" and folder.tables_path == tmp_path / "tables"


def test_a_name_that_is_no_text_makes_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"(?s)not valid Unicode.*udcff.*rename the file or folder"):
        RunFolder.create(tmp_path / "run", manifest(model="openai/\udcff"))
    assert not (tmp_path / "run").exists()


def test_shards_of_other_selections_are_refused(tmp_path: Path) -> None:
    one = shard(tmp_path / "1", "1/2", answer(0))
    two = RunFolder.create(tmp_path / "2", manifest(shard="2/2", limit=5))
    with pytest.raises(RunFolderError, match="differ in limit"):
        merge([one, two], tmp_path / "both")
