"""Secrets of judges, readers, builds, prices and plug-ins: none is written or printed, whatever a server repeats."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_export_secrets import contents
from tests.cli.test_main_secrets import MARK
from tests.construction.recipes.test_recipes_end_to_end import material
from tests.support import commands
from tests.support.wire import Answer, Seen, Wire
from triptych import api

KEY, TOKEN = f"{MARK}Key5678", f"{MARK}Token5678"


def echo(reply: str) -> Callable[[Seen], Answer]:
    """A server that says `reply` with all that it was sent, in every field that it has."""

    def answer(seen: Seen) -> Answer:
        if seen.method == "GET":
            return Answer(404, json.dumps({"error": f"{seen.path} {seen.headers}"}).encode())
        sent = f"{seen.path} {seen.headers} {KEY} {TOKEN}"
        message = {"content": reply.replace("ECHO", json.dumps(sent)[1:-1]), "reasoning_content": sent}
        choice = {"message": message, "finish_reason": "stop", "native_finish_reason": sent}
        return Answer(200, json.dumps({"choices": [choice], "model": f"m {sent}", "id": KEY}).encode())

    return answer


def refuse(seen: Seen) -> Answer:
    return Answer(400, json.dumps({"error": {"message": f"bad: {seen.path} {seen.headers}"}}).encode())


def triptych(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("OPENAI_API_KEY", "OPENAI_BASE_URL")}
    return commands.triptych(*words, env={**clean, "NO_PROXY": "*", **env})


def hidden(folder: Path, *ended: subprocess.CompletedProcess[str]) -> None:
    said = "".join(one.stdout + one.stderr for one in ended)
    assert not re.search(f".{{0,80}}{MARK}.{{0,20}}", said), re.search(f".{{0,80}}{MARK}.{{0,20}}", said)
    written = contents(folder)
    found = re.search(rb".{0,80}" + MARK.encode() + rb".{0,20}", written)
    assert not found, found


@pytest.mark.slow
@pytest.mark.parametrize("server", [echo("8 4 ECHO"), refuse])
def test_judges(tmp_path: Path, server: Callable[[Seen], Answer]) -> None:
    api.run("cmdar/open", "baseline/reference", out=tmp_path / "run", limit=2)
    with Wire(server) as wire:
        judge = (
            "--judge",
            "openai/j",
            "--judge-base-url",
            f"{wire.url}/v1?sig={TOKEN}",
            "-J",
            "key_env=TRIPTYCH_PLAIN_API_KEY",
        )
        ended = triptych("score", tmp_path / "run", *judge, TRIPTYCH_PLAIN_API_KEY=KEY)
        assert KEY in str(wire.seen[0].headers) and TOKEN in wire.seen[0].path
    report = triptych("report", tmp_path / "run", "--to", tmp_path / "report")
    assert report.returncode == 0, report.stderr
    hidden(tmp_path, ended, report)


@pytest.mark.slow
@pytest.mark.parametrize("server", [echo("A picture. ECHO"), refuse])
def test_readers(tmp_path: Path, server: Callable[[Seen], Answer]) -> None:
    with Wire(server) as wire:
        reader = ("--condition", "ocr:from=openai/r", "--reader-base-url", f"{wire.url}/v1?sig={TOKEN}")
        ended = triptych(
            "run",
            "mcs_bench/T2",
            "--data",
            "mini",
            "--model",
            "baseline/reference",
            "--limit",
            2,
            *reader,
            "-R",
            "key_env=TRIPTYCH_PLAIN_API_KEY",
            "--out",
            tmp_path / "run",
            "--retries",
            0,
            TRIPTYCH_PLAIN_API_KEY=KEY,
        )
        assert wire.seen, ended
        assert KEY in str(wire.seen[0].headers) and TOKEN in wire.seen[0].path
    report = triptych("report", tmp_path / "run", "--to", tmp_path / "report")
    hidden(tmp_path, ended, report)


REPLY = (
    '{"question": "ECHO?", "answer": "ECHO", "right": "ECHO", "wrong": ["ECHO b", "ECHO c", "ECHO d"], '
    '"translation": "ECHO", "verdict": "accept", "ok": true, "reason": "ECHO"}'
)


@pytest.mark.slow
@pytest.mark.parametrize("server", [echo(REPLY), echo("no JSON: ECHO"), refuse])
def test_builds(tmp_path: Path, server: Callable[[Seen], Answer]) -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    with Wire(server) as wire:
        url = f"{wire.url}/v1?sig={TOKEN}"
        roles = "".join(
            f'[models.{role}]\nmodel = "openai/{role}"\nbase_url = "{url}"\n[models.{role}.settings]\n'
            'key_env = "TRIPTYCH_PLAIN_API_KEY"\n'
            for role in ("maker", "validator")
        )
        config = material("mcs_bench", tmp_path / "raw", roles, most_errors=1.0)
        to = tmp_path / "b"
        words = ("build", "mcs_bench", "--config", config, "--to", to)
        ended = triptych(*words, TRIPTYCH_PLAIN_API_KEY=KEY)
        again = triptych(*words, "--json", TRIPTYCH_PLAIN_API_KEY=KEY)
        assert KEY in str(wire.seen[0].headers) and TOKEN in wire.seen[0].path, ended.stderr
    told = [triptych("build", what, to) for what in ("status", "report")]
    hidden(to, ended, again, *told)


@pytest.mark.parametrize(
    "text",
    [
        f'api_key = "{KEY}"\n',
        f'[[price]]\nmodel = "*"\ninput = "api_key={KEY}"\noutput = 1\n',
        f'[[price]]\nmodel = "*"\nendpoint = "https://u:{KEY}@host/v1"\ninput = 1\noutput = "x"\n',
        f"sk-{MARK}123456 =",
    ],
)
def test_a_prices_file(tmp_path: Path, text: str) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    model = ("--model", "openai/m", "--model-base-url", "http://127.0.0.1:9/v1", "--budget-usd", 1, "--retries", 0)
    ended = triptych("run", "cmdar/main", "--data", "mini", *model, "--prices", prices, "--limit", 1, "--out", out)
    out.mkdir(exist_ok=True)
    hidden(out, ended)


def test_plug_ins_that_fail(tmp_path: Path) -> None:
    about = tmp_path / "bad-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    points = "".join(f"[triptych.{group}]\nbad = bp_bad\n" for group in ("metrics", "models", "benchmarks", "recipes"))
    (about / "entry_points.txt").write_text(points)
    (tmp_path / "bp_bad.py").write_text(f"raise RuntimeError('no https://u:{KEY}@host/?sig={TOKEN}, api_key={KEY}')")
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    made = ("run", "cmdar/main", "--data", "mini", "--model", "bad/m", "--out", tmp_path / "run")
    ended = [triptych("list", "metrics", **env), triptych("list", "benchmarks", **env), triptych(*made, **env)]
    assert all("RuntimeError" in one.stdout + one.stderr for one in ended), ended
    (tmp_path / "empty").mkdir()
    hidden(tmp_path / "empty", *ended)
