"""A server under test: its model, its address and its processes."""

from __future__ import annotations

from pathlib import Path

from tests.support.waiting import until
from triptych.models.serving.server import Server

STAND_IN = Path(__file__).with_name("stand_in_vllm.py")
NAME = "Qwen/Qwen2.5-Omni-7B"


def pids(tmp_path: Path) -> list[int]:
    until((tmp_path / "pids").is_file, "the server's start")
    return [int(word) for word in (tmp_path / "pids").read_text().split()]


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1"


def ready(server: Server) -> None:
    server.until_ready(NAME, 600, print, every=0.02)
