"""Which makers' family a model is of: a judge tends to like its own family's words."""

from __future__ import annotations

# What a model's name holds -> its family.
_MARKS = {
    "gpt": "gpt", "chatgpt": "gpt", "openai/o": "gpt", "gemini": "gemini", "gemma": "gemini", "claude": "claude",
    "deepseek": "deepseek", "qwen": "qwen", "qvq": "qwen", "qwq": "qwen", "llama": "llama", "mistral": "mistral",
    "voxtral": "mistral", "phi-": "phi", "glm": "glm", "internvl": "internlm", "internlm": "internlm",
    "minicpm": "minicpm", "kimi": "kimi", "step-": "step", "ernie": "ernie",
}  # fmt: skip


def family_of(model: str) -> str:
    """The family; empty where the name tells none."""
    low = model.lower()
    return next((family for mark, family in _MARKS.items() if mark in low), "")
