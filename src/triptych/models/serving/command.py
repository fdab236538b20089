"""The command that serves a model with vLLM or SGLang: arguments of the catalogue, of a benchmark, and those that the
user adds."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from triptych.errors import SpecError, nearest
from triptych.models.catalogue import HOSTED, CatalogueModel, catalogue, catalogue_keys_like, find_model
from triptych.models.loras import CardLora
from triptych.models.named import weights_folder
from triptych.models.serving.needs import Needs
from triptych.models.serving.sglang import lora_setting, sglang_arguments

TRUST, LIMITS = "--trust-remote-code", "--limit-mm-per-prompt"
SERVERS = ("vllm", "sglang")
# The ranks of LoRA adapters that vLLM reserves memory for
RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
_USUAL_RANK = 16
_WEIGHTS = "WEIGHTS"  # in a command that is only shown, in place of a folder that isn't on this computer


@dataclass(frozen=True)
class Serving:
    """Options of the user for serving a model.

    host, port         address to listen on
    tensor_parallel    number of GPUs that share the weights; None: as in the catalogue
    loras              name -> folder of a LoRA adapter that is served next to the model
    media              folder with media that the server may read by path (`-M media_urls=file`)
    trust_remote_code  whether code from the Hub may be run; the catalogue can't say so
    more               further arguments of the server, as they are
    server             `vllm` or `sglang`
    needs              what the Items of a benchmark need; None: the catalogue's usual limits per prompt
    shown              whether the command is only shown: weights that aren't on this computer are then named WEIGHTS

    Raises SpecError for a port out of range.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tensor_parallel: int | None = None
    loras: Mapping[str, Path] = field(default_factory=dict)
    media: Path | None = None
    trust_remote_code: bool = False
    more: tuple[str, ...] = ()
    server: str = "vllm"
    needs: Needs | None = None
    shown: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise SpecError("--port must be from 1 to 65535", got=self.port)
        if self.server not in SERVERS:
            raise SpecError("unknown server", got=f"--server {self.server}", expected=" or ".join(SERVERS))

    @property
    def address(self) -> str:
        """The base URL at which this computer reaches the server."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host and host[0] != '[' else host}:{self.port}/v1"


def served_name(model: str) -> str:
    """Return the id or folder that is served for a name: of the catalogue, of the Hub, or a folder.

    Raises SpecError for a model that vLLM doesn't serve, with the way in which it can be asked instead.
    """
    row = find_model(model)
    if row is None:
        if Path(model).is_dir():
            return model
        if model.startswith((".", "/", "~")):
            raise SpecError("the folder is not there", got=model, expected="a folder with weights")
        if "/" in model:
            return model
        like = ", ".join(catalogue_keys_like(model))
        raise SpecError(
            f"no model {model!r}",
            expected="a name of the catalogue, an id of the Hub or a folder",
            fix=f"the catalogue has {like}" if like else nearest("", catalogue()),
        )
    if "vllm" not in row.way:
        raise SpecError(f"vLLM doesn't serve {row.key}", fix=_alternative(row))
    return row.id


def arguments(model: str, serving: Serving) -> list[str]:
    """Return `vllm serve …`, or SGLang's command, as a list of arguments.

    Raises SpecError if the model can't be served as asked.
    """
    name, row = served_name(model), find_model(model)
    served = shlex.split(row.serve) if row is not None else []
    trusted = serving.trust_remote_code
    if TRUST in served and not trusted:
        raise SpecError(
            f"{model} needs code from the Hub, which is only run if you allow it",
            got=name,
            fix=f"read the code at https://huggingface.co/{name}, and add {TRUST}",
        )
    served = _replaced(served, "--tensor-parallel-size", serving.tensor_parallel)
    served = _limited(served, serving.needs, row)
    if serving.server == "sglang":
        return _with_sglang(name, row, served, serving)
    parts = ["vllm", "serve", name]
    parts += ["--revision", row.revision] if row is not None and row.revision else []
    parts += served
    parts += [TRUST] if trusted and TRUST not in served else []
    parts += _card_loras(row, serving) if row is not None and row.loras else []
    parts += _lora_arguments(row, serving.loras)
    if serving.media is not None:
        parts += ["--allowed-local-media-path", str(folder_at(serving.media, "--media"))]
    return [*parts, "--host", serving.host, "--port", str(serving.port), *serving.more]


def _with_sglang(name: str, row: CatalogueModel | None, served: list[str], serving: Serving) -> list[str]:
    """Return SGLang's command. Raises SpecError for media that are read by path, which it doesn't do."""
    if serving.media is not None:
        raise SpecError(
            "SGLang has no option for media that are read by path",
            got="--media",
            fix="leave --media out; the media are then sent with each Request",
        )
    loras: dict[str, Path | str] = {**card_places(row, serving)} if row is not None else {}
    loras |= {key: folder_at(folder, "--lora") for key, folder in serving.loras.items()}
    translated = sglang_arguments(name, row, served, loras, trusted=serving.trust_remote_code)
    return [*translated, "--host", serving.host, "--port", str(serving.port), *serving.more]


def asking(model: str, serving: Serving) -> str:
    """Return the command that asks the served model the Items of a benchmark.

    Example:
        >>> asking("qwen2.5-omni-7b", Serving())
        'triptych run BENCH --model qwen2.5-omni-7b --model-base-url http://127.0.0.1:8000/v1'
        >>> asking("some/model", Serving(media=Path("clips"), port=8001))
        'triptych run BENCH --model openai/some/model --model-base-url http://127.0.0.1:8001/v1 -M media_urls=file'
    """
    name = model if find_model(model) is not None else f"openai/{served_name(model)}"
    media = ["-M", "media_urls=file"] if serving.media is not None else []
    bench = serving.needs.benchmark if serving.needs is not None else "BENCH"
    row = find_model(model)
    loras = ["-M", f"loras={lora_setting(row)}"] if serving.server == "sglang" and row is not None and row.loras else []
    return shell_command(
        ["triptych", "run", bench, "--model", name, "--model-base-url", serving.address, *media, *loras]
    )


def context_of(words: Sequence[str]) -> int | None:
    """Return the length of the context that a command sets, in tokens; None if it sets none.

    Example:
        >>> context_of(["vllm", "serve", "microsoft/phi-4", "--max-model-len", "16384"])
        16384
    """
    for option, value in pairwise(words):
        if option in ("--max-model-len", "--context-length") and value.isdecimal():
            return int(value)
    return None


def shell_command(command: list[str]) -> str:
    """Return a command as it is typed into a shell.

    Example:
        >>> typed(["vllm", "serve", "a/b", "--limit-mm-per-prompt", '{"audio":1}'])
        'vllm serve a/b --limit-mm-per-prompt \\'{"audio":1}\\''
    """
    return shlex.join(command)


def _card_loras(row: CatalogueModel, serving: Serving) -> list[str]:
    """Return the arguments by which vLLM serves a card's LoRA adapters.

    Each has a name, by which `triptych run` asks it. `--default-mm-loras` activates it for other clients, too, that ask
    for the model's name; vLLM then reads the parts' types (`audio_url`, not `input_audio`), and activates none if
    parts of several types have an adapter.
    """
    places = card_places(row, serving)
    usual = {one.kind: places[one.name] for one in row.loras}
    modules = [f"{name}={path}" for name, path in places.items()]
    return ["--lora-modules", *modules, "--default-mm-loras", json.dumps(usual, separators=(",", ":"))]


def _limited(served: list[str], needs: Needs | None, row: CatalogueModel | None) -> list[str]:
    """Return the arguments with the limits per prompt that a benchmark needs, in place of the usual ones."""
    if needs is None or not (limits := needs.limits(row)):
        return served
    if LIMITS in served:
        at = served.index(LIMITS)
        served = [*served[:at], *served[at + 2 :]]
    return [*served, LIMITS, json.dumps(limits, separators=(",", ":"))]


def card_places(row: CatalogueModel, serving: Serving) -> dict[str, str]:
    """Return name -> place of the card's LoRA adapters."""
    return {one.name: _lora_path(row, one, serving) for one in row.loras}


def first_steps(model: str) -> list[str]:
    """Return what must be done before the command that is only shown can be run: weights that it names WEIGHTS."""
    row = find_model(model)
    if row is None or all(one.folder == "." for one in row.loras) or weights_folder(row.id) is not None:
        return []
    return [f"first: {_download(row)} prints the folder of the weights, which is {_WEIGHTS} in the command"]


def _download(row: CatalogueModel) -> str:
    return f"hf download {row.id}{f' --revision {row.revision}' if row.revision else ''}"


def _lora_path(row: CatalogueModel, one: CardLora, serving: Serving) -> str:
    """Return where a server finds an adapter: a folder of the weights, which must be on this computer, or their id."""
    if one.folder == ".":
        return row.id
    folder = weights_folder(row.id)
    if folder is None and serving.shown:
        return f"{_WEIGHTS}/{one.folder}"
    if folder is None:
        raise SpecError(
            f"{row.key} is served with adapters from the folder of its weights, which is not on this computer",
            got=row.id,
            fix=_download(row),
        )
    return f"{folder}/{one.folder}"


def _replaced(words: list[str], option: str, value: int | None) -> list[str]:
    if value is None:
        return words
    if value < 1:
        raise SpecError("--tensor-parallel must be at least 1", got=value)
    at = words.index(option) if option in words else len(words)
    return [*words[:at], option, str(value), *words[at + 2 :]]


def _lora_arguments(row: CatalogueModel | None, loras: Mapping[str, Path]) -> list[str]:
    """Return the arguments for LoRA adapters. Raises SpecError for a folder without one."""
    if not loras:
        return []
    if row is not None and row.loras:
        raise SpecError(
            "this model is already served with LoRA adapters of its own",
            got=", ".join(loras),
            fix="pass --lora-modules and its values after --",
        )
    ranks = [_rank(folder_at(folder, "--lora")) for folder in loras.values()]
    rank = next((one for one in RANKS if one >= max(ranks)), None)
    if rank is None:
        raise SpecError("vLLM doesn't serve a LoRA adapter of this rank", got=max(ranks), expected=f"up to {RANKS[-1]}")
    modules = [f"{name}={folder}" for name, folder in loras.items()]
    parts = ["--enable-lora", "--lora-modules", *modules]
    return [*parts, *(["--max-lora-rank", str(rank)] if rank > _USUAL_RANK else [])]


def _rank(folder: Path) -> int:
    try:
        return int(json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SpecError(
            "this folder holds no LoRA adapter",
            where=folder,
            got=f"{type(error).__name__}: {error}",
            expected="adapter_config.json with the rank `r`, as peft writes it",
        ) from None


def folder_at(path: Path, where: str) -> Path:
    """Return a folder's absolute path. Raises SpecError if it is not there."""
    if not path.is_dir():
        raise SpecError("the folder is not there", got=path, where=where)
    return path.resolve()


def _alternative(row: CatalogueModel) -> str:
    """Return how a model can be asked that vLLM doesn't serve."""
    first = row.way[0]
    if first == "cascade":
        first_step, second = row.steps
        return f"serve its models: triptych serve {first_step}, and triptych serve {second} --port 8001"
    if first in HOSTED:
        return f"it is a hosted service: triptych run BENCH --model {row.key}"
    if first == "none":
        return row.ask or row.reason
    return f"triptych run BENCH --model {row.key} (`triptych list models {row.key}` shows what it needs)"
