"""Tests of `portal/exchange/pull.py`: pull."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from tests.construction.recipes.test_mcga import HEARD, TEXTS, config, hear
from tests.portal.conftest import Visitor, visitor
from tests.portal.exchange.test_exchange import lines, wav
from tests.portal.recording.test_recording import facts
from triptych.construction.build import build
from triptych.portal.checking import check_next
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push
from triptych.portal.project import Portal
from triptych.portal.work.withdrawing import withdraw

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

__all__ = ["config"]


def record_all(portal: Portal, who: Visitor, begin: int, *, bad: bool = False) -> int:
    """Read everything that the page offers; the first take is silent if `bad`."""
    number = begin
    while True:
        page = who.client.get("/record/record").text
        if 'data-task="' not in page:
            return number
        task = page.partition('data-task="')[2].partition('"')[0]
        data = wav(number, 0.0 if bad and number == begin else 0.3)
        headers = {
            "x-form-token": who.token,
            "x-content-sha256": sha256(data).hexdigest(),
            "x-facts": json.dumps(msgspec.to_builtins(facts())),
        }
        answer = who.client.put(f"/record/record/{task}/clip-{number:012}", content=data, headers=headers)
        assert answer.status_code == 201
        check_next(portal)
        number += 1


@pytest.mark.slow
def test_the_whole_circle_of_recording(config: Path, tmp_path: Path, portal: Portal) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    made = push(Local(portal), to, "record")
    assert (made.kind, made.open, made.added) == ("recording", 4, 4)
    assert push(Local(portal), to, "record").added == 0
    TEXTS.update({task["id"]: task["shows"]["text"] for task in lines(to / "tasks/record.jsonl")})
    man, woman = visitor(portal, "recorder", gender="man"), visitor(portal, "recorder", gender="woman")
    assert record_all(portal, man, 100, bad=True) == 105  # four clips, and one of them again
    assert record_all(portal, woman, 200) == 204
    first = pull(Local(portal), to, "record")
    assert (first.results, first.media, first.others, first.withdrawn) == (8, 8, 0, ())
    before = (to / "results/record.jsonl").read_bytes()
    pull(Local(portal), to, "record")
    assert (to / "results/record.jsonl").read_bytes() == before
    result = lines(to / "results/record.jsonl")[0]
    assert result["values"]["gender"] == "man" and result["values"]["age"] == "young"
    assert result["person"].startswith("p-") and man.id not in before.decode()
    build("mcga", config, to, ask=False)
    hear(to)
    done = build("mcga", config, to)
    counts = {each.stage: each for each in done.counts}
    assert counts["record"].decisions == {"kept": counts["record"].came}
    assert counts["same-reader"].decisions.keys() == counts["double-asr"].decisions.keys() == {"kept"}

    gone = withdraw(portal.database, portal.blobs, woman.id, None)
    assert [(target, number) for target, _, number in gone.exports] == [(str(to.resolve()), 4)] * 2
    third = pull(Local(portal), to, "record")
    assert (third.results, third.withdrawn) == (4, (gone.pseudonym,))
    assert gone.pseudonym not in (to / "results/record.jsonl").read_text(encoding="utf-8")
    assert len(list((to / "results/portal").iterdir())) == 4
    HEARD.clear()
