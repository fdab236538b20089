"""Annotation in the demo: questions about a talk, a transcript, and a translation; one talk is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from triptych.benchmarks.mcif.samples import Reference, read_references
from triptych.construction.people.stage import Task
from triptych.construction.recipes._mcif_asking import FORM
from triptych.construction.recipes.mcif import TRANSCRIBE
from triptych.errors import DataError
from triptych.media.opening import opened_sound
from triptych.portal.annotation.rules import check
from triptych.portal.demo.content import content, mini, put_medium
from triptych.portal.exchange.ends import Batch
from triptych.portal.exchange.local import Local
from triptych.portal.project import Portal
from triptych.portal.work.claims import claim
from triptych.portal.work.queues import queue_of
from triptych.portal.work.submitting import Sent, submit

QUESTIONS, TRANSCRIPTS, TRANSLATIONS = "talks-questions", "talks-transcripts", "talks-translations"
FOLDERS = {"audio": "LONG_AUDIOS", "video": "LONG_VIDEOS"}


def fill(portal: Portal, annotator: str) -> None:
    """Make the queues, and do what the annotator has done already."""
    talks = _references("en", "ASR")
    texts = content()["annotation"]
    rules = {"distribution": texts["distribution"], "general_questions": texts["general"]}
    summaries = {each.iid[4:]: each.text for each in _references("en", "SUM").values()}
    questions, listened = [], []
    asks = TRANSCRIBE.tasks
    assert asks
    for iid, talk in sorted(talks.items()):
        name, shown = f"t{iid[4:]}", _media(portal, talk)
        about = {
            "title": f"Talk {iid[4:]}",
            "summaries": {"en": summaries[iid[4:]]},
            "seconds": _seconds(talk),
            **shown,
        }
        questions.append(
            Task(
                name,
                "demo",
                "write-questions",
                FORM,
                about,
                texts["guide"],
                rules=rules,
                guides={"zh": texts["guide_zh"]},
            )
        )
        lines = talk.text.replace(". ", ".\n").split("\n")
        times = [round(number * _seconds(talk) / len(lines), 1) for number in range(len(lines))]
        draft = {"draft": "\n".join(_misheard(lines)), "audio": shown["audio"], "media": shown["media"]}
        helps = {"draft_times": times, "video": shown["video"]}
        listened.append(
            Task(
                f"{name}/talk",
                "demo",
                "transcribe",
                {"transcript": "text"},
                draft,
                asks.guide,
                helps=helps,
                guides=dict(asks.guides),
            )
        )
    _put_tasks(portal, QUESTIONS, questions)
    _put_tasks(portal, TRANSCRIPTS, listened[1:2])
    _put_tasks(portal, TRANSLATIONS, [_translation(each) for each in list(_references("zh", "TRANS").values())[2:]])
    _submit_answers(portal, QUESTIONS, annotator, {"questions": texts["questions"]})


def _references(language: str, kind: str) -> dict[str, Reference]:
    (block,) = read_references(mini("mcif") / f"MCIF1.0.IF.long.{language}.ref.xml")
    return {each.iid: each for each in sorted(block.samples, key=lambda each: each.iid) if each.kind == kind}


def _media(portal: Portal, talk: Reference) -> dict[str, Any]:
    paths = {kind: mini("mcif") / folder / talk.files[kind] for kind, folder in FOLDERS.items()}  # type: ignore[index]
    hashes = {kind: put_medium(portal, path) for kind, path in paths.items()}
    return {**{kind: f"media/{sha[:2]}/{sha}{paths[kind].suffix}" for kind, sha in hashes.items()}, "media": hashes}


def _seconds(talk: Reference) -> float:
    path = mini("mcif") / FOLDERS["audio"] / talk.files["audio"]
    with opened_sound(path, path.name) as sound:
        return round(float(sound.frames) / float(sound.samplerate), 2)


def _misheard(lines: list[str]) -> list[str]:
    """A draft with what drafts have: fillers, and a British spelling."""
    return [
        f"Um, {line[0].lower()}{line[1:]}" if at == 2 else line.replace("color", "colour")
        for at, line in enumerate(lines)
    ]


def _translation(talk: Reference) -> Task:
    """A translation whose draft leaves one line in English and lacks another."""
    source, draft = talk.transcript.split("\n"), talk.text.split("\n")
    draft[2], draft[4] = source[2], ""
    language = {"language": "zh", "language_name": "Mandarin Chinese (simplified)"}
    shows = {"element": "talk", **language, "source": source, "draft": draft}
    guide = "Translate, or correct the draft: one line for each line of the source."
    guides = {"zh": "请翻译或修正草稿：原文每行对应译文一行。"}
    return Task(f"t{talk.iid[6:]}/talk/zh", "demo", "post-edit", {"text": "text"}, shows, guide, guides=guides)


def _put_tasks(portal: Portal, queue: str, tasks: list[Task]) -> None:
    Local(portal).put_tasks(queue, Batch("annotation", {}, tasks))


def _submit_answers(portal: Portal, name: str, person: str, answers: Mapping[str, Any]) -> None:
    """Submit answers to the first task of a queue, as the page does."""
    with portal.database.reading() as connection:
        queue = queue_of(connection, name)
    claimed = claim(portal.database, queue, person, "1") if queue else None
    if claimed is None or not check(msgspec.to_builtins(claimed.body), answers).passes:
        raise DataError("the demo's annotation doesn't follow its own rules", where=name)
    submit(portal.database, Sent(f"demo-{name}-0001", claimed.id, "1", person, answers, 1260), checked=False)
