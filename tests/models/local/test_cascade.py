"""The cascade: with stand-ins for its engines (quick), and with the real ones where their weights are in the cache."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import MediaError, ProviderError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.local import make
from triptych.models.local.cascade import STANDARD, Cascade, Prepared
from triptych.models.local.llm import GeneratedText
from triptych.models.local.media_texts import MediaTexts
from triptych.models.weights.resolver import Resolver
from triptych.records import Message, Part, Request, Usage, media, text
from triptych.store.user_cache import TextCache


class StandIn:
    """A language model that says what it is told to, and remembers what it was asked."""

    def __init__(self, *says: str, cut: bool = False, error: Exception | None = None) -> None:
        self.says, self.cut, self.error = list(says), cut, error
        self.asked: list[tuple[Any, int, tuple[str, ...]]] = []

    def _say(self, what: Any, most: int, only: Sequence[str]) -> GeneratedText:
        self.asked.append((what, most, tuple(only)))
        if self.error:
            raise self.error
        return GeneratedText(self.says.pop(0), Usage(10, 2, cached_tokens=1), self.cut)

    def chat(
        self, messages: Sequence[Mapping[str, str]], most: int, only: Sequence[str] = (), schema: Any = None
    ) -> GeneratedText:
        return self._say(list(messages), most, only)

    def complete(self, prompt: str, most: int, only: Sequence[str] = ()) -> GeneratedText:
        return self._say(prompt, most, only)

    def close(self) -> None:
        pass


def read(kind: str, data: bytes) -> str:
    if data == b"broken":
        raise MediaError("a recording can't be decoded: broken")
    return f'[{kind}: "{data.decode()}"]'


def ask(
    llm: StandIn, parts: Sequence[Part], data: Path, settings: Mapping[str, Any] | None = None, **extra: Any
) -> Reply:
    """One Request through a cascade whose engines are stand-ins."""

    async def through() -> Reply:
        cascade = Cascade(settings or {})
        from concurrent.futures import ThreadPoolExecutor

        cascade._llm_pool = cascade._media_pool = ThreadPoolExecutor(1)
        cascade._texts = MediaTexts("stand-in", {}, read, TextCache(data / "texts"))
        cascade._llm = llm  # type: ignore[assignment]
        request = Request("q", (Message("user", tuple(parts)),), extra)
        try:
            return await cascade.respond(request, await cascade.prepare(request, MediaReader(data)))
        finally:
            await cascade.close()

    return asyncio.run(through())


def test_media_become_words_in_their_places(data: Path) -> None:
    llm = StandIn("A greeting.")
    reply = ask(llm, [text("Listen:"), media("audio", "a.wav"), media("image", "b.png"), text("What is it?")], data)
    assert (reply.text, reply.status, reply.finish_reason) == ("A greeting.", "answered", "stop")
    (messages, most, only) = llm.asked[0]
    assert messages[0]["role"] == "system" and most == 128 and only == ()
    assert messages[1] == {"role": "user", "content": 'Listen:\n[audio: "hello"]\n[image: "GOODBYE"]\nWhat is it?'}
    assert [(i.kind, i.path, i.text) for i in reply.intermediates] == [
        ("audio", "a.wav", '[audio: "hello"]'),
        ("image", "b.png", '[image: "GOODBYE"]'),
    ]
    assert all(len(i.sha256) == 64 for i in reply.intermediates)
    assert reply.usage == Usage(10, 2, cached_tokens=1)


CHOICE = (
    text("Which one says it? Answer with A or B"),
    text("Image:"),
    media("image", "b.png"),
    text("A:"),
    media("audio", "a.wav"),
    text("B:"),
    media("audio", "c.wav"),
    text("Give the letter of the correct answer (A, B)."),
)


def test_a_lettered_option_is_chosen_by_its_words(data: Path) -> None:
    llm = StandIn(" goodbye")
    reply = ask(llm, CHOICE, data)
    assert (reply.text, reply.thinking, reply.status) == ("B", "goodbye", "answered")
    assert llm.asked[0][0].endswith(
        '- hello\n- goodbye\nQuestion: Which one says it? Answer with A or B\nImage: [image: "GOODBYE"]\nAnswer:'
    )


def test_words_that_are_no_option_are_followed_by_a_forced_choice(data: Path) -> None:
    llm = StandIn(" something else altogether", " hello")
    reply = ask(llm, CHOICE, data)
    assert reply.text == "A" and reply.thinking == "something else altogether -> hello"
    assert llm.asked[1][2] == (" hello", " goodbye")
    assert reply.usage == Usage(20, 4, cached_tokens=2)


def test_choosing_by_letter_is_a_setting(data: Path) -> None:
    llm = StandIn("B")
    assert ask(llm, CHOICE, data, {"choice": "letter", "constrain": "true"}).text == "B"
    assert llm.asked[0][2] == ("A", "B")


def test_the_token_limit_makes_a_reply_truncated(data: Path) -> None:
    llm = StandIn("and so on and", cut=True)
    reply = ask(llm, [text("Tell me a story.")], data, max_tokens=4)
    assert (reply.status, reply.finish_reason, llm.asked[0][1]) == ("truncated", "length", 4)


def test_errors_are_told(data: Path) -> None:
    with pytest.raises(ProviderError, match="no memory"):
        ask(StandIn(error=ProviderError("no memory", kind="internal")), [text("?")], data)
    with pytest.raises(MediaError, match="can't be decoded"):
        ask(StandIn("x"), [media("audio", "bad.wav")], data)
    with pytest.raises(MediaError, match="not found"):
        ask(StandIn("x"), [media("audio", "none.wav")], data)


def needs(*sets: str) -> None:
    if find_spec("xllamacpp") is None:  # importing it wants the system's libgomp, which the adapter can do without
        pytest.skip("the extra `local` is not installed")
    missing = [name for name in sets if Resolver().missing_files(name)]
    if missing:
        pytest.skip(f"weights not in the cache: {', '.join(missing)} (make demo fetches them)")


def prepared(part: Part) -> Prepared:
    return Prepared((("user", (part.text,)),), ())


@pytest.mark.slow
@pytest.mark.weights
def test_the_language_model_answers_and_the_loop_stays_awake(tmp_path: Path) -> None:
    needs("whisper-base", STANDARD)
    (tmp_path / "page.png").write_bytes((Path(__file__).with_name("pictures") / "english_rows.png").read_bytes())
    parts = (
        text("Which text is written in this picture?"),
        text("Image:"),
        media("image", "page.png"),
        text("A:"),
        text("A slow green turtle sleeps under the tree."),
        text("B:"),
        text("My sister plays the piano."),
        text("C:"),
        text("The quick brown fox jumps over the lazy dog."),
        text("Give the letter of the correct answer."),
    )

    async def through() -> tuple[Reply, Reply, int]:
        cascade = make("cascade", {})
        await cascade.open()
        ticks = [0]

        async def tick() -> None:
            while True:
                ticks[0] += 1
                await asyncio.sleep(0.001)

        replies = []
        for content, settings in ((parts, {}), ((text("Write three sentences about bees."),), {"max_tokens": 3})):
            request = Request("q", (Message("user", content),), settings)
            replies.append(await cascade.respond(request, await cascade.prepare(request, MediaReader(tmp_path))))
        # loading keeps Python to itself for a moment; from then on the loop must stay awake
        ticking = asyncio.create_task(tick())
        await cascade.respond(Request("q", (), {"max_tokens": 8}), prepared(text(" ".join(map(str, range(60))))))
        ticking.cancel()
        await cascade.close()
        return replies[0], replies[1], ticks[0]

    chosen, cut, ticks = asyncio.run(through())
    assert chosen.text == "C" and chosen.status == "answered" and chosen.usage and chosen.usage.output_tokens
    assert cut.status == "truncated" and cut.usage and cut.usage.output_tokens == 3
    assert ticks >= 5, "other work goes on while the model answers"
