"""A Run with secrets in every place that takes one, and a server that sends them back: no writer writes one."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import polars
import pytest

from tests.cli.test_main_secrets import MARK, ran
from tests.support.wire import Answer, Seen, Wire
from triptych.interchange import exports
from triptych.reports import report
from triptych.store.folder import RunFolder

KEY, TOKEN, HUB = f"{MARK}Key5678", f"{MARK}Token5678", f"hf_{MARK}Hub5678901234"
WRITERS = [*(("export", name) for name in exports.FORMATS), *(("report", name) for name in report.FORMATS[1:])]


def echo(seen: Seen) -> Answer:
    """A reply in which the server repeats the address, the headers and the keys in every field."""
    words = f"A. {seen.path} {dict(seen.headers)} {KEY} {TOKEN}"
    tokens = {"content": [{"token": KEY, "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
    message = {"content": words, "reasoning_content": words}
    choice = {"message": message, "finish_reason": f"stop {KEY}", "logprobs": tokens}
    body = json.dumps({"choices": [choice], "model": f"m-{TOKEN}", "id": KEY})
    return Answer(200, body.encode(), {"x-request-id": KEY})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("secrets")
    with Wire(echo) as wire:
        address = f"{wire.url}/v1?sig={TOKEN}"
        code, said = ran(
            folder,
            address,
            "-M",
            "key_env=TRIPTYCH_PLAIN_API_KEY",
            task="mcs_bench/T2",
            TRIPTYCH_PLAIN_API_KEY=KEY,
            HF_TOKEN=HUB,
        )
        assert code == 0, said
        assert KEY in str(wire.seen[0].headers) and TOKEN in wire.seen[0].path
        assert not any(HUB in f"{seen.headers} {seen.path} {seen.body!r}" for seen in wire.seen), "the Hub's alone"
    assert MARK not in said
    return RunFolder.open(folder / "run")


def contents(folder: Path) -> bytes:
    """The names and contents of all files, unpacked."""
    found = []
    for path in sorted(folder.rglob("*")):
        found.append(str(path.relative_to(folder)).encode())
        if path.suffix == ".parquet":
            found.append(polars.read_parquet(path).write_json().encode())
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                found += [archive.read(name) for name in archive.namelist()]
        elif path.is_file():
            found.append(path.read_bytes())
    return b"\n".join(found)


def test_the_markers_were_in_the_replies(run: RunFolder) -> None:
    replies = [reply.text for reply in run.responses()]
    assert replies and all("***" in reply for reply in replies)
    assert MARK.encode() not in contents(run.path)


@pytest.mark.parametrize(("how", "name"), WRITERS)
def test_no_writer_writes_a_secret(how: str, name: str, run: RunFolder, tmp_path: Path) -> None:
    if how == "export":
        exports.export_run(run, name, tmp_path)
    else:
        report.write_report([run], to=tmp_path, formats=[name])
    written = contents(tmp_path)
    assert len(written) > 50 and MARK.encode() not in written
