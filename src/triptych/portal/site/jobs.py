"""The four jobs: which role does each, and where its pages begin. A job's folder never imports another's."""

from __future__ import annotations

from dataclasses import dataclass

from triptych.portal.site.page import Who


@dataclass(frozen=True)
class Job:
    """A kind of queue. `path`: its pages are below PATH/QUEUE; `overview`: where administrators see all of it."""

    kind: str
    role: Who
    path: str
    overview: str


JOBS = {
    job.kind: job
    for job in (
        Job("recording", "recorder", "/record", "/recordings"),
        Job("review", "reviewer", "/review", "/reviews"),
        Job("survey", "participant", "/survey", "/survey-cells"),
        Job("annotation", "annotator", "/annotate", "/annotations"),
    )
}
