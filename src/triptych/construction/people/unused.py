"""Results of people that a build doesn't use, since they are about something else than it asks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.stage import TASKS, Task
from triptych.store.journals.journal import Journal

OLDER = "about another version of the record"
NOT_ASKED = "the stage doesn't ask about this record"
NO_STAGE = "no stage of the build has this name"


class Unused(msgspec.Struct, frozen=True):
    """A result that isn't used. `stage`: the name of its file in `results/`; `why`: OLDER, NOT_ASKED or NO_STAGE."""

    stage: str
    id: str
    person: str
    why: str


def unused_results(folder: BuildFolder) -> Iterator[Unused]:
    """Yield the results in `results/` that no task of the build has asked for, by stage.

    A record that was decided again, because its text changed, is asked again: what people said about the older text
    stays in the file. Stages in which people have the role of a model are left out.
    """
    stages = folder.stages()
    for path in sorted((folder.path / "results").glob("*.jsonl")):
        name = path.stem
        if name.endswith(".votes"):
            continue
        tasks = folder.stage(name) / TASKS if name in stages else None
        if tasks is not None and not tasks.is_file():
            continue
        open_keys = {(task.id, task.shown) for task in Journal(tasks, Task)} if tasks is not None else set()
        ids = {id for id, _ in open_keys}
        for result in Journal(path, Result):
            if (result.id, result.shown) not in open_keys:
                why = NO_STAGE if tasks is None else OLDER if result.id in ids else NOT_ASKED
                yield Unused(name, result.id, result.person, why)
