"""The files that docs/portal-proxy.md gives, as they stand there, apart from name, ports and certificate."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

DOCS = Path(__file__).parents[2] / "docs" / "portal-proxy.md"
NAME = "poems.example.org"


def block(language: str, holds: str) -> str:
    """The block of the page in a language that contains some words."""
    found = re.findall(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    (one,) = [text for text in found if holds in text]
    return str(one)


def caddy(folder: Path, target: str, certificate: tuple[Path, Path], port: int) -> list[str]:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed (apt-get install caddy)")
    site = block("text", "reverse_proxy").replace(NAME, f"https://localhost:{port}")
    site = site.replace("127.0.0.1:8780", target.removeprefix("http://"))
    site = site.replace("{\n", f"{{\n    tls {certificate[0]} {certificate[1]}\n", 1)
    (folder / "Caddyfile").write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{site}")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


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
