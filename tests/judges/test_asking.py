"""Asking judges through the run loop: what is sent, what is journaled, what is asked again, what never is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import Told
from triptych.errors import ProviderError, RunFolderError
from triptych.judges.asking import Judging, ask_panel, verdicts_of
from triptych.judges.cases import Case
from triptych.judges.panel import Judge, Panel
from triptych.judges.parsers import ReadVerdict
from triptych.judges.rubric import Order, load_rubric
from triptych.judges.verdicts import Verdict
from triptych.models.adapter import Reply
from triptych.records import Request, Usage
from triptych.running.loop import RunOptions
from triptych.store.journals.replies import ReplyJournal

PAIR = load_rubric("pair")
BOTH: tuple[Order, ...] = ("straight", "swapped")


def case(number: int, reply: str = "好", orders: tuple[Order, ...] = ("straight",)) -> Case:
    slots = {"question": f"q{number}", "reference": "参考", "reply": reply}
    return Case(f"unit/{number}", "judge_score", PAIR, slots, orders)


def words(request: Request) -> str:
    return "\n".join(part.text for message in request.messages for part in message.parts)


class Judged(Told):
    """A judge that answers by the words it is sent, and keeps the Requests."""

    def __init__(self, answer: Callable[[str], str | ProviderError], name: str = "told/judge") -> None:
        super().__init__()
        self.name, self.say, self.requests = name, answer, list[Request]()

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.requests.append(request)
        said = self.say(words(request))
        if isinstance(said, ProviderError):
            raise said
        return Reply(said, usage=Usage(100, 5))


def ask(
    place: Path, judges: list[Judged], cases: list[Case], evaluations: int = 1, **options: Any
) -> tuple[list[tuple[Verdict, ...]], Judging]:
    panel = Panel(tuple(Judge.from_adapter(judge) for judge in judges), evaluations).validated()
    wanted = RunOptions(**{"concurrency": 2, "retries": 0, **options})
    judging = ask_panel(cases, panel, judges, place, wanted)
    return [given for _, given in verdicts_of(cases, panel, place)], judging


def test_a_judge_sees_the_rubric_and_the_texts_and_nothing_else(tmp_path: Path) -> None:
    judge = Judged(lambda _: "9 5")
    ask(tmp_path, [judge], [case(1)])
    (request,) = judge.requests
    assert request.item is None
    assert request.settings == {"temperature": 0, "max_tokens": 256}
    assert "q1" in words(request) and "好" in words(request)
    assert "unit/1" not in words(request), "an id may tell where a reply is from"


def test_verdicts_are_in_the_order_of_reference_and_reply_whichever_stood_first(tmp_path: Path) -> None:
    # this judge gives whoever stands first 8, the other 4: the mean of both orders knows no position
    given, _ = ask(tmp_path, [Judged(lambda _: "8 4")], [case(1, orders=BOTH)])
    assert [(v.order, v.values) for v in given[0]] == [("straight", (8, 4)), ("swapped", (4, 8))]


def test_what_is_journaled_is_not_asked_again(tmp_path: Path) -> None:
    cases = [case(n, orders=BOTH) for n in range(5)]
    first, again = Judged(lambda _: "9 5"), Judged(lambda _: "1 1")
    before, judging = ask(tmp_path, [first], cases, evaluations=2)
    assert len(first.requests) == 20
    assert sum(outcome.usage.input_tokens or 0 for outcome in judging.outcomes) == 2000
    after, _ = ask(tmp_path, [again], cases, evaluations=2)
    assert again.requests == [] and again.opened == 0
    assert after == before
    ask(tmp_path, [again], cases, evaluations=3)
    assert len(again.requests) == 10, "one more evaluation is asked alone"


def test_another_reply_is_another_question_to_the_judge(tmp_path: Path) -> None:
    ask(tmp_path, [Judged(lambda _: "9 5")], [case(1, "旧")])
    later = Judged(lambda _: "9 9")
    given, _ = ask(tmp_path, [later], [case(1, "新")])
    assert len(later.requests) == 1
    assert given[0][0].values == (9, 9)


def test_the_same_reply_twice_is_judged_once(tmp_path: Path) -> None:
    judge = Judged(lambda _: "9 5")
    given, _ = ask(tmp_path, [judge], [case(1), case(1)])
    assert len(judge.requests) == 1
    assert given[0] == given[1]


def test_what_can_not_be_read_is_asked_once_more_and_then_failed(tmp_path: Path) -> None:
    judge = Judged(lambda said: "9 5" if "q1" in said and "could not be read" in said else "well …")
    given, _ = ask(tmp_path, [judge], [case(1), case(2)])
    assert [(r.id, r.repeat) for r in judge.requests if "q2" in words(r)] == [("unit/2", 0), ("unit/2", 1)]
    assert [v[0].status for v in given] == ["given", "unparsed"]
    assert given[1][0].values == () and given[1][0].text == "well …"
    ask(tmp_path, [judge], [case(1), case(2)])
    assert len(judge.requests) == 4, "twice is enough, in any sitting"


def test_a_judge_that_gives_no_answer_is_asked_again_in_the_next_sitting_only(tmp_path: Path) -> None:
    broken = Judged(lambda _: ProviderError("down", kind="server", retryable=True))
    given, _ = ask(tmp_path, [broken], [case(1)])
    assert given[0][0].status == "failed" and "down" in given[0][0].note
    assert len(broken.requests) == 1
    given, _ = ask(tmp_path, [Judged(lambda _: "9 5")], [case(1)])
    assert given[0][0].status == "given"


def test_a_wrong_key_stops_the_judging_and_is_told(tmp_path: Path) -> None:
    _, judging = ask(tmp_path, [Judged(lambda _: ProviderError("no key", kind="auth", fatal=True))], [case(1)])
    assert judging.fatal and "no key" in (judging.stopped or "")


def test_the_cache_serves_verdicts_across_folders_but_not_across_evaluations(tmp_path: Path) -> None:
    first, second = Judged(lambda _: "9 5"), Judged(lambda _: "1 1")
    ask(tmp_path / "a", [first], [case(1)], evaluations=2, cache=tmp_path / "cache")
    given, _ = ask(tmp_path / "b", [second], [case(1)], evaluations=2, cache=tmp_path / "cache")
    assert len(first.requests) == 2 and second.requests == []
    assert [v.values for v in given[0]] == [(9, 5), (9, 5)]


def test_the_budget_is_over_all_judges(tmp_path: Path) -> None:
    judges = [Judged(lambda _: "9 5"), Judged(lambda _: "9 5", "told/other")]
    _, judging = ask(tmp_path, judges, [case(n) for n in range(4)], concurrency=1, budget_tokens=600)
    assert "budget" in (judging.stopped or "")
    assert [len(judge.requests) for judge in judges] == [4, 2]


def test_a_torn_line_is_asked_again_and_the_rest_is_not(tmp_path: Path) -> None:
    judge = Judged(lambda _: "9 5")
    ask(tmp_path, [judge], [case(1), case(2)], concurrency=1)
    path = next(tmp_path.glob("*.jsonl"))
    path.write_bytes(path.read_bytes()[:-20])
    given, _ = ask(tmp_path, [judge], [case(1), case(2)])
    assert [r.id for r in judge.requests] == ["unit/1", "unit/2", "unit/2"]
    assert [v[0].status for v in given] == ["given", "given"]


def test_two_processes_can_not_write_one_folder_of_verdicts(tmp_path: Path) -> None:
    with ReplyJournal(tmp_path, "x").writer(), pytest.raises(RunFolderError, match="another process"):
        ask(tmp_path, [Judged(lambda _: "9 5")], [case(1)])


def test_what_could_not_be_read_twice_is_asked_again_only_where_that_is_wished(tmp_path: Path) -> None:
    cases = [case(n) for n in range(4)]
    words_of = {"q0": "mumble", "q1": "9 5", "q2": "mumble", "q3": "9 5"}
    broken = Judged(lambda said: next(w for q, w in words_of.items() if q in said))
    ask(tmp_path, [broken], cases)
    assert len(broken.requests) == 6  # two of them twice
    mended = Judged(lambda _: "8 4")
    given, _ = ask(tmp_path, [mended], cases)
    assert not mended.requests and [v[0].status for v in given] == ["unparsed", "given", "unparsed", "given"]
    cache = tmp_path / "cache"
    retry = frozenset({"failed", "unparsed"})
    given, _ = ask(tmp_path, [mended], cases, retry_statuses=retry, cache=cache)
    assert sorted(r.id for r in mended.requests) == ["unit/0", "unit/2"]
    assert [v[0].values for v in given] == [(8, 4), (9, 5), (8, 4), (9, 5)]
    ask(tmp_path, [mended], cases, retry_statuses=retry, cache=cache)
    assert len(mended.requests) == 2, "nothing is left to ask"


def test_a_judge_that_still_can_not_be_read_is_asked_twice_each_time_and_never_from_the_cache(tmp_path: Path) -> None:
    cases, options = [case(1)], {"cache": tmp_path / "cache", "retry_statuses": frozenset({"failed", "unparsed"})}
    for sitting in range(3):
        judge = Judged(lambda _: "mumble")
        given, _ = ask(tmp_path / "v", [judge], cases, **options)
        assert (len(judge.requests), given[0][0].status) == (2, "unparsed"), sitting


def test_kept_replies_are_read_by_todays_parser_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Judged(lambda _: "nine against five")
    given, _ = ask(tmp_path, [judge], [case(1)])
    assert given[0][0].status == "unparsed"
    monkeypatch.setattr("triptych.judges.asking.read_verdict", lambda _words, _rubric: ReadVerdict((9.0, 5.0)))
    again = Judged(lambda _: "1 1")
    given, _ = ask(tmp_path, [again], [case(1)], retry_statuses=frozenset({"failed", "unparsed"}))
    assert not again.requests and given[0][0].values == (9, 5)
