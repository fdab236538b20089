"""Families of models: a judge tends to prefer the texts of its own family."""

from __future__ import annotations

# Part of a model's name -> its family.
_MARKS = {
    "gpt": "gpt",
    "chatgpt": "gpt",
    "openai/o": "gpt",
    "gemini": "gemini",
    "gemma": "gemini",
    "claude": "claude",
    "deepseek": "deepseek",
    "qwen": "qwen",
    "qvq": "qwen",
    "qwq": "qwen",
    "llama": "llama",
    "mistral": "mistral",
    "voxtral": "mistral",
    "phi-": "phi",
    "glm": "glm",
    "internvl": "internlm",
    "internlm": "internlm",
    "minicpm": "minicpm",
    "kimi": "kimi",
    "step-": "step",
    "ernie": "ernie",
}


def family_of(model: str) -> str:
    """Return the family of a model; empty if its name shows none."""
    low = model.lower()
    return next((family for mark, family in _MARKS.items() if mark in low), "")
