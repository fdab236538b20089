"""Tests of `portal/doctor.py`: the public address of a portal, tried as a browser would."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest

from tests.portal.serving import served
from tests.portal.test_doctor_proxy import reader, send, take
from tests.portal.test_doctor_proxy_documented import NAME, block, caddy
from tests.support.ports import free_port
from tests.support.waiting import until
from triptych.errors import DataError, SpecError
from triptych.portal.doctor import examine
from triptych.portal.exchange.remote import Remote
from triptych.portal.project import Portal, open_portal


def test_the_doctor_says_that_a_name_is_not_known_or_nothing_answers(small: Portal) -> None:
    with served(small) as address:
        port = address.rpartition(":")[2]
        (found,) = examine(f"http://localhost.localdomain:{port}") if _resolves() else [None]
        if found is not None:
            assert not found.good and "hosts" in found.fix
    (found,) = examine(f"http://127.0.0.1:{port}")
    assert found.name == "connection" and not found.good
    assert found.observed == f"nothing accepts connections at 127.0.0.1, port {port}"
    for wrong in ("ftp://x", "https://x:99999", "https://x:0", "https://[::1", "https://x/portal", "https://"):
        with pytest.raises(SpecError, match="address"):
            examine(wrong)


@contextmanager
def answering(data: bytes, secure: ssl.SSLContext | None = None) -> Iterator[int]:
    """The port of a server that sends these bytes to whoever comes, and ends the connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    plain, _ = listener.accept()
                    with suppress(OSError), secure.wrap_socket(plain, server_side=True) if secure else plain as one:
                        one.recv(65_536)
                        one.sendall(data)

        Thread(target=answer, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def test_the_doctor_names_what_is_not_a_portal(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(b"SSH-2.0-OpenSSH_9.2\r\n") as port:
        assert examine(f"http://127.0.0.1:{port}")[0].observed.endswith("is not HTTP")
        assert examine(f"https://127.0.0.1:{port}")[0].observed.endswith("doesn't answer by HTTPS")
    with answering(b"") as port:
        assert "closed the connection" in examine(f"http://127.0.0.1:{port}")[0].observed
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{") as port:
        monkeypatch.setenv("TRIPTYCH_PORTAL_TOKEN", "tpt_x")
        end = Remote(f"http://127.0.0.1:{port}")
        with pytest.raises(DataError, match="closed the connection"), end.medium("0" * 64) as file:
            file.read()
        with pytest.raises(DataError, match="can't be read"):
            end.answers("survey")
    with pytest.raises(DataError, match="nothing accepts connections"):
        end.answers("survey")
    with pytest.raises(SpecError, match="address"):
        Remote("https://x:99999")


def _resolves() -> bool:
    try:
        return socket.gethostbyname("localhost.localdomain").startswith("127.")
    except OSError:
        return False


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[str]:
    """The address of a proxy that listens on a port of localhost until the block ends."""
    own = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=own, stdout=log, stderr=log)

    def answers() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(answers, command[0])
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        process.wait(10)


def nginx(folder: Path, target: str, certificate: tuple[Path, Path], port: int) -> list[str]:
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("nginx is not installed (apt-get install nginx)")
    server = block("nginx", "client_max_body_size").replace(NAME, "localhost")
    server = server.replace("/etc/letsencrypt/live/localhost/fullchain.pem", str(certificate[0]))
    server = server.replace("/etc/letsencrypt/live/localhost/privkey.pem", str(certificate[1]))
    server = server.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("http://127.0.0.1:8780", target)
    places = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi"))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {places} scgi_temp_path {folder}/scgi;\n{server}}}\n"
    )
    return [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)]


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_documented_proxy_passes_a_take_and_the_doctor_finds_nothing_wrong(
    proxy: object, small: Portal, tmp_path: Path, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = block("toml", "only if the proxy").replace(NAME, "localhost")
    (small.path / "portal.toml").write_text(hosts, encoding="utf-8")
    port = free_port()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    portal = open_portal(small.path)
    try:
        (who, task), wav = reader(portal), take()
        with served(portal) as target:
            command = proxy(tmp_path, target, certificate, port)  # type: ignore[operator]
            with running(command, port, tmp_path) as address:
                found = {each.name: each for each in examine(address)}
                answer = send(address, who, task, wav, parts=True)
    finally:
        portal.close()
    assert [each for each in found.values() if not each.good] == []
    assert {"HTTPS", "certificate", "address of a visitor", "push from elsewhere"} <= found.keys()
    assert answer.status_code == 201 and answer.json()["sha256"] == sha256(wav).hexdigest()
