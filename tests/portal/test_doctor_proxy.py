"""The portal behind a real nginx with its defaults, and what the doctor says about proxies that are set up badly."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from tests.portal.conftest import Visitor, visitor
from tests.portal.serving import served
from tests.support.waiting import until
from triptych.cli.portal import app
from triptych.errors import SpecError
from triptych.media.sound.coding import encode_wav
from triptych.portal.doctor import examine
from triptych.portal.project import Portal
from triptych.portal.site.gate import SECURE_SESSION, SESSION
from triptych.portal.store.tables import submissions, tasks
from triptych.portal.work.queues import NewTask, put_queue, put_tasks

HEADERS = "proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;"


@contextmanager
def nginx(folder: Path, target: str, settings: str = "") -> Iterator[str]:
    """The address of an nginx before a server."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("nginx is not installed (apt-get install nginx)")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    places = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # otherwise its workers can't write into the folder of the test
    file.write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1; events {{}}\n"
        f"http {{ access_log off; {places} server {{ listen 127.0.0.1:{port}; {settings}\n"
        f"location / {{ proxy_pass {target}; {HEADERS} }} }} }}\n"
    )
    process = subprocess.Popen([program, "-c", str(file), "-p", str(folder)], stderr=subprocess.DEVNULL)
    try:
        until(lambda: _answers(port), "nginx")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _answers(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def take(seconds: float = 14.0) -> bytes:
    draw = np.random.default_rng(3)
    return encode_wav((0.1 * draw.normal(size=(int(48_000 * seconds), 1))).astype(np.float32), 48_000)


@dataclass
class Answer:
    status_code: int
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


def put(where: str, headers: dict[str, str], content: bytes = b"") -> Answer:
    asked = urllib.request.Request(where, content, headers, method="PUT")
    try:
        with urllib.request.urlopen(asked) as answer:
            return Answer(answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.read().decode())


def reader(portal: Portal) -> tuple[Visitor, int]:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["1"]}, None)
        put_tasks(connection, queue, [NewTask("a", "d", {"shows": {"text": "床"}})])
        task = connection.execute(select(tasks.c.id)).scalar_one()
    who = visitor(portal, "recorder")
    who.client.get("/record/record")
    return who, task


def send(address: str, who: Visitor, task: int, wav: bytes, *, parts: bool) -> Answer:
    facts = {"frames": len(wav) // 2 - 22, "rate": 48_000, "blocks": 9, "lost": 0, "milliseconds": 14_000}
    headers = {
        "x-form-token": who.token,
        "accept": "application/json",
        "x-content-sha256": sha256(wav).hexdigest(),
        "x-facts": json.dumps(facts),
        "cookie": f"{SECURE_SESSION if address.startswith('https') else SESSION}={who.client.cookies[SESSION]}",
    }
    where = f"{address}/record/record/{task}/{'t' * 20}"
    if not parts:
        return put(where, headers, wav)
    pieces = [wav[begin : begin + 448 * 1024] for begin in range(0, len(wav), 448 * 1024)]
    for number, piece in enumerate(pieces):
        answer = put(f"{address}/parts/{'t' * 20}/{number}", headers, piece)
        assert answer.status_code == 201, answer.text
    return put(where, {**headers, "x-parts": str(len(pieces))})


def test_a_take_of_14_seconds_passes_an_nginx_with_its_defaults(small: Portal, tmp_path: Path) -> None:
    (who, task), wav = reader(small), take()
    assert len(wav) > 1 << 20
    with served(small) as target, nginx(tmp_path, target) as address:
        whole = send(address, who, task, wav, parts=False)
        assert whole.status_code == 413 and "problem" not in whole.text  # as before: not the portal's own refusal
        answer = send(address, who, task, wav, parts=True)
    assert answer.status_code == 201 and answer.json()["sha256"] == sha256(wav).hexdigest()
    with small.database.reading() as connection:
        assert len(connection.execute(select(submissions.c.id)).all()) == 1
    with small.blobs.open_file(sha256(wav).hexdigest()) as file:
        assert file.read() == wav
    assert not list((small.path / "incoming").glob("part-*"))


def checks(address: str) -> dict[str, Any]:
    return {each.name: each for each in examine(address)}


def test_the_doctor_finds_nothing_wrong_without_a_proxy(small: Portal) -> None:
    with served(small) as address:
        made = CliRunner().invoke(app, ["doctor", "--url", address])
        assert made.exit_code == 0, made.output
        assert "ok   clock" in made.output and "NOT" not in made.output


def test_the_doctor_says_what_a_proxy_refuses(small: Portal, tmp_path: Path) -> None:
    with served(small) as target:
        (tmp_path / "one").mkdir()
        with nginx(tmp_path / "one", target) as address:
            found = checks(address)
        assert found["uploads of people"].good and not found["push from elsewhere"].good
        assert "client_max_body_size" in found["push from elsewhere"].fix
        (tmp_path / "two").mkdir()
        with nginx(tmp_path / "two", target, "client_max_body_size 100k;") as address:
            found = checks(address)
        assert not found["uploads of people"].good and "413" in found["uploads of people"].observed


def test_a_proxy_elsewhere_is_believed_only_if_it_is_named(small: Portal) -> None:
    (small.path / "portal.toml").write_text('proxies = ["10.0.0.0/8", "nonsense"]\n')
    from triptych.portal.project import read_settings

    with pytest.raises(SpecError, match="address or network"):
        read_settings(small.path / "portal.toml")
