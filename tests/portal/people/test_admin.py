"""What administrators do about people: links, roles, sessions, pauses, tasks and works; and what people say to them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select
from typer.testing import CliRunner

from tests.portal.conftest import Visitor, anonymous, visitor
from tests.portal.review.test_review import offered, put
from tests.portal.work.test_work import take
from triptych.cli.portal import app
from triptych.errors import DataError
from triptych.portal.project import Portal, open_portal
from triptych.portal.store.tables import invitations, people
from triptych.portal.work.queues import NewTask, put_queue, put_tasks


def act(who: Visitor, about: str, name: str, **more: str) -> int:
    sent = {"token": who.token, "act": name, **more}
    return who.client.post(f"/person/{about}", data=sent).status_code


def enter_by(portal: Portal, token: str, parameters: str = "") -> int:
    """Open a link and press its button, as a browser does."""
    client = anonymous(portal)
    page = client.get(f"/enter/{token}{parameters}")
    if page.status_code != 200:
        return page.status_code
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text.partition("<main")[2]))
    return client.post(f"/enter/{token}", data=fields).status_code


def test_roles_and_sessions_are_revoked(small: Portal, enter: Callable[..., Visitor]) -> None:
    boss, who = enter("admin"), enter("reviewer", "recorder")
    assert act(boss, who.id, "take-role", role="reviewer") == 303
    assert who.client.get("/review/none").status_code == 403 and who.client.get("/record/none").status_code == 404
    assert act(boss, who.id, "take-role", role="reviewer") == 409
    assert act(boss, boss.id, "take-role", role="admin") == 409  # nobody could give it back
    assert act(boss, who.id, "end-sessions", session="0" * 64) == 303
    assert who.client.get("/your-data").status_code == 200
    assert act(boss, who.id, "end-sessions") == 303
    assert who.client.get("/your-data").status_code == 401 and boss.client.get("/people").status_code == 200
    assert act(boss, who.id, "nonsense") == 409 and act(boss, "0" * 16, "pause") == 404


def test_an_open_task_is_released(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 1)
    boss, who, other = enter("admin"), enter("reviewer"), enter("reviewer")
    task = offered(who)
    assert offered(other) is None and f'value="{task}"' in boss.client.get(f"/person/{who.id}").text
    assert act(boss, who.id, "release", task=str(task)) == 303
    assert offered(other) == task
    assert act(boss, who.id, "release", task=str(task)) == 409


def say(who: Visitor, task: int, kind: str, text: str, job: str = "/review") -> int:
    sent = {"token": who.token, "queue": "review", "task": str(task), "kind": kind, "text": text, "job": job}
    return who.client.post("/remark", data=sent).status_code


def test_links_for_a_table_of_people(small: Portal, enter: Callable[..., Visitor]) -> None:
    boss = enter("admin")
    table = 'Label,Role\r\nWang Li,recorder\r\n"Anna, B.",reviewer\r\n'
    page = boss.client.post("/links", data={"token": boss.token, "table": table}).text
    made = re.findall(r"http://127.0.0.1:8780/enter/(\S+)", page.partition("<pre")[2].partition("</pre>")[0])
    assert len(made) == 2 and page.count("<svg") == 2 and [enter_by(small, each) for each in made] == [303, 303]
    for wrong, said in (("label,role\nx,king\n", "line 2"), ("name\nx\n", "heading"), ("label,role\n", "1 to 200")):
        answer = boss.client.post("/links", data={"token": boss.token, "table": wrong})
        assert answer.status_code == 400 and said in answer.text, wrong
    with small.database.reading() as connection:
        assert len(connection.execute(select(invitations.c.id)).all()) == 2  # a faulty table makes none


def test_pages_of_the_administrator_name_works_by_title_and_author(portal: Portal) -> None:
    shows = {"title": "静夜思", "author": "李白", "text": "床前明月光，"}
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["woman", "man"]}, None)
        new = [NewTask(f"jys/{n}", "d", {"shows": shows, "form": {"audio": "media"}}, "jys", n, 2) for n in range(2)]
        put_tasks(connection, queue, new)
    boss, who, other = visitor(portal, "admin"), visitor(portal, "recorder"), visitor(portal, "recorder")
    found = take(portal, queue, who.id, "woman")
    assert found
    said = {
        "token": who.token,
        "queue": "record",
        "task": str(found.id),
        "kind": "comment",
        "text": "x",
        "job": "/record",
    }
    who.client.post("/remark", data=said)
    pages = [boss.client.get(path).text for path in (f"/person/{who.id}", "/remarks")]
    assert act(boss, who.id, "release", task=str(found.id)) == 303
    assert act(boss, who.id, "give-work", queue="record", work="jys", to=other.session.person.pseudonym) == 303
    audit_page = re.sub(r"<details>.*?</details>", "", boss.client.get("/audit").text, flags=re.DOTALL)
    for sentence in ("released the task", "commented on a task of record:", "gave the work"):
        assert f"{sentence} 静夜思 · 李白" in audit_page, sentence
    assert f"to {other.session.person.pseudonym}; 0 results" in audit_page and "jys" not in audit_page
    assert all("静夜思 · 李白" in page and "jys</" not in page and ": jys" not in page for page in pages)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def test_the_command_line_does_the_same(tmp_path: Path) -> None:
    project, table = tmp_path / "project", tmp_path / "people.csv"
    open_portal(project, create=True).close()
    table.write_text("label,role\n=Wang,recorder\nAnna,reviewer\n", encoding="utf-8")
    where = ("--project", str(project))
    run("invite", *where, "--table", str(table), "--to", str(tmp_path / "links.csv"), "--qr", str(tmp_path / "qr"))
    rows = list(csv.DictReader((tmp_path / "links.csv").open(encoding="utf-8")))
    assert [row["role"] for row in rows] == ["recorder", "reviewer"] and rows[0]["label"] == "'=Wang"
    assert sorted(path.name for path in (tmp_path / "qr").iterdir()) == ["001-recorder.svg", "002-reviewer.svg"]
    portal = open_portal(project)
    assert enter_by(portal, rows[1]["link"].rpartition("/")[2]) == 303
    many = run("invite", *where, "--role", "participant", "--most", "2").strip().rpartition("/")[2]
    assert [enter_by(portal, many) for _ in range(3)] == [303, 303, 404]
    with portal.database.reading() as connection:
        name = connection.execute(select(people.c.pseudonym).where(people.c.label == "Anna")).scalar_one()
    assert run("person", name, *where, "--pause", "--take-role", "reviewer", "--give-role", "recorder").startswith(
        f"{name} (paused): recorder\nsessions: 1"
    )
    assert "sessions: 0" in run("person", name, *where, "--resume", "--end-sessions", "--release")
    for wrong in (("--pause", "--resume"), ("--to", name), ("--work", "poems"), ("--take-role", "admin")):
        assert CliRunner().invoke(app, ["person", name, *where, *wrong]).exception is not None
    assert CliRunner().invoke(app, ["person", "p-nobody", *where]).exception is not None
    assert run("token", *where, "--label", "recipe").startswith("tpt_")
    assert "1 token ended" in run("token", *where, "--label", "recipe", "--end")
    assert isinstance(CliRunner().invoke(app, ["token", *where, "--label", "recipe", "--end"]).exception, DataError)
    portal.close()


def moved(who: Visitor) -> str:
    page = who.client.post("/move", data={"token": who.token}).text
    found = re.search(r"/enter/([^<\s]+)</code>", page)
    assert found and "<svg" in page
    return found[1]


def test_a_person_goes_on_in_another_browser(small: Portal, enter: Callable[..., Visitor]) -> None:
    who = enter("reviewer", "recorder")
    token = moved(who)
    assert [enter_by(small, token), enter_by(small, token)] == [303, 404]
    with small.database.reading() as connection:
        assert len(connection.execute(select(people.c.id)).all()) == 1
    assert who.client.get("/your-data").status_code == 200  # the first browser goes on, too


def test_a_link_to_oneself_gives_nothing_back_that_was_taken(small: Portal, enter: Callable[..., Visitor]) -> None:
    boss, who = enter("admin"), enter("reviewer")
    first, second = moved(who), moved(who)
    assert act(boss, who.id, "take-role", role="reviewer") == 303
    assert enter_by(small, first) == 303 and who.client.get("/review/none").status_code == 403
    assert act(boss, who.id, "end-sessions") == 303
    assert enter_by(small, second) == 404
