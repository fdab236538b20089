"""Tests of `portal/work/queues.py`: queues of tasks."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest
import soundfile
from sqlalchemy import insert, select, update

from tests.portal.conftest import visitor
from tests.portal.site.test_media_access import sound, stored
from tests.portal.work.test_work import queue_of_works, send, take
from triptych.errors import DataError
from triptych.portal.project import Pay, Portal
from triptych.portal.store.engine import now_ms
from triptych.portal.store.tables import (
    leases,
    people,
    submissions,
    tasks,
)
from triptych.portal.work.queues import NewTask, progress, put_queue, put_tasks, queue_of
from triptych.portal.work.submitting import Conflict, set_state


def test_all_clips_of_a_work_go_to_one_man_and_one_woman(portal: Portal) -> None:
    queue = queue_of_works(portal, works=4, clips=3)
    readers = [(visitor(portal, "recorder", gender=g).id, g) for g in ("woman", "woman", "man", "man", "man")]
    draw, done, number = random.Random(4), Counter(), 0
    idle = 0
    while idle < 30:
        person, gender = draw.choice(readers)
        found = take(portal, queue, person, gender)
        if found is None:
            idle += 1
            continue
        idle, number = 0, number + 1
        send(portal, found, person, number)
        done[person] += 1
    assert sum(done.values()) == 4 * 3 * 2
    read: dict[tuple[str, str], set[str]] = defaultdict(set)
    with portal.database.reading() as connection:
        for work, slot, person in connection.execute(
            select(tasks.c.work, submissions.c.slot, submissions.c.person_id).join(submissions)
        ):
            read[work, slot].add(person)
        assert progress(connection, queue)["done"] == 24
    assert len(read) == 8 and all(len(own) == 1 for own in read.values())


def test_a_lease_ends_and_the_task_goes_to_somebody_else(portal: Portal) -> None:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "review", "review", {}, None)
        put_tasks(connection, queue, [NewTask("a", "d", {})])
    one, other = visitor(portal, "reviewer").id, visitor(portal, "reviewer").id
    found = take(portal, queue, one, "1")
    assert found and take(portal, queue, other, "1") is None
    with portal.database.writing() as connection:
        connection.execute(update(leases).values(expires_at=1))
    again = take(portal, queue, other, "1")
    assert again and again.id == found.id
    with pytest.raises(Conflict, match="too long"):
        send(portal, found, one, 1)
    send(portal, again, other, 2)


def test_what_was_done_in_a_lease_that_ended_still_counts_if_nobody_came(small: Portal) -> None:
    with small.database.writing() as connection:
        queue = put_queue(connection, "review", "review", {}, None)
        put_tasks(connection, queue, [NewTask("a", "d", {})])
    person = visitor(small, "reviewer").id
    found = take(small, queue, person, "1")
    assert found
    with small.database.writing() as connection:
        connection.execute(leases.delete())
    send(small, found, person, 1)


@pytest.mark.slow
def test_fifty_claim_at_once_and_no_task_goes_twice(portal: Portal) -> None:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "review", "review", {}, None)
        put_tasks(connection, queue, [NewTask(str(n), "d", {}) for n in range(10_000)])
        for n in range(50):
            row = {"id": f"person-{n}", "pseudonym": f"p-{n}", "created_at": now_ms()}
            connection.execute(insert(people), row)

    def work(n: int) -> list[int]:
        made = []
        for turn in range(4):
            found = take(portal, queue, f"person-{n}", "1")
            assert found
            send(portal, found, f"person-{n}", n * 100 + turn)
            made.append(found.id)
        return made

    with ThreadPoolExecutor(50) as pool:
        taken = [task for own in pool.map(work, range(50)) for task in own]
    assert len(taken) == len(set(taken)) == 200


def test_pushing_tasks_twice_changes_nothing_and_closes_what_is_gone(portal: Portal) -> None:
    queue = queue_of_works(portal, 2, 2)
    new = [NewTask("0/0", "d", {}), NewTask("0/0", "changed", {})]
    with portal.database.writing() as connection:
        assert put_tasks(connection, queue, new) == {"added": 1, "open": 2, "closed": 3}
        assert put_tasks(connection, queue, new) == {"added": 0, "open": 2, "closed": 0}
        with pytest.raises(DataError, match="another kind"):
            put_queue(connection, "record", "review", {}, None)


def test_words_are_weighted_by_queue(small: Portal) -> None:
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {}, None)
        texts = ["床前明月光，疑是地上霜。", "It's 3 words", 7, None]
        put_tasks(connection, queue, [NewTask(f"t{n}", "d", {"shows": {"text": t}}) for n, t in enumerate(texts)])
    paid = replace(small, settings=msgspec.structs.replace(small.settings, pay={"record": 1.5}))
    who = visitor(paid, "recorder")
    for number in range(4):
        found = take(paid, queue, who.id, "1")
        assert found
        send(paid, found, who.id, number)
    with small.database.writing() as connection:
        set_state(connection, "id-00000000000003", "rejected", ["other"], None)
    line = visitor(paid, "admin").client.get("/hours.csv").text.splitlines()[1]
    assert line.split(",")[4:] == ["20", "4", "3", "13", "1.5", "19.5", "", "0.0", "0.0", ""]


def test_pay_is_by_the_minute_of_sound_by_words_by_the_hour_and_by_result(small: Portal) -> None:
    name = stored(small, data := sound())
    shows = {"audio": f"{name[:2]}/{name}.wav", "media": {"audio": name}, "text": "two words"}
    with small.database.writing() as connection:
        queue = put_queue(connection, "transcribe", "annotation", {}, None)
        put_tasks(connection, queue, [NewTask(f"t{n}", "d", {"shows": shows}) for n in range(3)])
    pay = Pay(weight=2, per_word=0.5, per_minute=3, per_hour=36, per_result=0.25, currency="EUR")
    paid = replace(small, settings=msgspec.structs.replace(small.settings, pay={"transcribe": pay}))
    who = visitor(paid, "annotator")
    for number in range(2):
        found = take(paid, queue, who.id, "1")
        assert found
        send(paid, found, who.id, number)
    seconds = soundfile.info(io.BytesIO(data)).duration
    [row] = csv.DictReader(io.StringIO(visitor(paid, "admin").client.get("/hours.csv").text.lstrip("\ufeff")))
    assert float(row["minutes_heard"]) == pytest.approx(2 * seconds / 60, abs=0.006)
    expected = 0.5 * 2 * 4 + 3 * 2 * seconds / 60 + 36 * 10 / 3600 + 0.25 * 2
    assert float(row["amount"]) == pytest.approx(expected, abs=0.006) and row["currency"] == "EUR"


def test_pay_by_the_minute_is_empty_where_a_length_is_unknown(small: Portal) -> None:
    name = stored(small, sound())
    known = {"media": {"audio": name}}
    with small.database.writing() as connection:
        for kind, shows in (("annotation", {"media": {"audio": "0" * 64}}), ("recording", {}), ("review", {})):
            queue = put_queue(connection, kind, kind, {}, None)
            put_tasks(connection, queue, [NewTask(f"t{n}", "d", {"shows": s}) for n, s in enumerate((shows, known))])
    pay = dict.fromkeys(("annotation", "recording", "review"), Pay(per_minute=3))
    paid = replace(small, settings=msgspec.structs.replace(small.settings, pay=pay))
    who = visitor(paid, "annotator")
    for number in range(6):
        with small.database.reading() as connection:
            own = queue_of(connection, ("annotation", "recording", "review")[number // 2])
        assert own
        found = take(paid, own, who.id, "1")
        assert found
        send(paid, found, who.id, number)
    text = visitor(paid, "admin").client.get("/hours.csv").text.lstrip("\ufeff")
    cells = {row["queue"]: (row["minutes_heard"], row["amount"]) for row in csv.DictReader(io.StringIO(text))}
    assert cells["annotation"] == cells["recording"] == ("", "")
    assert float(cells["review"][1]) > 0  # a task without sound or film has none to hear
