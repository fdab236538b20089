"""Which variables may be named for a key, and that it is said where one goes before anything is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.wire import Wire, fixture
from triptych.errors import SpecError
from triptych.models.http.keys import key_in
from triptych.models.registry import load_adapter

REFUSED = (
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "PATH",
    "HOME",
    "SSH_PRIVATE_KEY",
    "DATABASE_URL",
    "api_key",
    "",
    "STRIPE_API_KEY",
    "TRIPTYCH_API_KEYS",
)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("model", ["openai", "asr", "gemini", "anthropic"])
def test_other_variables_are_never_read(model: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip({"gemini": "google.genai", "anthropic": "anthropic"}.get(model, "msgspec"))
    if name:
        monkeypatch.setenv(name, "Marker")
    with pytest.raises(SpecError, match="isn't known to hold a model's key") as caught:
        load_adapter(f"{model}/m", {"base_url": "http://127.0.0.1:9/v1", "key_env": name})
    assert "Marker" not in str(caught.value) and "_API_KEY" in str(caught.value)


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "TRIPTYCH_LAB_API_KEY", "TRIPTYCH_API_KEY", "HF_TOKEN"])
def test_keys_of_models_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "abc")
    assert key_in(name).reveal() == "abc"


def ran(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in `folder`."""
    import os

    command = [sys.executable, "-P", "-m", "triptych", *arguments]
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


CONFIG = '[run]\nmodel = "openai/m"\nmodel-base-url = "{url}"\nlimit = 1\nretries = 0\n[run.M]\nkey_env = "{name}"\n'


def test_a_received_configuration_sends_no_other_secret(tmp_path: Path) -> None:
    with Wire(lambda seen: fixture("openai/answer")) as wire:
        (tmp_path / "theirs.toml").write_text(CONFIG.format(url=wire.url, name="AWS_SECRET_ACCESS_KEY"))
        done = ran(tmp_path, "run", "cmdar/main", "--config", "theirs.toml", AWS_SECRET_ACCESS_KEY="Marker")
    assert done.returncode == 2 and not wire.seen
    assert "AWS_SECRET_ACCESS_KEY" in done.stderr and "Marker" not in done.stderr


def test_it_is_said_where_a_key_goes(tmp_path: Path) -> None:
    with Wire(lambda seen: fixture("openai/answer")) as wire:
        (tmp_path / "theirs.toml").write_text(CONFIG.format(url=wire.url, name="OPENAI_API_KEY"))
        done = ran(tmp_path, "run", "cmdar/main", "--config", "theirs.toml", OPENAI_API_KEY="Marker")
    said = f"the key in OPENAI_API_KEY is sent to {wire.url}, which is not api.openai.com"
    assert said in done.stderr and done.stderr.index(said) < done.stderr.index("1/1")
    assert "Marker" not in done.stderr
