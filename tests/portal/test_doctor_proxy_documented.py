"""The files that docs/portal-proxy.md gives, as they stand there, apart from name, ports and certificate."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from tests.portal.serving import served
from tests.portal.test_doctor_proxy import reader, send, take
from tests.support.ports import free_port
from tests.support.waiting import until
from triptych.portal.doctor import examine
from triptych.portal.project import Portal, open_portal

DOCS = Path(__file__).parents[2] / "docs" / "portal-proxy.md"
NAME = "poems.example.org"


def block(language: str, holds: str) -> str:
    """The block of the page in a language that contains some words."""
    found = re.findall(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    (one,) = [text for text in found if holds in text]
    return str(one)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of localhost, and its key, that last a month."""
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("certificate")
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "privkey.pem").write_bytes(secret)
    return folder / "fullchain.pem", folder / "privkey.pem"


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


def caddy(folder: Path, target: str, certificate: tuple[Path, Path], port: int) -> list[str]:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed (apt-get install caddy)")
    site = block("text", "reverse_proxy").replace(NAME, f"https://localhost:{port}")
    site = site.replace("127.0.0.1:8780", target.removeprefix("http://"))
    site = site.replace("{\n", f"{{\n    tls {certificate[0]} {certificate[1]}\n", 1)
    (folder / "Caddyfile").write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


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


def test_the_documented_unit_is_one_that_systemd_accepts(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed (apt-get install systemd)")
    unit = block("ini", "[Service]").replace("/opt/triptych/bin/triptych", sys.executable)
    (tmp_path / "portal.service").write_text(unit, encoding="utf-8")
    made = subprocess.run([program, "verify", str(tmp_path / "portal.service")], capture_output=True, text=True)
    told = [line for line in made.stderr.splitlines() if "portal.service" in line]
    assert told == [], made.stderr


def test_the_documented_compose_file_is_yaml_that_names_what_it_uses() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    made = yaml.safe_load(block("yaml", "services"))
    assert set(made["services"]) == {"portal", "db", "caddy"}
    for service in made["services"].values():
        for volume in service.get("volumes", []):
            assert volume.startswith("./") or volume.partition(":")[0] in made["volumes"]
        assert set(service.get("depends_on", ())) <= made["services"].keys()
    assert made["services"]["portal"]["environment"]["TRIPTYCH_PORTAL_DB"].partition("@")[2] == "db/portal"
    subnet = made["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert subnet in block("toml", "172.28")
    settings = msgspec.toml.decode(block("toml", "172.28"), type=dict[str, list[str]])
    assert settings == {"hosts": [NAME], "proxies": [subnet]}


def test_the_documented_compose_file_is_one_that_compose_accepts(tmp_path: Path) -> None:
    program = next(filter(None, map(shutil.which, ("docker-compose", "podman-compose"))), None)
    if program is None:
        pytest.skip("Compose is not installed (apt-get install docker-compose, or pip install podman-compose)")
    (tmp_path / "compose.yaml").write_text(block("yaml", "services"), encoding="utf-8")
    own = {**os.environ, "DB_PASSWORD": "abc123", "HOME": str(tmp_path)}
    command = [program, "-f", str(tmp_path / "compose.yaml"), "config"]
    made = subprocess.run(command, env=own, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert "postgresql://portal:abc123@db/portal" in made.stdout
