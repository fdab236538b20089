"""Where the address of a cluster comes from, and what is said if nothing answers there."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.running.leases.on_ray import NOTICE_AFTER_S
from triptych.running.leases.ray_address import (
    RayAddress,
    address_file,
    address_of,
    check_answers,
    has_token,
    no_connection,
    slow_connection_notice,
)


@pytest.fixture
def listening() -> Iterator[int]:
    """A port at which something answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def left_behind(place: Path, address: str) -> dict[str, str]:
    """The environment of a computer on which a cluster was, and its file."""
    (place / "ray").mkdir(parents=True)
    (place / "ray" / "ray_current_cluster").write_text(address, encoding="utf-8")
    return {"RAY_TMPDIR": str(place), "HOME": str(place)}


def test_an_option_comes_before_the_variable_and_the_variable_before_the_file(tmp_path: Path) -> None:
    here = left_behind(tmp_path, "127.0.0.1:9")
    assert address_of("", here) == RayAddress("127.0.0.1:9", str(tmp_path / "ray" / "ray_current_cluster"))
    assert address_of("auto", here).address == "127.0.0.1:9"
    assert address_of("", here | {"RAY_ADDRESS": "b:1"}) == RayAddress("b:1", "RAY_ADDRESS")
    assert address_of("c:2", here | {"RAY_ADDRESS": "b:1"}) == RayAddress("c:2", "--ray-address")
    assert address_of("local", here) == RayAddress("local", "--ray-address")
    assert address_of("", {"RAY_TMPDIR": str(tmp_path / "none")}) == RayAddress("", "")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("--ray-address", "correct --ray-address"),
        ("RAY_ADDRESS", "unset it"),
        ("/tmp/ray/current", "delete it"),
    ],
)
def test_a_dead_address_is_named_with_its_source_and_what_to_do(source: str, words: str, listening: int) -> None:
    check_answers(RayAddress(f"127.0.0.1:{listening}", source))
    check_answers(RayAddress(f"ray://127.0.0.1:{listening}", source))
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    with pytest.raises(SpecError, match="nothing answers") as error:
        check_answers(RayAddress(f"127.0.0.1:{free}", source))
    assert f"127.0.0.1:{free} (from {source})" in str(error.value) and words in str(error.value)
    assert "--ray-address local" in str(error.value)


@pytest.mark.parametrize("address", ["", "local", "auto", "no port"])
def test_what_is_no_address_is_left_to_ray(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(socket, "create_connection", lambda *given, **_: tried.append(given))
    check_answers(RayAddress(address, ""))
    assert tried == []


def test_a_refused_connection_says_which_cluster_and_which_token(tmp_path: Path) -> None:
    """Ray uses a token in ~/.ray/auth_token by itself only for a cluster that it finds by itself. It isn't used here
    either for one that is named: workers of a cluster without tokens could not talk to a driver with one."""
    found, own = RayAddress("10.0.0.1:6379", "RAY_ADDRESS"), {"HOME": str(tmp_path)}
    told = str(no_connection(found, ConnectionError("Failed to connect\nmore"), own | {"RAY_AUTH_MODE": "token"}))
    assert "10.0.0.1:6379 (from RAY_ADDRESS): ConnectionError: Failed to connect" in told and "more" not in told
    assert "uses a token" in told and "ray get-auth-token" in told
    assert not has_token(own) and "this one has none" in str(no_connection(found, ConnectionError("x"), own))
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("a" * 32, encoding="utf-8")
    assert has_token(own) and has_token({"HOME": "/nowhere", "RAY_AUTH_TOKEN": "a"})
    told = str(no_connection(found, ConnectionError("x"), own))
    assert "this computer has a token of Ray" in told and "RAY_AUTH_MODE=token" in told


def test_a_connection_that_takes_long_is_announced_with_what_to_do(tmp_path: Path) -> None:
    """Ray itself tries for half a minute before it refuses a driver without the cluster's token."""
    own = {"HOME": str(tmp_path)}
    assert slow_connection_notice(RayAddress("", ""), own) == slow_connection_notice(
        RayAddress("local", "--ray-address"), own
    )
    assert slow_connection_notice(RayAddress("", ""), own) == "Ray is still starting on this computer"
    notice = slow_connection_notice(RayAddress("10.0.0.1:6379", "--ray-address"), own)
    assert "does not answer yet at 10.0.0.1:6379 (from --ray-address)" in notice
    assert "RAY_AUTH_MODE=token" in notice and "ray get-auth-token" in notice
    assert NOTICE_AFTER_S < 10


@pytest.mark.parametrize(
    ("address", "words"), [("", "still starting on this computer"), ("127.0.0.1", "does not answer yet at 127.0.0.1")]
)
def test_the_notice_comes_while_ray_still_tries(
    address: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed: make models")
    from triptych.running.leases import on_ray

    for name in ("RAY_ADDRESS", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name, value in left_behind(tmp_path, "").items():
        monkeypatch.setenv(name, value)
    address_file().unlink()
    said: list[str] = []
    announced = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        announced.set()

    monkeypatch.setattr(on_ray, "NOTICE_AFTER_S", 0.01)
    monkeypatch.setattr(on_ray, "say", say)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda **_: announced.wait(30))
    on_ray.connected(address)
    assert len(said) == 1 and words in said[0]


def test_a_run_ends_at_once_if_ray_names_a_cluster_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: make models")
    from triptych.running.leases.on_ray import connected

    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    for name, value in left_behind(tmp_path, f"127.0.0.1:{free}").items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SpecError, match="nothing answers"):
        connected()


DRIVER = """
import sys
from triptych.errors import TriptychError
from triptych.running.leases.on_ray import connected
try:
    print("connected", connected(sys.argv[1]).cluster_resources()["CPU"])
except TriptychError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_cluster_with_a_token_as_ray_documents_it_and_after_its_head_was_killed() -> None:
    """`ray get-auth-token --generate`, then `ray start --head`, which uses the token by itself."""
    pytest.importorskip("ray", reason="Ray is not installed: make models")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="rt", dir="/tmp", ignore_cleanup_errors=True) as place:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        own = kept | {"HOME": place, "RAY_TMPDIR": place, "RAY_USAGE_STATS_ENABLED": "0"}
        ray = [sys.executable, "-m", "ray.scripts.scripts"]
        subprocess.run([*ray, "get-auth-token", "--generate"], env=own, check=True, capture_output=True, timeout=60)
        start = ["start", "--head", f"--port={port}", "--num-cpus=1", "--include-dashboard=false", "--block"]
        head = subprocess.Popen(
            [*ray, *start], env=own, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            file = Path(place, "ray", "ray_current_cluster")
            deadline = time.monotonic() + 60
            while not file.exists() and time.monotonic() < deadline:
                time.sleep(0.2)
            address = file.read_text(encoding="utf-8")
            assert "connected 1.0" in driver(own | {"RAY_AUTH_MODE": "token"}, address)
            assert "connected 1.0" in driver(own, ""), "Ray uses the token for a cluster that it finds by itself"
            wrong = driver(own | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "f" * 32}, address)
            assert f"{address} (from --ray-address)" in wrong and "ray get-auth-token" in wrong
        finally:
            with_session = subprocess.run(["ps", "-s", str(head.pid), "-o", "pid="], capture_output=True, text=True)
            for pid in {head.pid, *map(int, with_session.stdout.split())}:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            head.wait()
        gone = driver(own, "")
        assert "nothing answers" in gone and f"{address} (from {file})" in gone and "delete it" in gone


def driver(environ: dict[str, str], address: str) -> str:
    """What a driver prints that connects to a cluster."""
    told = [sys.executable, "-c", DRIVER, address]
    return subprocess.run(told, env=environ, capture_output=True, text=True, timeout=90).stdout
