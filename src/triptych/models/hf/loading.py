"""Loading a model and its processor: native classes only, from files that are on this computer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triptych.errors import SpecError, WeightsError
from triptych.models.named import weights_folder
from triptych.records.packages import need

EDGE = 1 << 20  # bytes at either end of a weights file that its identity is computed from
# Classes that answer in text, where the configuration names one that also speaks, or the automatic choice fails
CLASSES = {
    "qwen2_5_omni": "Qwen2_5OmniThinkerForConditionalGeneration",
    "qwen2_5_omni_thinker": "Qwen2_5OmniThinkerForConditionalGeneration",
    "qwen3_omni_moe": "Qwen3OmniMoeThinkerForConditionalGeneration",
    "phi4_multimodal": "Phi4MultimodalForCausalLM",
}


def source_of(name: str) -> tuple[str, Path | None]:
    """Return (what to load, its folder): a folder as it is, an id of the Hub with its newest snapshot or None."""
    folder = Path(name)
    return (name, folder) if folder.is_dir() else (name, weights_folder(name))


def identity_of(folder: Path | None) -> str:
    """Return what identifies weights: the snapshot's commit, or for another folder a hash of its configuration and of
    the names, sizes, beginnings and ends of its weights files.
    """
    if folder is None:
        return ""
    if folder.parent.name == "snapshots":
        return folder.name
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".json", ".safetensors", ".bin", ".jinja")):
        size = path.stat().st_size
        digest.update(f"{path.name} {size} ".encode())
        with path.open("rb") as file:
            digest.update(file.read(EDGE))
            file.seek(max(0, size - EDGE))
            digest.update(file.read(EDGE))
    return f"sha256:{digest.hexdigest()[:16]}"


def load(name: str, taken: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return (model, processor); the processor of a text model is its tokenizer.

    Raises SpecError for a package that is missing or a model that needs code from the Hub, WeightsError for weights
    that are not on this computer.
    """
    transformers, torch = need("transformers", f"hf/{name}", "hf"), need("torch", f"hf/{name}", "hf")
    fields = {"revision": taken["revision"] or None, "local_files_only": not taken["fetch"], "trust_remote_code": False}
    try:
        config = transformers.AutoConfig.from_pretrained(name, **fields)
        # For a text model without a processor this is its tokenizer.
        processor = transformers.AutoProcessor.from_pretrained(name, **fields)
        kind = model_class(transformers, config, str(taken["class"]))
        model = kind.from_pretrained(name, **fields, **_placing(torch, taken))
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise _explained(name, error) from error
    if taken["adapter"]:
        peft = need("peft", "an adapter", "train")
        model = peft.PeftModel.from_pretrained(model, taken["adapter"])
    if not taken["device_map"]:
        model.to(device_of(torch, str(taken["device"])))
    return model.eval(), processor


def model_class(transformers: Any, config: Any, wanted: str = "") -> Any:
    """Return the class of transformers for a configuration. Raises SpecError if there is none."""
    names = [wanted] if wanted else [CLASSES.get(config.model_type, ""), *(config.architectures or ())]
    for name in filter(None, names):
        if name.isidentifier() and (class_ := getattr(transformers, name, None)) is not None:
            return class_
    raise SpecError(
        "transformers has no class for this model",
        got=f"{config.model_type}: {', '.join(filter(None, names))}",
        fix="name one with -M class=NAME, or serve the model and use openai/NAME (docs/models/catalogue.md)",
    )


def device_of(torch: Any, wanted: str) -> str:
    """Return the device: the wanted one, otherwise a GPU if there is one."""
    return wanted or ("cuda" if torch.cuda.is_available() else "cpu")


def _placing(torch: Any, taken: Mapping[str, Any]) -> dict[str, Any]:
    """Return number format, device map and attention as `from_pretrained` takes them."""
    device = device_of(torch, str(taken["device"]))
    usual = "float32" if device == "cpu" and not taken["device_map"] else "bfloat16"
    placed: dict[str, Any] = {"dtype": getattr(torch, str(taken["dtype"] or usual))}
    if taken["device_map"]:
        placed["device_map"] = taken["device_map"]
    if taken["attention"]:
        placed["attn_implementation"] = taken["attention"]
    return placed


def _explained(name: str, error: Exception) -> SpecError | WeightsError:
    """Return an error that says what to do: fetch the weights, install a package, or use another way."""
    first_line = str(error).strip().partition("\n")[0]
    if "torchvision::" in _causes(error):
        fix = "install the torchvision that belongs to this torch (docs/models/transformers.md), or remove it"
        return SpecError(
            "torchvision was built for another torch, so transformers can't be used", got=first_line, fix=fix
        )
    if isinstance(error, RuntimeError):
        return SpecError(f"hf/{name} can't be loaded", got=f"{type(error).__name__}: {first_line}")
    if isinstance(error, ImportError) or "requires the" in str(error) or "not found in your environment" in str(error):
        return SpecError(f"hf/{name} needs another package", got=str(error).strip()[:500], fix="install it")
    if "trust_remote_code" in str(error):
        fix = "serve it in an environment of its own and use openai/NAME (docs/models/catalogue.md)"
        return SpecError(
            f"hf/{name} needs code from the Hub, which is not run in this process", got=first_line, fix=fix
        )
    if isinstance(error, OSError):
        return WeightsError(
            f"the weights of hf/{name} are not on this computer",
            got=first_line,
            fix=f"-M fetch=true, or: hf download {name}",
        )
    return SpecError(f"hf/{name} can't be loaded", got=f"{type(error).__name__}: {first_line}")


def _causes(error: BaseException | None) -> str:
    """Return the messages of an exception and of those that caused it."""
    parts = []
    while error is not None:
        parts.append(str(error))
        error = error.__cause__ or error.__context__
    return " ".join(parts)
