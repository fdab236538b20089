"""From a name of the catalogue to `ADAPTER/NAME`, or to what has to be done before the model can be asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from triptych.errors import SpecError
from triptych.models.catalogue import HOSTED, CatalogueModel, find_model, namesakes
from triptych.models.loras import setting_of
from triptych.store.user_cache import home_folder

_SERVED = "--model-base-url http://HOST:PORT/v1"


def resolve_name(model: str, settings: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return `ADAPTER/NAME` and its settings for a name of the catalogue; any other name unchanged.

    A model with open weights is asked at the endpoint that `base_url` or OPENAI_BASE_URL names; without one in this
    process, if its weights are on this computer. Raises SpecError for a model of the catalogue that can't be asked now:
    what to serve, fetch, install or ask instead.
    """
    row = find_model(model)
    if row is None and (several := namesakes(model)):
        raise SpecError(f"several models of the catalogue are named {model!r}", fix=f"--model {' or '.join(several)}")
    return (model, dict(settings)) if row is None else _adapter_and_settings(row, dict(settings))


def weights_folder(name: str, holding: str = "config.json") -> Path | None:
    """Return the newest snapshot of a model in the Hub's cache on this computer; None if there is none.

    `holding` is a pattern of a file by which a snapshot with weights is recognised.
    """
    home = Path(os.environ.get("HF_HOME", home_folder() / ".cache" / "huggingface"))
    hub = Path(os.environ.get("HF_HUB_CACHE", home / "hub"))
    snapshots = hub / f"models--{name.replace('/', '--')}" / "snapshots"
    folders = [folder for folder in snapshots.glob("*") if any(folder.glob(holding))]
    return max(folders, key=lambda folder: folder.stat().st_mtime) if folders else None


def _adapter_and_settings(row: CatalogueModel, settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    served = settings.get("base_url") or os.environ.get("OPENAI_BASE_URL")
    first = row.way[0]
    if first in ("baseline", "ocr"):
        return row.id, settings
    if first == "cascade":
        raise _two_models(row)
    if first == "none":
        raise SpecError(f"{row.names[0]} can't be asked: {row.reason}", got=row.key, fix=row.ask or None)
    if first in HOSTED:
        if row.gone() and not settings.get("base_url"):
            raise _retired_model_error(row)
        base_url = settings.get("base_url") or (row.endpoint and os.environ.get("OPENAI_BASE_URL"))
        return f"{first}/{row.id}", settings if base_url else {**row.endpoint, **settings}
    if served:
        return f"openai/{row.id}", {**({"loras": setting_of(row.loras)} if row.loras else {}), **settings}
    if "hf" in row.way and weights_folder(row.id) is not None and find_spec("torch") and find_spec("transformers"):
        return f"hf/{row.id}", {**({"revision": row.revision} if row.revision else {}), **settings}
    if "environment" in row.way:
        return f"worker/{row.key}", settings
    raise _no_endpoint_error(row)


def _retired_model_error(row: CatalogueModel) -> SpecError:
    fix = (
        f"--model {'/'.join((row.way[0], row.successor))} asks its successor, which is another model"
        if (row.successor)
        else "its published figures are in the tables (`report --with-published`)"
    )
    return SpecError(f"{row.id} is retired since {row.retired}: its service no longer offers it", got=row.key, fix=fix)


def _two_models(row: CatalogueModel) -> SpecError:
    first, second = row.steps
    return SpecError(
        f"{row.names[0]} is a cascade of two models: {first} describes the recording, {second} answers",
        got=row.key,
        fix=f"triptych run BENCH --model {row.key} asks both; here, name one of them",
    )


def _no_endpoint_error(row: CatalogueModel) -> SpecError:
    """Return the error for a model with open weights that has no endpoint, no weights here, or no environment."""
    ways = []
    gate = " (accept its licence on the Hub first)" if row.status == "gated" else ""
    if "vllm" in row.way:
        trusted = " --trust-remote-code" if "--trust-remote-code" in row.serve else ""
        ways.append(f"serve it{gate}: triptych serve {row.key}{trusted} --benchmark BENCH; then add {_SERVED}")
    if "hf" in row.way:
        install = "" if find_spec("torch") and find_spec("transformers") else "pip install 'triptych[hf]', and "
        ways.append(f"in this process: {install}hf download {row.id}{gate}")
    return SpecError(
        f"{row.key} is not served, and its weights are not on this computer", got=row.id, fix="; or ".join(ways)
    )
