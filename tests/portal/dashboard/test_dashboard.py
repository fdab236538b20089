"""The dashboard, forecasts, people's own goals, and reminders."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select, update
from typer.testing import CliRunner

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import offered, put, review_all, send
from triptych.cli.portal import app
from triptych.portal.dashboard.figures import DAY_MS
from triptych.portal.people.managing import pause
from triptych.portal.people.reminding import idle_people
from triptych.portal.project import Portal
from triptych.portal.store.tables import audit, people, submissions, tasks
from triptych.portal.work.queues import recount
from triptych.portal.work.withdrawing import withdraw


def back(portal: Portal, person: str, days: int) -> None:
    """Let what a person has sent be some days old."""
    with portal.database.writing() as connection:
        old = submissions.c.person_id == person
        connection.execute(update(submissions).where(old).values(received_at=submissions.c.received_at - days * DAY_MS))


def test_the_reason_for_no_forecast_is_said(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 2)
    boss, who = enter("admin"), enter("reviewer")
    assert "too little was done" in boss.client.get("/dashboard").text
    review_all(who, {"verdict": "approve"})
    with small.database.writing() as connection:
        connection.execute(update(submissions).values(state="received"))
        recount(connection, tasks.c.id > 0)
    page = boss.client.get("/dashboard").text
    assert "Everything is sent" in page and "too little was done" not in page


def test_an_empty_portal_has_a_dashboard(portal: Portal) -> None:
    boss = visitor(portal, "admin")
    assert "There are no queues" in boss.client.get("/dashboard").text
    assert boss.client.get("/days.csv").text.lstrip("\ufeff").count("\n") == 1


def test_status_prints_what_the_dashboard_shows(small: Portal) -> None:
    put(small, 4)
    review_all(visitor(small, "reviewer"), {"verdict": "approve"})
    ran = CliRunner().invoke(app, ["status", "--project", str(small.path)])
    assert ran.exit_code == 0 and "review (review): 4 of 4 done, 4 today" in ran.output
    made = json.loads(CliRunner().invoke(app, ["status", "--project", str(small.path), "--json"]).stdout)
    assert made["queues"][0]["done"] == 4 and made["disk"]["database"] > 0


def test_those_are_reminded_who_could_work_and_have_not(portal: Portal) -> None:
    put(portal, 9)
    idle, fresh, never, paused, gone, boss = (visitor(portal, role) for role in ["reviewer"] * 5 + ["admin"])
    for who in (idle, fresh):
        task = offered(who)
        assert task
        send(who, task, {"verdict": "approve"})
    back(portal, idle.id, 5)
    with portal.database.writing() as connection:
        pause(connection, paused.id, None)
    withdraw(portal.database, portal.blobs, gone.id, gone.id)
    with portal.database.reading() as connection:
        found = idle_people(connection, 3)
    assert [(each.id, each.idle_days, each.left) for each in found] == [(idle.id, 5, 7), (never.id, None, 7)]
    text = boss.client.get("/reminders.csv?idle=6").text
    assert never.session.person.pseudonym in text and idle.session.person.pseudonym not in text


def test_the_portal_never_sees_an_address(small: Portal, enter: Callable[..., Visitor], tmp_path: Path) -> None:
    put(small, 2)
    who = enter("reviewer")
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(label="Wang Li"))
    addresses, made = tmp_path / "addresses.csv", tmp_path / "reminders.csv"
    addresses.write_text("label,address\nWang Li,wang@elsewhere.example\nNobody,nobody@elsewhere.example\n")
    told = [
        "remind",
        "--project",
        str(small.path),
        "--addresses",
        str(addresses),
        "--to",
        str(made),
        "--links",
        "--address",
        "https://poems.example.org/",
        "--language",
        "zh",
    ]
    ran = CliRunner().invoke(app, told)
    assert ran.exit_code == 0, ran.output
    [row] = csv.DictReader(io.StringIO(made.read_text(encoding="utf-8-sig")))
    assert row["address"] == "wang@elsewhere.example" and "还需要 2 条结果" in row["text"]
    assert row["link"].startswith("https://poems.example.org/enter/") and row["link"] in row["text"]
    assert who.client.get(row["link"].removeprefix("https://poems.example.org")).status_code == 200
    every = b"".join(path.read_bytes() for path in small.path.rglob("*") if path.is_file())
    assert b"elsewhere.example" not in every
    with small.database.reading() as connection:
        assert "elsewhere" not in str(connection.execute(select(audit.c.detail)).all())
