"""Questions as OpenAI messages: the user's words and files, and the reply of the assistant as the answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from triptych.benchmarks._questions.media_cells import Named, kind_by_column, kind_of

_FILES = ("image_url", "input_audio", "audio_url", "video_url", "image", "audio", "video", "file")


class MessageQuestion(NamedTuple):
    """The question of a row: its words, the files that it names, and the answer that it gives itself."""

    question: str
    media: tuple[Named, ...]
    answer: str


def question_in(messages: Any) -> MessageQuestion:
    """Return what messages ask. ValueError, in words, for anything else than one user's message and its answer.

    Example:
        >>> asked_in([{"role": "user", "content": "How many?"}, {"role": "assistant", "content": "3"}])
        MessageQuestion(question='How many?', media=(), answer='3')
    """
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise ValueError("messages are a list of objects with role and content")
    roles = [one.get("role") for one in messages]
    if roles not in (["user"], ["user", "assistant"]):
        role_names = ", ".join(map(str, roles))[:80]
        hint = "; a system message belongs into a prompt file (--prompt FILE.toml)" if "system" in roles else ""
        raise ValueError(f"one message of the user, then its answer at most, but this is {role_names}{hint}")
    question, media = _content(messages[0].get("content"))
    answer, files = _content(messages[1].get("content")) if len(messages) == 2 else ("", ())
    if files:
        raise ValueError("the answer has media, but answers are text")
    if not question:
        raise ValueError("there is no question")
    return MessageQuestion(question, media, answer)


def _content(content: Any) -> tuple[str, tuple[Named, ...]]:
    if isinstance(content, str):
        return content.strip(), ()
    if not isinstance(content, list):
        raise ValueError("the content of a message is text or a list of parts")
    texts: list[str] = []
    files: list[Named] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text":
            texts.append(str(part.get("text") or "").strip())
        elif kind in _FILES:
            files.append(_file(kind, part))
        else:
            raise ValueError(f"a part of the content is neither text nor a file: {str(part)[:80]}")
    return "\n".join(one for one in texts if one), tuple(files)


def _file(kind: str, part: dict[str, Any]) -> Named:
    value = part.get(kind)
    if isinstance(value, dict):
        value = value.get("url") or value.get("path") or value.get("data")
    if not isinstance(value, str) or len(value) > 1000 or value.startswith("data:"):
        raise ValueError(f"{kind} is embedded or has no path: write it to a file and name its path")
    return Named(kind_of(value) or kind_by_column(kind), value.removeprefix("file://"))
