"""The LoRA adapters of a card in this process: loaded next to the weights, and activated by the media of a batch."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from triptych.errors import SpecError
from triptych.models.catalogue import catalogue, find_model
from triptych.models.loras import NONE, CardLora, active
from triptych.records.packages import need

CONFIG = "adapter_config.json"
OF_WEIGHTS = "default"  # transformers' own name for an adapter next to the weights, which it loads with them


def card_loras(name: str, folder: Path | None, setting: str = "") -> tuple[CardLora, ...]:
    """Return the adapters that the card of `hf/NAME` has: those of its row of the catalogue, or for another folder
    with weights of such a row's class those that are in it.

    Raises SpecError for a `setting` other than `none`, which leaves all out.
    """
    if setting not in ("", NONE):
        raise SpecError(
            "hf: loras is none, or not given",
            got=f"-M loras={setting}",
            fix="-M adapter=DIR puts another adapter on the weights",
        )
    if setting == NONE:
        return ()
    if (row := find_model(name)) is not None:
        return row.loras
    if folder is None:
        return ()
    classes = _classes(folder)
    loras = next((row.loras for row in catalogue().values() if row.loras and row.class_ in classes), ())
    return tuple(one for one in loras if (folder / one.folder / CONFIG).is_file())


def _classes(folder: Path) -> Collection[str]:
    try:
        architectures = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("architectures")
    except (OSError, ValueError, AttributeError):
        return ()
    return architectures if isinstance(architectures, list) else ()


class Loras:
    """The adapters of a loaded model. `activate` before each batch; batches share their kinds of media.

    Raises SpecError if peft is not installed, or if the adapters are not there or don't fit the model.
    """

    def __init__(self, model: Any, folder: Path | None, loras: Sequence[CardLora], where: str) -> None:
        self._model, self._names = model, {}
        self._pairs = tuple((one.kind, one.name) for one in loras)
        if loras:
            need("peft", f"the LoRA adapters of {where}", "hf")
        for one in loras:
            self._names[one.name] = self._load(folder, one, where)

    def activate(self, kinds: Collection[str]) -> str:
        """Activate the adapter for these kinds of media, and return its name; empty: the weights without one."""
        if not self._pairs:
            return ""
        name = active(self._pairs, kinds)
        if name:
            self._model.set_adapter(self._names[name])
            self._model.enable_adapters()
        else:
            self._model.disable_adapters()
        return name

    def _load(self, folder: Path | None, one: CardLora, where: str) -> str:
        """Load an adapter, and return the name by which the model knows it."""
        lies = None if folder is None else folder / one.folder
        if lies is None or not (lies / CONFIG).is_file():
            raise SpecError(
                f"the LoRA adapter for {one.kind} of {where} is not with its weights",
                got=lies or "no folder",
                expected=CONFIG,
                fix="fetch the whole repository; -M loras=none asks the weights without it",
            )
        if one.folder == ".":
            if not getattr(self._model, "_hf_peft_config_loaded", False):
                raise SpecError(f"transformers has not loaded the LoRA adapter of {where}", got=lies)
            return OF_WEIGHTS
        adapter = self._model.load_adapter(str(lies), adapter_name=one.name)
        # transformers also lists the tensors of adapters that were loaded before
        missing = [key for key in getattr(adapter, "missing_keys", None) or () if f".{one.name}." in f"{key}."]
        wrong = [*missing, *(getattr(adapter, "unexpected_keys", None) or ())]
        if wrong:
            raise SpecError(
                f"the LoRA adapter for {one.kind} of {where} doesn't fit the weights",
                got=f"{len(wrong)} tensors without a counterpart, such as {min(wrong)}",
                where=lies,
            )
        return one.name
