"""Every model that needs software of its own has an environment or a reason; environments are made once and whole."""

from __future__ import annotations

import asyncio
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.models.worker.clones import REPOSITORIES
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models import environments as making
from triptych.models.catalogue import CatalogueModel, catalogue
from triptych.models.named import weights_folder
from triptych.models.registry import load_adapter
from triptych.models.worker import environments as listed
from triptych.models.worker.environments import RUNNERS, ModelEnvironment, environment_of, environments
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Request, text

NEEDING = [row for row in catalogue().values() if "environment" in row.way]
ENVIRONMENTS = list(listed.environments().values())


@pytest.mark.parametrize("row", NEEDING, ids=lambda row: row.key)
def test_every_model_that_needs_one_has_one_environment(row: CatalogueModel) -> None:
    found = [one for one in ENVIRONMENTS if row.key in one.models]
    assert len(found) == 1 and environment_of(row.key) is found[0]


@pytest.mark.parametrize("one", ENVIRONMENTS, ids=lambda one: one.key)
def test_an_environment_can_be_made_or_says_why_not(one: ModelEnvironment) -> None:
    assert set(one.models) <= {row.key for row in NEEDING}
    if one.runner:
        assert one.file.is_file() and bool(one.requires) != bool(one.note)
        assert not one.clone or one.repository.startswith("https://")
        assert bool(one.clone) == bool(one.entry) and (one.clone or not (one.files or one.checkout))
        source = one.file.read_text(encoding="utf-8")
        assert "def load(" in source and "def answer(" in source
        assert one.remote_code == ("trust_remote_code" in source)
        assert bool(one.clone) == ('options["code"]' in source)
        assert not re.search(r"^(import|from) (?!os|sys|json|__future__|typing)", source, re.MULTILINE), (
            "imports inside functions"
        )
    else:
        assert one.repository.startswith("https://") and one.note
    assert all(f'options["{part}"]' in one.file.read_text(encoding="utf-8") for part in one.parts)


def wheel(folder: Path, version: str) -> Path:
    """A wheel of a library of which a model needs an old version."""
    path = folder / f"oldlib-{version}-py3-none-any.whl"
    told = f"oldlib-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("oldlib.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{told}/METADATA", f"Metadata-Version: 2.1\nName: oldlib\nVersion: {version}\n")
        archive.writestr(f"{told}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{told}/RECORD", "")
    return path


RUNNER = "def load(source, options):\n    import oldlib\n    return oldlib.VERSION\n"
RUNNER += "def answer(model, messages, settings):\n    return f'an answer of {model}'\n"


@pytest.mark.slow
def test_a_model_is_asked_with_its_own_old_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is made by venv and pip without a network, and its worker answers with the old library."""
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(making.shutil, "which", lambda name: None)
    (tmp_path / "oldlib_chat.py").write_text(RUNNER, encoding="utf-8")
    monkeypatch.setattr(listed, "RUNNERS", tmp_path)
    own = ModelEnvironment("old", ("desta2.5-audio",), (str(wheel(tmp_path, "0.1")),), runner="oldlib_chat")
    monkeypatch.setattr("triptych.models.worker.adapter.environment_of", lambda key: own)
    settings = {"source": str(tmp_path)}
    with pytest.raises(SpecError, match="install=true"):
        load_adapter("desta2.5-audio", settings)
    model = load_adapter("desta2.5-audio", {**settings, "install": True})

    async def ask() -> str:
        await model.open()
        request = Request("a", (Message("user", (text("Who?"),)),), {"max_tokens": 5})
        reply = await model.respond(request, await model.prepare(request, MediaReader(tmp_path)))
        await model.close()
        return reply.text

    assert asyncio.run(ask()) == "an answer of 0.1"
    assert load_adapter("desta2.5-audio", settings).revision == model.revision
    assert own.folder.name in model.revision and "runner oldlib_chat:" in model.revision


def test_a_clone_of_the_repository_is_asked_for_and_named(tmp_path: Path) -> None:
    allow_foreign_code()
    given = {"source": str(tmp_path), "python": sys.executable}
    with pytest.raises(SpecError, match=r"git clone https://github.com/stepfun-ai/Step-Audio2.*-M code=FOLDER"):
        load_adapter("worker/step-audio-2-mini", given)
    clone = tmp_path / "clone"
    (clone / ".git" / "refs").mkdir(parents=True)
    (clone / "stepaudio2.py").touch()
    assert "code clone" in (load_adapter("worker/step-audio-2-mini", {**given, "code": str(clone)}).revision or "")
    (clone / ".git" / "HEAD").write_text("ref: refs/main\n", encoding="utf-8")
    (clone / ".git" / "refs" / "main").write_text("0123456789abcdef\n", encoding="utf-8")
    model = load_adapter("worker/step-audio-2-mini", {**given, "code": str(clone)})
    assert "code 0123456789ab" in (model.revision or "")
    allow_foreign_code(allowed=False)
    with pytest.raises(SpecError, match=r"-M code\).*only done if you allow it"):
        load_adapter("worker/step-audio-2-mini", {"source": str(tmp_path), "code": str(clone)})


def test_an_environment_that_pip_cannot_make_says_so(tmp_path: Path) -> None:
    allow_foreign_code()
    given = {"source": str(tmp_path), "code": str(tmp_path)}
    with pytest.raises(SpecError, match=r"(?s)no modeling_bailingmm.py.*git -C FOLDER checkout a268188fc2a7"):
        load_adapter("worker/ming-lite-omni", given)
    (tmp_path / "modeling_bailingmm.py").touch()
    with pytest.raises(SpecError, match=r"(?s)flash-attn.*-M python=PATH"):
        load_adapter("worker/ming-lite-omni", given)


def test_another_branch_and_missing_parts_are_named(tmp_path: Path) -> None:
    """SALMONN: the branch of the clone, then the three models that it is put together from, then its weights."""
    allow_foreign_code()
    given = {"code": str(tmp_path), "python": sys.executable}
    with pytest.raises(SpecError, match=r"(?s)no models/salmonn.py.*git clone -b salmonn https://github.com/bytedance"):
        load_adapter("salmonn-7b", given)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "salmonn.py").touch()
    with pytest.raises(
        SpecError, match=r"(?s)lmsys/vicuna-7b-v1.5.*beats: file BEATs.*-M options='\{\"vicuna\": \"PATH\""
    ):
        load_adapter("salmonn-7b", given)
    given["options"] = '{"vicuna": "v", "whisper": "w", "beats": "b.pt"}'
    with pytest.raises(SpecError, match="hf download tsinghua-ee/SALMONN-7B"):
        load_adapter("salmonn-7b", given)


def test_weights_without_a_configuration_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    snapshot = tmp_path / "models--tsinghua-ee--SALMONN-7B" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    assert weights_folder("tsinghua-ee/SALMONN-7B", "*.pth") is None
    (snapshot / "salmonn_7b_v0.pth").touch()
    assert weights_folder("tsinghua-ee/SALMONN-7B", "*.pth") == snapshot
    assert weights_folder("tsinghua-ee/SALMONN-7B") is None


def test_weights_that_belong_into_the_clone_are_asked_for(tmp_path: Path) -> None:
    own = environment_of("ola-7b")
    assert own is not None
    (tmp_path / "ola" / "model").mkdir(parents=True)
    (tmp_path / "ola" / "model" / "builder.py").touch()
    with pytest.raises(SpecError, match=r"(?s)large-v3.pt.*Ola_speech_encoders and put it there"):
        own.code("ola-7b", str(tmp_path))
    for name in own.files:
        (tmp_path / name).touch()
    assert own.code("ola-7b", str(tmp_path)) == tmp_path.resolve()


@pytest.fixture(autouse=True)
def untrusted() -> None:
    allow_foreign_code(allowed=False)


CLONED = [one for one in environments().values() if one.clone and one.runner in REPOSITORIES]


@pytest.mark.parametrize("one", CLONED, ids=lambda one: one.key)
def test_the_small_repository_has_the_files_by_which_the_real_one_is_recognised(one: Any) -> None:
    assert {one.entry, *one.files} <= set(REPOSITORIES[one.runner])
    assert (RUNNERS / f"{one.runner}.py").is_file()
