"""The circle with a build: tasks pushed, recorded, checked, one recorded again, pulled, built; and a withdrawal."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select

from tests.construction.recipes.test_mcga import HEARD, TEXTS, config, hear
from tests.portal.conftest import Visitor, visitor
from tests.portal.recording.test_recording import facts
from tests.portal.serving import served
from tests.voices import syllables
from triptych.construction.build import build
from triptych.errors import DataError, MediaError, RunFolderError, SpecError
from triptych.media.sound import encode_wav
from triptych.portal.checking import check_next
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push, work_of
from triptych.portal.exchange.remote import TOKEN, Remote
from triptych.portal.project import Portal
from triptych.portal.store.tables import exports, submissions, tasks
from triptych.portal.work.tokens import add_token, end_tokens
from triptych.portal.work.withdrawing import withdraw

__all__ = ["config"]

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

RATE = 48_000


def wav(number: int, level: float = 0.3) -> bytes:
    return encode_wav(syllables(3.0, number, RATE, level).reshape(-1, 1), RATE)


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


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


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


def test_results_of_other_origin_are_kept(config: Path, tmp_path: Path, small: Portal) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    push(Local(small), to, "record")
    task = lines(to / "tasks/record.jsonl")[0]
    other = {"id": task["id"], "shown": task["shown"], "person": "P1", "values": {"audio": "x.wav", "gender": "man"}}
    (to / "results").mkdir()
    (to / "results/record.jsonl").write_text(json.dumps(other) + "\n", encoding="utf-8")
    assert pull(Local(small), to, "record").others == 1
    assert lines(to / "results/record.jsonl") == [other]
    with small.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(exports)).scalar() == 1
        assert connection.execute(select(func.count()).select_from(submissions)).scalar() == 0


def test_what_is_missing_is_said(tmp_path: Path, small: Portal, config: Path) -> None:
    with pytest.raises(RunFolderError, match="build folder"):
        push(Local(small), tmp_path, "record")
    to = tmp_path / "build"
    build("mcga", config, to)
    with pytest.raises(DataError, match="no open tasks"):
        push(Local(small), to, "recrod")
    with pytest.raises(DataError, match="no queue"):
        pull(Local(small), to, "record")
    with pytest.raises(DataError, match="kind of queue"):
        push(Local(small), to, "record", kind="singing")


def test_clips_of_a_work_are_in_their_order(small: Portal, tmp_path: Path, config: Path) -> None:
    assert work_of("a/b/12") == ("a/b", 12) and work_of("a/x") == ("", 0) and work_of("7") == ("", 0)
    to = tmp_path / "build"
    build("mcga", config, to)
    push(Local(small), to, "record")
    reader = visitor(small, "recorder", gender="man")
    assert "Clip 1 of" in reader.client.get("/record/record").text


def test_the_circle_over_http(config: Path, tmp_path: Path, small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    with small.database.writing() as connection:
        token = add_token(connection, "recipe")
    with served(small) as address:
        with pytest.raises(SpecError, match="token is missing"):
            Remote(address)
        monkeypatch.setenv(TOKEN, token)
        end = Remote(address)
        assert push(end, to, "record").added == 4
        assert record_all(small, visitor(small, "recorder", gender="man"), 300) == 304
        made = pull(end, to, "record")
        assert (made.results, made.media) == (4, 4)
        there = (to / "results/record.jsonl").read_bytes()
        pull(Local(small), to, "record")
        assert (to / "results/record.jsonl").read_bytes() == there
        with pytest.raises(DataError, match="no queue"):
            pull(end, to, "review")
        with pytest.raises(MediaError, match="any more"), end.medium("0" * 64):
            pass
        described = json.loads(visitor(small).client.get("/api/openapi.json").text)
        assert described["paths"]["/api/queues/{queue}/results"]["get"]["operationId"] == "results"
        with small.database.writing() as connection:
            assert end_tokens(connection, "recipe") == 1
        with pytest.raises(DataError, match="API token"):
            end.results("record")
    with pytest.raises(DataError, match="nothing accepts connections"):
        end.medium("0" * 64)  # never taken for a medium that was erased


def test_a_medium_that_a_task_shows_goes_with_it(
    small: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, to = wav(1), tmp_path / "build"
    name = f"media/{sha256(sound).hexdigest()[:2]}/{sha256(sound).hexdigest()}.wav"
    (to / name).parent.mkdir(parents=True)
    (to / name).write_bytes(sound)
    (to / "tasks").mkdir()
    (to / "build.json").write_text("{}")
    task = {"id": "w/0", "shown": "d", "stage": "review", "form": {"verdict": ["yes"]}, "shows": {"audio": name}}
    (to / "tasks/review.jsonl").write_text(json.dumps(task) + "\n")
    with small.database.writing() as connection:
        monkeypatch.setenv(TOKEN, add_token(connection, "recipe"))
    with served(small) as address:
        assert push(Remote(address), to, "review").kind == "review"
    with small.blobs.opened(sha256(sound).hexdigest()) as file:
        assert file.read() == sound
    with small.database.reading() as connection:
        body = connection.execute(select(tasks.c.body)).scalar_one()
    assert body["shows"]["media"] == {"audio": sha256(sound).hexdigest()}
    kept: list[str] = []
    monkeypatch.setattr(Local, "put_medium", lambda self, path, sha256, size: kept.append(sha256))
    for wrong in ({"verify": True}, {"abstract_first": True}, {"kind": "recording", "reviewers": 2}):
        with pytest.raises(DataError):
            push(Local(small), to, "review", **wrong)  # type: ignore[arg-type]
    assert kept == []
    (to / name).unlink()
    with pytest.raises(DataError, match="can't be read"):
        push(Local(small), to, "review")


@pytest.mark.parametrize("url", ["http://example.org", "ftp://127.0.0.1", "example.org", ""])
def test_the_token_is_sent_over_https_alone(url: str) -> None:
    with pytest.raises(SpecError, match="https://"):
        Remote(url)
