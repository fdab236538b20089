"""Locating a model's folder on this computer, or saying what to download. Nothing is downloaded here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from triptych.errors import WeightsError
from triptych.models.encoders.defaults import hub_name
from triptych.store.user_cache import home_folder

# Weight files in the order of preference.
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
VARIABLE = "TRIPTYCH_ENCODERS"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model's folder, with its revision on the Hub or in the list of weights, if known."""

    path: Path
    revision: str = ""


def encoders_folder() -> Path | None:
    """Return the folder of models given by the environment variable TRIPTYCH_ENCODERS."""
    value = os.environ.get(VARIABLE, "")
    return Path(value).expanduser() if value else None


def find_model(name: str, folder: Path | None, needed: tuple[str, ...] = WEIGHTS) -> ModelFolder:
    """Find a model by its name on the Hub, or by its folder.

    Searched are the folder itself, the models folder, Triptych's cache of weights, and the Hugging Face cache; a folder
    counts if it has one of the files `needed`. Raises WeightsError, with what to download and where to put it.
    """
    for candidate in _places(name, folder):
        if any((candidate.path / file).is_file() for file in needed):
            return candidate
    raise WeightsError(f"{name} is not on this computer", fix=download_hint(name))


def download_hint(name: str) -> str:
    """Return how to get a model, in a sentence."""
    if _is_folder(name):
        return f"the folder {name} needs config.json, the tokenizer's files and model.safetensors or pytorch_model.bin"
    hub = hub_name(name)
    return (
        f"`hf download {hub}` puts it into the Hugging Face cache, where it is found; or put the files from "
        f"https://huggingface.co/{hub} into DIR/{name.rpartition('/')[2]} and name DIR by --encoders or {VARIABLE}"
    )


def short_name(name: str) -> str:
    """Return a model's name for a signature: the last part of its path, wherever it is."""
    return Path(name).name if _is_folder(name) else name


def fingerprint(folder: Path) -> str:
    """Return twelve hex digits of everything that determines the encoder's output: configuration, tokenizer,
    weights.
    """
    digest = hashlib.sha256()
    for path in _deciding_files(folder):
        digest.update(path.name.encode())
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


def _deciding_files(folder: Path) -> Iterator[Path]:
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    small = ("config.json", "tokenizer", "vocab", "merges", "special_tokens", "added_tokens", "sentencepiece", "spiece")
    yield from (folder / name for name in names if name.startswith(small))
    for kind in (".safetensors", ".bin"):
        if weights := [name for name in names if name.startswith(("model", "pytorch_model")) and name.endswith(kind)]:
            yield from (folder / name for name in weights)
            return


def _places(name: str, folder: Path | None) -> Iterator[ModelFolder]:
    if _is_folder(name):
        yield ModelFolder(Path(name).expanduser())
        return
    names = dict.fromkeys([name, hub_name(name)])
    for one in names:
        if folder is not None:
            yield from (
                ModelFolder(folder / candidate) for candidate in (one, one.replace("/", "--"), one.rpartition("/")[2])
            )
    yield from _from_weights(names)
    for one in names:
        yield from _from_hub_cache(one)


def _is_folder(name: str) -> bool:
    """Return whether this is a folder, not a name on the Hub (at most one slash, not after a dot or tilde)."""
    return name.startswith((".", "~", "/")) or name.count("/") > 1 or Path(name).is_absolute() or "\\" in name


def _from_weights(names: dict[str, None]) -> Iterator[ModelFolder]:
    """Return a complete set of the list of weights with this name or published under it."""
    from triptych.models.weights.resolver import Resolver

    resolver = Resolver()
    for name, owner in resolver.sets_by_name().items():
        if (name in names or owner.hub in names) and not resolver.missing_files(name):
            yield ModelFolder(resolver.home / name, owner.fingerprint)


def _from_hub_cache(name: str) -> Iterator[ModelFolder]:
    home = Path(os.environ.get("HF_HOME") or home_folder() / ".cache/huggingface").expanduser()
    root = Path(os.environ.get("HF_HUB_CACHE") or home / "hub").expanduser() / f"models--{name.replace('/', '--')}"
    main = root / "refs" / "main"
    snapshots = sorted((root / "snapshots").iterdir()) if (root / "snapshots").is_dir() else []
    named = main.read_text(encoding="utf-8").strip() if main.is_file() else ""
    for snapshot in sorted(snapshots, key=lambda one: one.name != named):
        yield ModelFolder(snapshot, snapshot.name)
