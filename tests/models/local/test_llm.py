"""Instances of the language model: so many answer at a time, each its own; none is lost when one fails."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.models.local.test_cascade import StandIn, ask
from triptych.errors import ProviderError
from triptych.models.local.llm import Llm, TooLong, keep_models
from triptych.records import text

ASK = [{"role": "user", "content": "?"}]


class Server:
    """Answers when as many ask at once as the barrier wants."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self.barrier, self.inside = barrier, 0
        self.bodies: list[dict[str, Any]] = []

    def handle_chat_completions(self, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        self.inside += 1
        assert self.inside == 1, "an instance answers one at a time"
        self.barrier.wait(timeout=300)  # only where too few came: not for a busy machine
        self.inside -= 1
        if body["messages"][0]["content"] == "fail":
            return {"error": {"message": "no"}}
        return {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}


def pool(instances: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Llm, list[Server]]:
    barrier, made = threading.Barrier(at_once), []  # type: threading.Barrier, list[Server]

    def load(self: Llm) -> Server:
        made.append(Server(barrier))
        return made[-1]

    monkeypatch.setattr(Llm, "_load", load)
    return Llm(Path("w"), instances=instances), made


@pytest.mark.parametrize("instances", [1, 2])
def test_so_many_answer_at_a_time(instances: int, monkeypatch: pytest.MonkeyPatch) -> None:
    llm, made = pool(instances, instances, monkeypatch)
    with ThreadPoolExecutor(4) as threads:
        said = list(threads.map(lambda _: llm.chat(ASK, 8).text, range(8)))
    assert said == ["yes"] * 8
    assert len(made) == instances


def test_a_failure_gives_its_instance_back(monkeypatch: pytest.MonkeyPatch) -> None:
    llm, made = pool(1, 1, monkeypatch)
    with pytest.raises(ProviderError, match="no"):
        llm.chat([{"role": "user", "content": "fail"}], 8)
    assert llm.chat(ASK, 8).text == "yes"
    assert len(made) == 1


def test_instances_are_kept_for_the_next_model_of_the_same_weights_while_asked_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def used(weights: str = "w", threads: int = 1) -> int:
        llm = Llm(Path(weights), threads=threads)
        assert llm.chat(ASK, 8).text == "yes"
        llm.close()
        return len(made)

    _, made = pool(1, 1, monkeypatch)
    assert (used(), used()) == (1, 2)
    with keep_models():
        assert (used(), used(), used()) == (3, 3, 3)
        assert [body.get("cache_prompt", True) for body in made[2].bodies] == [True, False, False]
        assert (used("other"), used(threads=2), used()) == (4, 5, 5)
    assert used() == 6
    with keep_models():
        assert used() == 7


def test_a_prompt_that_does_not_fit_is_skipped(data: Path) -> None:
    reply = ask(StandIn(error=TooLong("request (9000 tokens) exceeds the context")), [text("long")], data)
    assert reply.status == "skipped" and "9000 tokens" in reply.note
