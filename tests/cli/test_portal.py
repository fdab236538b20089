"""`triptych portal`: a server with its process of checks, links, backup and restore, push and pull."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.portal.serve import serve

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed")


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["portal", *arguments])
    said = capsys.readouterr()
    return stop.value.code, said.out, said.err


@pytest.mark.slow
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_ended_and_leaves_no_process(tmp_path: Path, told: signal.Signals) -> None:
    command = [sys.executable, "-m", "triptych", "portal", "serve", "--project", str(tmp_path / "p"), "--port", "0"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stderr=pipe, stdout=pipe, text=True)
    try:
        assert process.stderr is not None
        lines = process.stderr.readline() + process.stderr.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\n", lines)
        assert found and f"{found[1]}/enter/" in lines, lines
        with urllib.request.urlopen(found[1], timeout=600) as answer:
            assert "invitation link" in answer.read().decode()
    finally:
        process.send_signal(told)
        out, rest = process.communicate(timeout=600)  # the process of checks holds these pipes, too: it ended as well
    assert out == "" and "Traceback" not in rest


def test_a_link_a_backup_and_its_restoring(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, archive = str(tmp_path / "one"), str(tmp_path / "two"), str(tmp_path / "all.zip")
    (tmp_path / "one").mkdir()
    code, out, _ = ended(capsys, "invite", "--project", one, "--address", "https://example.org/")
    assert code == 0 and out.startswith("https://example.org/enter/")
    assert ended(capsys, "backup", "--project", one, "--to", archive)[0] == 0
    code, _, said = ended(capsys, "restore", archive, "--project", two)
    assert code == 0 and "2 rows, 0 media files" in said
    code, _, said = ended(capsys, "restore", archive, "--project", two)
    assert code == 2 and "not empty" in said


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = ["--project", str(tmp_path / "none")]
    assert "doesn't exist" in ended(capsys, "backup", *project, "--to", "x.zip")[2]
    (tmp_path / "none").mkdir()
    assert "unknown role" in ended(capsys, "invite", *project, "--role", "king")[2]
    code, _, said = ended(capsys, "push", str(tmp_path), "record", *project)
    assert code == 2 and "not a build folder" in said
    with pytest.raises(SpecError, match="must be given together"):
        serve(tmp_path / "p", certificate=tmp_path / "c.pem")
    with pytest.raises(SpecError, match="port number"):
        serve(tmp_path / "p", port=70_000)


def test_push_and_pull_print_their_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = tmp_path / "build"
    (build / "tasks").mkdir(parents=True)
    (build / "build.json").write_text("{}")
    task = {"id": "w/0", "shown": "d", "stage": "review", "form": {"verdict": ["yes", "no"]}, "shows": {"text": "x"}}
    (build / "tasks/review.jsonl").write_text(json.dumps(task) + "\n")
    project = ["--project", str(tmp_path / "p")]
    code, out, _ = ended(capsys, "push", str(build), "review", *project, "--json")
    assert code == 0 and json.loads(out) == {
        "queue": "review",
        "kind": "review",
        "added": 1,
        "open": 1,
        "closed": 0,
        "again": 0,
    }
    code, out, _ = ended(capsys, "pull", str(build), "review", *project, "--json")
    assert code == 0 and json.loads(out)["results"] == 0
