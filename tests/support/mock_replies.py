"""What the mock endpoint says: settings, the choice of a fault, and the bodies of its replies.

Every choice depends on the request's content, on how often that content was asked before, and on the seed;
never on time or order. So two runs over the same Items meet the same answers and the same faults, however
they are interrupted.
"""

from __future__ import annotations

import email.utils
import hashlib
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any

TRANSPORT_FAULTS = ("429", "429_date", "500", "503", "hang", "cut", "malformed", "empty_choices", "null")
"""Faults after which a client has no answer and may ask again."""
VERDICT_FAULTS = ("length", "content_filter")
"""Complete replies that are not plain answers: truncated and refused."""
FAULTS = TRANSPORT_FAULTS + VERDICT_FAULTS


@dataclass
class Settings:
    """How the server behaves. `faults` maps a fault's name to its rate among requests, 0 to 1."""

    latency: float = 0.0  # seconds from a request's last byte to the reply's first
    jitter: float = 0.0  # up to so many seconds more, by content
    answer: str = "letter"  # letter | option (of lines "A. …") | pick:REGEX (one of its matches) | echo | text:WORDS
    # | json: what fits the JSON schema that was sent, else a sentence
    model: str = ""  # the one model that exists; empty: any
    key: str = ""  # the one API key that works; empty: any, or none
    require_stream: bool = False  # 400 to whoever does not ask for a stream
    retry_after: int = 1  # whole seconds, as both forms of the header need
    always_fail: str = ""  # requests whose text holds this get 500 for ever
    answers: int = -1  # so many requests get a reply, later ones wait for ever; -1: all
    max_faults: int = 1_000_000  # transport faults a content can meet before it is served
    seed: int = 0
    faults: dict[str, float] = field(default_factory=dict)

    def update(self, changes: dict[str, Any]) -> None:
        """Take new values by field name; an unknown name or fault is an error."""
        for name, value in changes.items():
            if name not in self.__dataclass_fields__:
                raise ValueError(f"no setting {name!r}; there are {sorted(self.__dataclass_fields__)}")
            if name == "faults" and not set(value) <= set(FAULTS):
                raise ValueError(f"no fault {sorted(set(value) - set(FAULTS))}; there are {FAULTS}")
            setattr(self, name, value)


@dataclass
class Asked:
    """One request as read: what it says, which media it carries, and how it wants its reply."""

    text: str
    key: str  # hash of text and media: equal content, equal key
    body: dict[str, Any]
    media: list[str] = field(default_factory=list)  # kind and hash of each, in order: `audio 1a2b3c4d`

    @classmethod
    def read(cls, body: dict[str, Any]) -> Asked:
        """Gather the words of a chat or completion request and hash all its content."""
        words: list[str] = []
        media: list[str] = []
        digest = hashlib.blake2b(digest_size=8)
        for message in body.get("messages", [{"content": body.get("prompt", "")}]):
            content: Any = message.get("content") or ""
            parts: list[dict[str, Any]] = content
            if isinstance(content, str):
                parts = [{"type": "text", "text": content}]
            for part in parts:
                if part.get("type") == "text":
                    words.append(part["text"])
                else:
                    said = "".join(map(str, part[part["type"]].values())).encode()
                    digest.update(said)
                    kind = part["type"].removeprefix("input_").removesuffix("_url")
                    media.append(f"{kind} {hashlib.blake2b(said, digest_size=4).hexdigest()}")
        text = "\n".join(words)
        digest.update(text.encode())
        return cls(text, digest.hexdigest(), body, media)


def draw(settings: Settings, key: str, *salt: object) -> float:
    """A number in [0, 1) fixed by the seed, a content and the salt."""
    said = f"{settings.seed}|{key}|{'|'.join(map(str, salt))}".encode()
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "big") / 2**64


def choose_fault(settings: Settings, asked: Asked, times_before: int, faults_before: int) -> str:
    """The fault that this request meets, or "" for a good answer.

    A content_filter or length belongs to the content: it comes every time, as with a real model.
    """
    if settings.always_fail and settings.always_fail in asked.text:
        return "always"
    at = draw(settings, asked.key, "verdict")
    for name in VERDICT_FAULTS:
        at -= settings.faults.get(name, 0.0)
        if at < 0:
            return name
    if faults_before >= settings.max_faults:
        return ""
    at = draw(settings, asked.key, "fault", times_before)
    for name in TRANSPORT_FAULTS:
        at -= settings.faults.get(name, 0.0)
        if at < 0:
            return name
    return ""


def answer_text(settings: Settings, asked: Asked) -> str:
    """The words of a good answer, fixed by the content."""
    kind, _, given = settings.answer.partition(":")
    if kind == "echo":
        return asked.text
    if kind == "text":
        return given
    if kind == "json":
        sent = asked.body.get("response_format", {}).get("json_schema", {}).get("schema")
        return json.dumps(fitting(sent, asked, sent.get("$defs", {})), ensure_ascii=False) if sent else "有人在说话。"
    lettered: list[tuple[str, str]] = re.findall(r"^\s*\(?([A-H])[.:)、．：] *(.*)$", asked.text, re.MULTILINE)
    choices = [words.strip() if kind == "option" else letter for letter, words in lettered]
    if kind == "pick":
        choices = re.findall(given, asked.text)
    choices = [choice for choice in choices if choice] or list("ABCD")
    return choices[int(draw(settings, asked.key, "answer") * len(choices))]


def fitting(schema: dict[str, Any], asked: Asked, defs: dict[str, Any], name: str = "", number: int = 0) -> Any:
    """A value that fits a schema: texts tell where they stand, every other truth of a list is one.

    A `category` is one that the prompt names, and `lines` are as many as the JSON list in the prompt has.
    """
    if reference := schema.get("$ref"):
        return fitting(defs[reference.rpartition("/")[2]], asked, defs, name, number)
    if "enum" in schema:
        return schema["enum"][-1]
    kind = schema.get("type")
    if kind == "object":
        return {key: fitting(own, asked, defs, key, number) for key, own in schema["properties"].items()}
    if kind == "array":
        lines = re.search(r"^\[.*\]$", asked.text, re.MULTILINE) if name == "lines" else None
        count = len(json.loads(lines[0])) if lines else 5 if "$ref" in schema["items"] else 3
        return [fitting(schema["items"], asked, defs, name, n) for n in range(count)]
    if kind == "string":
        found = re.findall(r"[\u4e00-\u9fff（）]+(?:任务|类)", asked.text) if name == "category" else []
        if found:
            return found[-1]
        return chinese(name, number, asked.key) if CHINESE.search(asked.text) else f"{name} {number} {asked.key[:4]}"
    return number % 2 == 0 if kind == "boolean" else 1


CHINESE = re.compile(r"[\u4e00-\u9fff]{8}")  # a prompt in Chinese, which wants its reply in Chinese
ASKED = ("为什么先敲门后说话", "在什么地方放下了箱子", "听到铃声以后做了什么", "和谁约好明天见面", "最后怎样离开了院子")
ANSWERED = ("因为屋里有人睡觉", "放在楼梯旁边了", "去厨房关掉了水", "约好了他的姐姐", "骑车从后门走的", "打电话叫了车")


def chinese(name: str, number: int, key: str) -> str:
    """A Chinese text for a field: a question for `question`, else a statement."""
    salt = "".join(
        "春夏秋冬东南西北山水花鸟风月星云"[int(digit, 16)] for digit in hashlib.sha256(key.encode()).hexdigest()[:4]
    )
    if name == "question":
        return f"名叫{salt}的人{ASKED[number % len(ASKED)]}？"
    return f"{salt}{ANSWERED[number % len(ANSWERED)]}"


def usage(asked: Asked, text: str) -> dict[str, int]:
    """Token counts: four characters are a token, a reply has at least one."""
    prompt, completion = len(asked.text) // 4 + 1, len(text) // 4 + 1
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def logprobs(text: str) -> dict[str, Any]:
    """The form of chat log-probabilities, one token a character, four alternatives each."""

    def one(token: str, value: float) -> dict[str, Any]:
        return {"token": token, "logprob": value, "bytes": list(token.encode())}

    tops = [one(letter, -1.5 - i) for i, letter in enumerate("ABCD")]
    return {"content": [{**one(character, -0.25), "top_logprobs": tops} for character in text[:64]]}


def completion(asked: Asked, text: str | None, finish: str, choices: bool = True) -> dict[str, Any]:
    """The body of a whole reply, of the chat or of the completion kind."""
    chat = "messages" in asked.body
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish}
    choice |= {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
    if asked.body.get("logprobs") and text:
        choice["logprobs"] = logprobs(text)
    return {
        "id": f"mock-{asked.key}",
        "object": "chat.completion" if chat else "text_completion",
        "created": 1_700_000_000,
        "model": asked.body.get("model", ""),
        "choices": [choice] if choices else [],
        "usage": usage(asked, text or ""),
    }


def events(asked: Asked, text: str | None, finish: str, choices: bool = True) -> list[bytes]:
    """The same reply as server-sent events, four characters each."""
    model = asked.body.get("model", "")
    base = {"id": f"mock-{asked.key}", "object": "chat.completion.chunk", "model": model}

    def event(delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice: dict[str, Any] = {"index": 0, "delta": delta, "finish_reason": reason}
        if asked.body.get("logprobs") and delta.get("content"):
            choice["logprobs"] = logprobs(delta["content"])
        return b"data: " + json.dumps({**base, "choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"

    said = []
    if choices:
        said = [event({"role": "assistant", "content": None if text is None else ""})]
        said += [event({"content": text[i : i + 4]}) for i in range(0, len(text or ""), 4) if text]
        said += [event({}, finish)]
    if (asked.body.get("stream_options") or {}).get("include_usage"):
        last = {**base, "choices": [], "usage": usage(asked, text or "")}
        said.append(b"data: " + json.dumps(last).encode() + b"\n\n")
    return [*said, b"data: [DONE]\n\n"]


def error(message: str, kind: str, code: str | None = None) -> dict[str, Any]:
    """An error body in the form that clients of this interface expect."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def retry_after(settings: Settings, as_date: bool) -> str:
    """The value of Retry-After: seconds, or the HTTP date they lead to."""
    if not as_date:
        return str(settings.retry_after)
    return email.utils.formatdate(int(time.time()) + 1 + settings.retry_after, usegmt=True)
