"""SGLang's command for a model of the catalogue: the arguments of vLLM in its words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from triptych.errors import SpecError
from triptych.models.catalogue import CatalogueModel

# vLLM's option -> SGLang's; values have the same form
_OPTIONS = {
    "--tensor-parallel-size": "--tp",
    "--max-model-len": "--context-length",
    "--max-num-seqs": "--max-running-requests",
    "--limit-mm-per-prompt": "--limit-mm-data-per-request",
    "--max-lora-rank": "--max-lora-rank",
}
_VLLM_ALONE = ("--hf-overrides",)  # names vLLM's own class
_FLAGS = {"--trust-remote-code": "--trust-remote-code", "--enable-lora": "--enable-lora"}


def sglang_arguments(
    name: str,
    row: CatalogueModel | None,
    served: Sequence[str],
    loras: Mapping[str, Path | str],
    *,
    trusted: bool = False,
) -> list[str]:
    """Return `python -m sglang.launch_server …`, without address and port.

    `served`: the arguments of vLLM; `loras`: LoRA adapters by name. Raises SpecError for a model that SGLang's
    documentation doesn't name, and for an argument that has no counterpart there.
    """
    if row is not None and not row.sglang:
        raise SpecError(f"SGLang's documentation names no support for {row.key}", fix=f"triptych serve {row.key}")
    parts = ["python", "-m", "sglang.launch_server", "--model-path", name]
    parts += ["--revision", row.revision] if row is not None and row.revision else []
    parts += translated(served)
    parts += ["--trust-remote-code"] if trusted and "--trust-remote-code" not in parts else []
    if loras:
        parts += [] if "--enable-lora" in parts else ["--enable-lora"]
        parts += ["--lora-paths", *(f"{key}={lora}" for key, lora in loras.items())]
    return parts


def translated(served: Sequence[str]) -> list[str]:
    """Return arguments of `vllm serve` in SGLang's words. Raises SpecError for one without a counterpart.

    Example:
        >>> translated(["--tensor-parallel-size", "2", "--max-model-len", "16384"])
        ['--tp', '2', '--context-length', '16384']
    """
    arguments: list[str] = []
    words = iter(served)
    for word in words:
        if word in _FLAGS:
            arguments.append(_FLAGS[word])
        elif word in _OPTIONS:
            arguments += [_OPTIONS[word], next(words, "")]
        elif word == "--mm-processor-kwargs":
            arguments += ["--mm-process-config", _process_config(next(words, ""))]
        elif word == "--reasoning-parser":
            arguments += [word, next(words, "").replace("_", "-")]
        elif word in _VLLM_ALONE:
            next(words, "")
        else:
            raise SpecError(
                "this argument of vLLM has no counterpart in SGLang",
                got=word,
                fix="serve the model with vLLM, or give SGLang's own arguments after --",
            )
    return arguments


def _process_config(text: str) -> str:
    """Return the processor's arguments by kind, as SGLang takes them: `fps` is of videos, `…_pixels` of both."""
    configs: dict[str, dict[str, object]] = {}
    for key, value in json.loads(text).items():
        for kind in ("video",) if key == "fps" else ("image", "video"):
            configs.setdefault(kind, {})[key] = value
    return json.dumps(configs, separators=(",", ":"))


def lora_setting(row: CatalogueModel) -> str:
    """Return the setting `loras` for SGLang, which takes an adapter as `MODEL:ADAPTER` in the model's name."""
    return ",".join(f"{one.kind}:{row.id}:{one.name}" for one in row.loras)
