"""The authors' own prompts, if the user has their file: JSON lines of `{task: {"system", "instruction"}}`.

They are not part of Triptych. `--prompt authors:FILE` uses them; the manifest records the file's hash.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from triptych.benchmarks.mcga.names import SPEECH_FORM, SPEECH_TASKS, TASKS, speech_form
from triptych.errors import SpecError
from triptych.prompts.template import PromptSpec
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason

_SLOT = re.compile(r"\{(\w+)\}")


class _Prompt(msgspec.Struct, frozen=True):
    instruction: str
    system: str = ""


def read_prompts(path: Path) -> dict[str, PromptSpec]:
    """Return Task -> its prompt, including text tasks: these get the clip's text before the instruction of their speech
    form, as in the authors' text mode. Tasks that are not in the file are left out.

    Raises SpecError if the file can't be read, is in another format, or has none of the tasks.
    """
    prompts: dict[str, _Prompt] = {}
    for number, line in enumerate(_lines(path), 1):
        try:
            prompts |= decode_once(line, dict[str, _Prompt]) if line.strip() else {}
        except UNREADABLE as error:
            expected = '{"asr": {"system": "…", "instruction": "…"}}'
            where = f"{path}:{number}"
            raise SpecError("a line is not a prompt", where=where, got=reason(error), expected=expected) from None
    specs = {task: _spec(task, prompts[form], path) for task in TASKS if (form := speech_form(task)) in prompts}
    if not specs:
        raise SpecError(
            "the file has prompts for none of the tasks",
            where=path,
            expected=", ".join(SPEECH_TASKS),
            got=", ".join(prompts) or "nothing",
        )
    return specs


def _spec(task: str, prompt: _Prompt, path: Path) -> PromptSpec:
    words = _template(prompt.instruction, task)
    content = (f"文本: {{content}}\n任务: {words}",) if task in SPEECH_FORM else ("{content}", words)
    return PromptSpec(content=content, source=f"the authors' own: {path.name}", system=prompt.system, language="zh")


def _template(instruction: str, task: str) -> str:
    """Return the instruction with the question's field (`{sqa}`) as our slot; all other braces are kept."""
    return _SLOT.sub(lambda m: "{question}" if m[1] == speech_form(task) else f"{{{{{m[1]}}}}}", instruction)


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise SpecError(f"the authors' prompts can't be read ({error.strerror})", where=path) from None
