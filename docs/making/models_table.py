"""The table of what was tried with each model of the catalogue; run as a script, it writes docs/models/README.md.

The evidence is derived from the catalogue, from the list of tiny models that the tests make, and from the
environments with a runner. Real weights are only those that `REAL` names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.models.worker.clones import REPOSITORIES
from tests.support import tiny_models

from triptych.models.catalogue import HOSTED, CatalogueModel, catalogue
from triptych.models.worker.environments import environment_of

PAGE = Path(__file__).parents[1] / "models" / "README.md"
PLACE = re.compile(r"(?<=<!-- tried -->\n).*?(?=<!-- /tried -->)", re.DOTALL)
REAL: frozenset[str] = frozenset()  # keys of models of the catalogue that have run with their real weights
# Runners that have asked a tiny random model with the authors' code, once: docs/models/worker.md
ONCE = frozenset({"unified_io_2"})
# Class of transformers -> the tiny model of the tests that has this class
CLASSES = {
    "Qwen2ForCausalLM": "text",
    "LlamaForCausalLM": "llama",
    "Qwen3ForCausalLM": "qwen3",
    "CohereForCausalLM": "cohere",
    "Phi3ForCausalLM": "phi3",
    "Gemma2ForCausalLM": "gemma2",
    "GptOssForCausalLM": "gpt_oss",
    "Qwen2AudioForConditionalGeneration": "qwen2_audio",
    "AudioFlamingo3ForConditionalGeneration": "audio_flamingo_3",
    "GraniteSpeechForConditionalGeneration": "granite_speech",
    "Qwen2_5OmniThinkerForConditionalGeneration": "qwen_omni",
    "Phi4MultimodalForCausalLM": "phi4",
    "Qwen2_5_VLForConditionalGeneration": "qwen_vl",
    "InternVLForConditionalGeneration": "internvl",
    "LlavaNextVideoForConditionalGeneration": "llava_next_video",
    "VoxtralForConditionalGeneration": "voxtral",
    "Qwen3OmniMoeThinkerForConditionalGeneration": "qwen3_omni",
    "Gemma3nForConditionalGeneration": "gemma3n",
    "Gemma3ForConditionalGeneration": "gemma3",
    "Qwen2VLForConditionalGeneration": "qwen2_vl",
    "LlavaForConditionalGeneration": "llava",
    "LlavaNextForConditionalGeneration": "llava_next",
    "GotOcr2ForConditionalGeneration": "got_ocr",
    "MllamaForConditionalGeneration": "mllama",
}
TINY = tiny_models.models()
NOTHING = "nothing; the error says what is needed"


def tried(row: CatalogueModel) -> str:
    """Return what was tried with a model: the strongest evidence that the tests give."""
    if row.key in REAL:
        return "real weights"
    if row.way[0] in ("baseline", "cascade"):
        return {
            "baseline": "itself: it has no weights",
            "cascade": "protocol: a local server takes the place of both models",
        }[row.way[0]]
    if row.way[0] in HOSTED:
        return "protocol: a local server takes the place of the service"
    if row.way[0] == "ocr":
        return "protocol: its package is replaced"
    tiny = CLASSES.get(row.class_, "")
    if "hf" in row.way and tiny:
        needs = " and ".join(package.replace("_", "-") for package in TINY[tiny][2])
        return f"its class, tiny and with random weights{f' (`make vision` installs {needs})' if needs else ''}"
    if "hf" in row.way:
        return "protocol: the adapter that treats all classes alike; not this class" + _served(row)
    if "vllm" in row.way:
        return "protocol: the command that serves it, and a local server instead of the model"
    if (own := environment_of(row.key)) is not None and own.runner:
        small = "a small repository of the same entry points" if own.runner in REPOSITORIES else "replaced libraries"
        once = "; once its authors' code, tiny and with random weights" if own.runner in ONCE else ""
        return f"protocol: the worker process, and its runner with {small}{once}"
    return NOTHING


def _served(row: CatalogueModel) -> str:
    return "; the command that serves it" if "vllm" in row.way else ""


def table() -> str:
    """Return the table: what was tried, number of models, their names."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in catalogue().values():
        found[tried(row)].append(row.key)
    lines = ["| tried with | models | |", "|---|---|---|"]
    lines += [f"| {what} | {len(keys)} of {len(catalogue())} | {', '.join(keys)} |" for what, keys in found.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(PLACE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
