"""A whole Run with secrets in every place that takes one: none is found in its folder, or in what was printed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.commands import triptych
from tests.support.wire import Answer, Seen, Wire

MARK = "Zq7xMarker"


def ran(tmp_path: Path, address: str, *more: str, task: str = "cmdar/main", **env: str) -> tuple[int, str]:
    command = [
        "run",
        task,
        "--data",
        "mini",
        "--model",
        "openai/m",
        "--limit",
        "2",
    ]
    command += [
        "--condition",
        "blind",
        "--model-base-url",
        address,
        "--retries",
        "0",
        "--out",
        str(tmp_path / "run"),
        *more,
    ]
    clean = {name: value for name, value in os.environ.items() if name not in ("OPENAI_API_KEY", "OPENAI_BASE_URL")}
    done = triptych(*command, env={**clean, "NO_PROXY": "*", **env})
    return done.returncode, done.stdout + done.stderr


def written(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize(
    "shape",
    [
        "http://{M}Token@127.0.0.1:9/v1",
        "http://user:{M}p@ss@127.0.0.1:9/v1",
        "http://127.0.0.1:9/v1?sig={M}",
        "http://127.0.0.1:9/v1?code={M}",
        "http://{M}@no.such.host.invalid/v1",
    ],
)
def test_secrets_in_an_address_that_answers_nothing(tmp_path: Path, shape: str) -> None:
    _, said = ran(tmp_path, shape.replace("{M}", MARK))
    assert MARK not in said and "ss@127" not in said
    assert "no connection" in said or "can't be reached" in said, said
    assert MARK not in written(tmp_path)


def test_secrets_that_a_server_sends_back(tmp_path: Path) -> None:
    seen: list[Seen] = []

    def answer(request: Seen) -> Answer:
        seen.append(request)
        return Answer(400, f'{{"error": {{"message": "bad: {request.path} {request.headers}"}}}}'.encode())

    with Wire(answer) as wire:
        _, said = ran(tmp_path, f"{wire.url}/v1?sig={MARK}1234", OPENAI_API_KEY=f"{MARK}Key5678")
    assert seen[0].path == f"/v1/chat/completions?sig={MARK}1234", "the address keeps what it asks"
    assert MARK in seen[0].headers["authorization"]
    assert MARK not in said + written(tmp_path)


def test_a_key_in_an_answer_is_hidden(tmp_path: Path) -> None:
    body = f'{{"choices": [{{"message": {{"content": "A. {MARK}Key5678"}}, "finish_reason": "stop"}}]}}'.encode()
    with Wire(lambda seen: Answer(200, body)) as wire:
        _, said = ran(tmp_path, f"{wire.url}/v1", OPENAI_API_KEY=f"{MARK}Key5678")
    assert MARK not in said + written(tmp_path)


def test_a_key_among_the_settings_is_refused(tmp_path: Path) -> None:
    code, said = ran(tmp_path, "http://127.0.0.1:9/v1", "-M", f'extra={{"api_key":"{MARK}"}}')
    assert code == 2 and "manifest" in said and "key_env" in said
    assert MARK not in said + written(tmp_path)


@pytest.mark.parametrize("address", [f"https://{MARK}Token@127.0.0.1:9", f"http://127.0.0.1:9/?sig={MARK}"])
def test_a_mirrors_address_is_shown_without_them(tmp_path: Path, address: str) -> None:
    pytest.importorskip("huggingface_hub")
    env = {**os.environ, "HF_ENDPOINT": address, "NO_PROXY": "*", "HF_HUB_OFFLINE": "0"}
    done = triptych("fetch", "cmdar", "--to", tmp_path / "data", env=env)
    assert done.returncode == 2 and MARK not in done.stdout + done.stderr + written(tmp_path)


def test_the_hubs_token_does_not_follow_a_redirect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    from triptych.benchmarks import load_benchmark
    from triptych.errors import DataError
    from triptych.releases.fetching import plan_fetch
    from triptych.store.files.partial import fetch_rest

    monkeypatch.setenv("HF_TOKEN", f"hf_{MARK}123456")
    release = load_benchmark("cmdar").spec.release
    assert release is not None

    def away(seen: Seen) -> Answer:
        return Answer(307, b"{}", {"Location": other.url.replace("127.0.0.1", "localhost") + seen.path})

    with Wire(lambda seen: Answer(404, b"{}")) as other, Wire(away) as hub:
        with pytest.raises(DataError):
            plan_fetch(release, tmp_path, endpoint=hub.url)
        with pytest.raises(OSError, match="404"):
            fetch_rest(f"{hub.url}/x", tmp_path / "x", 10, timeout_s=600, token=f"hf_{MARK}123456")
        assert any(MARK in seen.headers.get("authorization", "") for seen in hub.seen)
        assert other.seen and not any("authorization" in seen.headers for seen in other.seen)
