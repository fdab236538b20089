"""Fetching from a small Hub on loopback: resumed, checked, pinned, and never outside its folder."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.mock_hub import Hub
from tests.support.wire import Wire
from triptych.benchmarks import known_benchmarks
from triptych.cli.main import main
from triptych.errors import DataError, SpecError
from triptych.releases.fetching import FetchPlan, carry_out_fetch, plan_fetch, read_record, size_words
from triptych.releases.release import Release
from triptych.store.files.names import checked_name

pytest.importorskip("huggingface_hub")


RELEASE = Release(repo="lab/talks", questions=("tasks/*",))
MINI = known_benchmarks()["cmdar"].mini
BIG = bytes(range(256)) * 4_000


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, f"content of {name}")
    return buffer.getvalue()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """Served at HF_ENDPOINT."""
    files = {
        ".gitattributes": b"* lfs",
        "README.md": b"# Talks",
        "tasks/01/a.json": b'[{"q": 1}]',
        "tasks/b.json": b"[]",
        "Data.zip": zipped("Data/one.wav", "Data/deep/two.wav"),
        "media/film.mp4": BIG,
    }
    hub = Hub("lab/talks", files)
    with Wire(hub) as wire:
        monkeypatch.setenv("HF_ENDPOINT", wire.url)
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE"):
            monkeypatch.delenv(name, raising=False)
        yield hub


def fetch(to: Path, **wanted: object) -> FetchPlan:
    plan = plan_fetch(RELEASE, to, **wanted)  # type: ignore[arg-type]
    carry_out_fetch(plan, lambda line: None)
    return plan


def transfers(hub: Hub) -> list[str]:
    return [path.rpartition("/")[2] for method, path, _ in hub.asked if method == "GET" and "/resolve/" in path]


def test_all_is_fetched_checked_unpacked_and_recorded(hub: Hub, tmp_path: Path) -> None:
    plan = fetch(tmp_path)
    assert plan.commit == hub.commit and len(plan.wanted) == 5 and plan.listed == 6
    there = {p.relative_to(tmp_path).as_posix(): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    for path, data in hub.files.items():
        assert path == ".gitattributes" or there[path] == data
    assert there["Data/deep/two.wav"] == b"content of Data/deep/two.wav"
    record = read_record(tmp_path)
    assert record and (record.repo, record.revision, record.commit) == ("lab/talks", "main", hub.commit)
    assert record.unpacked == {"Data.zip": 2} and set(record.files) == set(plan.wanted)
    assert set(there) == {*plan.wanted, "Data/one.wav", "Data/deep/two.wav", "fetched.json"}  # nothing else is left


def test_a_second_fetch_transfers_nothing_and_mends_what_was_damaged(hub: Hub, tmp_path: Path) -> None:
    fetch(tmp_path)
    hub.asked.clear()
    assert fetch(tmp_path).missing == {} and transfers(hub) == []
    (tmp_path / "tasks/b.json").unlink()
    (tmp_path / "media/film.mp4").write_bytes(b"half")
    assert set(fetch(tmp_path).missing) == {"tasks/b.json", "media/film.mp4"}
    assert sorted(transfers(hub)) == ["b.json", "film.mp4"] and (tmp_path / "media/film.mp4").read_bytes() == BIG


def starts(hub: Hub) -> list[int]:
    """From which byte on the film was asked for, each time."""
    asked = [told for method, path, told in hub.asked if method == "GET" and path.endswith("film.mp4")]
    return [int(told.removeprefix("bytes=").partition("-")[0] or 0) for told in asked]


def test_a_broken_transfer_goes_on_where_it_stopped(hub: Hub, tmp_path: Path) -> None:
    hub.cut["media/film.mp4"] = 2
    fetch(tmp_path, only=["media/*"])
    assert (tmp_path / "media/film.mp4").read_bytes() == BIG
    assert starts(hub) == [0, len(BIG) // 2, len(BIG) // 2 + len(BIG) // 4]


def test_a_fetch_that_was_killed_goes_on_in_the_next_sitting(hub: Hub, tmp_path: Path) -> None:
    half = tmp_path / ".fetching" / f"{hashlib.sha256(BIG).hexdigest()}.part"
    half.parent.mkdir()
    half.write_bytes(BIG[: len(BIG) // 3])  # what a killed process leaves behind
    fetch(tmp_path, only=["media/*"])
    assert (tmp_path / "media/film.mp4").read_bytes() == BIG
    assert starts(hub) == [len(BIG) // 3]
    assert not half.parent.exists()


def test_a_half_file_that_is_damaged_is_fetched_again_whole(hub: Hub, tmp_path: Path) -> None:
    half = tmp_path / ".fetching" / f"{hashlib.sha256(BIG).hexdigest()}.part"
    half.parent.mkdir()
    half.write_bytes(b"x" * 1000)
    fetch(tmp_path, only=["media/*"])
    assert (tmp_path / "media/film.mp4").read_bytes() == BIG and starts(hub) == [1000, 0]


def test_a_server_that_sends_nothing_is_given_up_and_what_came_is_kept(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.releases.fetching.time.sleep", lambda seconds: None)
    hub.gone = {"tasks/b.json"}
    with pytest.raises(DataError, match="run the same command again to resume"):
        fetch(tmp_path)
    record = read_record(tmp_path)
    assert record and record.commit == hub.commit  # pinned from the first byte on
    hub.gone = set()
    assert "README.md" not in fetch(tmp_path).missing


def test_a_branch_is_resolved_once(hub: Hub, tmp_path: Path) -> None:
    first = fetch(tmp_path, only=["questions"])
    assert set(first.wanted) == {"tasks/01/a.json", "tasks/b.json"}
    before, hub.files["tasks/b.json"] = hub.commit, b"[1]"
    assert hub.commit != before
    with pytest.raises(DataError, match="no such revision"):  # the commit that was pinned is what is asked for
        plan_fetch(RELEASE, tmp_path)
    assert fetch(tmp_path, revision="main", only=["questions"]).commit == hub.commit
    assert (tmp_path / "tasks/b.json").read_bytes() == b"[1]"


def test_content_that_is_not_what_the_hub_says_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.spoiled = {"tasks/b.json"}
    with pytest.raises(DataError, match="does not match the Hub's hash"):
        fetch(tmp_path, only=["tasks/b.json"])
    assert not (tmp_path / "tasks/b.json").exists()


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "a\\b", "C:/x", "a//b", "a\x00b", "./a/."])
def test_paths_that_lead_out_are_refused_before_anything_is_written(hub: Hub, tmp_path: Path, name: str) -> None:
    hub.extra = (name,)
    with pytest.raises(DataError, match="leads out"):
        plan_fetch(RELEASE, tmp_path / "to")
    assert not (tmp_path / "to").exists()
    with pytest.raises(DataError):
        checked_name(name, "here")


def test_a_link_in_the_folder_does_not_lead_out(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "to").mkdir()
    (tmp_path / "to/tasks").symlink_to(tmp_path / "outside")
    with pytest.raises(DataError, match="leads out"):
        fetch(tmp_path / "to", only=["questions"])
    assert not list((tmp_path / "outside").iterdir())


@pytest.mark.parametrize(
    "odd",
    [
        {"lfs": {"oid": "/tmp/evil", "size": 1, "pointerSize": 1}},
        {"oid": "../../evil"},
        {"lfs": {"oid": "A" * 64, "size": 1, "pointerSize": 1}},
        {"lfs": {"oid": "a" * 63, "size": 1, "pointerSize": 1}},
        {"lfs": {"oid": None, "size": 1, "pointerSize": 1}},
        {"lfs": {"size": 1}},
        {"lfs": [1]},
        {"size": -1},
        {"size": "1"},
        {"oid": 7},
    ],
    ids=str,
)
def test_a_hash_or_size_that_is_none_is_refused_before_anything_is_written(
    hub: Hub, tmp_path: Path, odd: dict[str, object]
) -> None:
    hub.rows = {"tasks/b.json": odd}
    with pytest.raises(DataError):
        plan_fetch(RELEASE, tmp_path / "to")
    assert not (tmp_path / "to").exists()


def test_names_that_a_fetch_uses_itself_are_left_alone(hub: Hub, tmp_path: Path) -> None:
    hub.files |= {"fetched.json": b"{}", ".fetching": b"x", ".fetching/a": b"x"}
    assert not {"fetched.json", ".fetching", ".fetching/a"} & set(fetch(tmp_path).wanted)
    assert read_record(tmp_path) is not None


def test_a_file_that_stands_where_a_folder_should_is_told(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "tasks").write_text("mine")
    with pytest.raises(DataError, match="folder can't be created"):
        fetch(tmp_path, only=["questions"])
    assert (tmp_path / "tasks").read_text() == "mine"


def test_what_the_hub_says_no_to_is_explained(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="no dataset lab/none"):
        plan_fetch(Release(repo="lab/none"), tmp_path)
    with pytest.raises(DataError, match="no such revision"):
        plan_fetch(RELEASE, tmp_path, revision="v9")
    with pytest.raises(SpecError, match="no file matches the selection"):
        plan_fetch(RELEASE, tmp_path, only=["*.flac"])
    hub.token = "hf_thisisthetokenofthetest"
    with pytest.raises(DataError, match="HF_TOKEN"):
        plan_fetch(RELEASE, tmp_path)
    monkeypatch.setenv("HF_TOKEN", hub.token)
    fetch(tmp_path, only=["questions"])
    assert hub.token not in (tmp_path / "fetched.json").read_text()
    with pytest.raises(DataError, match="can't be reached"):
        plan_fetch(RELEASE, tmp_path, endpoint="http://127.0.0.1:9")


def test_a_disk_that_is_too_small_is_told_before(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.releases.fetching.SPARE_BYTES", 1 << 60)
    plan = plan_fetch(RELEASE, tmp_path)
    with pytest.raises(DataError, match="not enough free disk space"):
        carry_out_fetch(plan, lambda line: None)
    assert transfers(hub) == []


# --- another commit


def test_an_archive_of_another_commit_is_unpacked_anew_whatever_the_sizes(hub: Hub, tmp_path: Path) -> None:
    fetch(tmp_path)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:  # members of the same names and sizes, other sound
        archive.writestr("Data/one.wav", b"CONTENT OF Data/one.wav")
        archive.writestr("Data/deep/two.wav", b"content of Data/deep/two.wav")
    hub.files["Data.zip"] = buffer.getvalue()
    del hub.files["tasks/b.json"]
    told: list[str] = []
    plan = plan_fetch(RELEASE, tmp_path, revision="main")
    carry_out_fetch(plan, told.append)
    assert (tmp_path / "Data/one.wav").read_bytes() == b"CONTENT OF Data/one.wav"
    assert any("earlier commit" in one and "tasks/b.json" in two for one, two in pairwise(told))
    assert (tmp_path / "tasks/b.json").exists(), "what lies there is named, not deleted"


def test_an_archive_that_another_commit_left_as_it_was_is_not_unpacked_again(hub: Hub, tmp_path: Path) -> None:
    fetch(tmp_path)
    hub.files["README.md"] = b"# More talks"
    told: list[str] = []
    carry_out_fetch(plan_fetch(RELEASE, tmp_path, revision="main"), told.append)
    assert not any("unpacking" in line for line in told)
    record = read_record(tmp_path)
    assert record and record.unpacked == {"Data.zip": 2}


def test_unpacking_that_was_interrupted_begins_again(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(archive: Path, to: Path) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("triptych.releases.fetching.unpack", killed)
        with pytest.raises(KeyboardInterrupt):
            fetch(tmp_path)
    assert not fetch(tmp_path).missing and (tmp_path / "Data/one.wav").read_bytes() == b"content of Data/one.wav"


# --- the command


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["fetch", *arguments])
    return int(ended.value.code or 0)


def test_the_command_tells_sizes_first_and_what_check_says_after(
    hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.repo = "LLLLuckyer/CMDAR"
    hub.files = {p.relative_to(MINI).as_posix(): p.read_bytes() for p in MINI.rglob("*") if p.is_file()}
    assert command("cmdar", "--to", str(tmp_path / "to"), "--dry-run") == 0
    told = capsys.readouterr().err
    assert "LLLLuckyer/CMDAR at " in told and f"{len(hub.files)} to fetch" in told and not (tmp_path / "to").exists()
    assert command("cmdar", "--to", str(tmp_path / "to"), "--json") == 0
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    assert document["fetched"] == len(hub.files) and document["commit"] == hub.commit
    assert "`triptych check cmdar --data" in shown.err
    assert document["problems"].get("error", 0) == 0


def test_it_says_which_release_of_xmodbench_was_fetched_and_is_read(
    hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def row(index: int, letter: str) -> dict[str, object]:
        options = {name: {"modality": "Text", "input": f"{name} {index}"} for name in "ABCD"}
        return {
            "question": "Which?",
            "conditions": {"modality": "Audio", "input": "./Data/a.wav"},
            "options": options,
            "correct_answer": letter,
            "subtask": "01_perception/instruments",
            "index": index,
        }

    hub.repo = "RyanWW/XModBench"
    lines = b"".join(json.dumps(row(n, "A")).encode() + b"\n" for n in range(3))
    older = "tasks/01_perception/instruments/solos_audio_bench_questions_audio_text.json"
    hub.files = {
        "data/audio_text.jsonl": lines,
        older: json.dumps([row(n, "A") for n in range(3)]).encode(),
        "Data/a.wav": b"RIFF",
    }
    both = tmp_path / "both"
    assert command("xmodbench", "--to", str(both), "--only", "questions", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["releases"] == ["2026-06", "2025-09"]
    assert "is read as the release 2026-06; it also holds 2025-09" in shown.err
    assert command("xmodbench", "--to", str(tmp_path / "old"), "--only", "tasks/*", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["releases"] == ["2025-09"] and "is read as the release 2025-09\n" in shown.err


def test_where_nothing_can_be_fetched_it_says_how_to_apply(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("mcs_bench") == 1
    assert "Application_Form_for_Using_MCS-Bench.docx" in capsys.readouterr().err


def test_sizes_in_words() -> None:
    assert [size_words(n) for n in (5, 1500, 2_000_000, 30_500_000_000, 2e13)] == [
        "5 bytes",
        "1.5 kB",
        "2.0 MB",
        "30.5 GB",
        "20,000.0 GB",
    ]


def test_every_benchmark_says_where_its_data_can_be_had() -> None:
    for benchmark in known_benchmarks().values():
        release = benchmark.spec.release
        if benchmark.origin == "triptych":
            assert release.repo or release.apply, benchmark.name
