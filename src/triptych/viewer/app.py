"""The web app: addresses, forms and files. It reads Runs and writes only annotations and notes."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlencode

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from triptych.errors import MediaError, TriptychError
from triptych.records import Annotation, Item
from triptych.records.harmless import harmless
from triptych.reports.html.links import run_path
from triptych.store.annotations import add_annotation, read_annotations
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import Catalogue, benchmark_of
from triptych.viewer.commands import command
from triptych.viewer.index.files import open_index
from triptych.viewer.index.query import Questions
from triptych.viewer.pages import lists
from triptych.viewer.pages.checkpoints import checkpoints_page
from triptych.viewer.pages.item import item_page, own_word, repeat_of
from triptych.viewer.pages.live import Follower, chosen_runs, live
from triptych.viewer.pages.notes import change_notes, notes_page
from triptych.viewer.pages.origin import material, origin_page
from triptych.viewer.pages.originals import original
from triptych.viewer.pages.reports import Reports
from triptych.viewer.pages.side_by_side import MAX_RUNS as MAX_SIDES
from triptych.viewer.pages.side_by_side import side_page
from triptych.viewer.rendering import HERE, page
from triptych.web.forms import read_form
from triptych.web.guard import HEADERS as SAFE
from triptych.web.guard import POLICY, Guard, Token
from triptych.web.media import HEADERS, media_file, prepare_file
from triptych.web.waveform import waveform

if TYPE_CHECKING:
    from starlette.requests import Request

SHARED = HERE.parent / "web" / "static"
STATIC = {
    "tokens.css": (HERE.parent / "reports" / "style" / "tokens.css", "text/css"),
    "viewer.css": (HERE / "static" / "viewer.css", "text/css"),
    "viewer.js": (HERE / "static" / "viewer.js", "text/javascript"),
    "theme.js": (SHARED / "theme.js", "text/javascript"),
    "icon.png": (SHARED / "icon.png", "image/png"),
}
MAX_FORM_BYTES = 64 * 1024
PERSON = "triptych_person"  # the cookie that remembers whose annotations these are


def make_app(root: Path, data: Mapping[str, Path] | None = None, names: Iterable[str] = ()) -> Starlette:
    """Return the viewer over the Runs below `root`.

    `data`: benchmark -> its data folder, if the manifest's doesn't exist here; `names`: allowed host names in addition
    to localhost and IP addresses. Raises DataError if the folder doesn't exist.
    """
    viewer = Viewer(Catalogue(root, data))
    run = "/runs/{run}"
    app = Starlette(
        routes=[
            Route("/", viewer.home),
            Route("/compare", viewer.compare),
            Route("/live", viewer.live),
            Route("/report", viewer.report),
            Route("/side", viewer.side),
            Route("/checkpoints", viewer.checkpoints),
            Route("/notes", viewer.notes, methods=["GET"]),
            Route("/notes", viewer.note, methods=["POST"]),
            Route("/static/{name}", static),
            Route(f"{run}/", viewer.run),
            Route(f"{run}/items", viewer.items),
            Route(f"{run}/annotations.jsonl", viewer.export_annotations),
            Route(f"{run}/annotations.csv", viewer.exported_csv),
            Route(f"{run}/items/{{key}}", viewer.item),
            Route(f"{run}/items/{{key}}/annotate", viewer.annotate, methods=["POST"]),
            Route(f"{run}/items/{{key}}/origin", viewer.origin),
            Route(f"{run}/items/{{key}}/origin/{{value:path}}", viewer.material),
            Route(f"{run}/items/{{key}}/{{which}}/{{number:int}}", viewer.media),
            Route(f"{run}/items/{{key}}/{{which}}/{{number:int}}/wave", viewer.wave),
        ],
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={HTTPException: _not_found, TriptychError: _went_wrong, Exception: _answer_error},
    )
    app.state.reports = viewer.reports
    return app


class Viewer:
    """The pages. Handlers are plain functions, so each is run in a thread of its own."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue: Catalogue = catalogue
        self.token: Token = Token()
        self.follower: Follower = Follower()
        self.reports: Reports = Reports(catalogue.root, catalogue.data)

    def home(self, request: Request) -> Response:
        """All Runs."""
        values = lists.home(self.catalogue.list_runs(), request.query_params)
        return page("home.html", root=self.catalogue.root, **values)

    def run(self, request: Request) -> Response:
        """One Run."""
        slug, folder = self._run(request)
        return page("run.html", **lists.run(slug, folder, request.query_params))

    def items(self, request: Request) -> Response:
        """A Run's Items."""
        slug, folder = self._run(request)
        return page("items.html", **lists.items(slug, folder, request.query_params))

    def compare(self, request: Request) -> Response:
        """Two Runs."""
        a, b = request.query_params.get("a", ""), request.query_params.get("b", "")
        runs = {name: folder for name in (a, b) if (folder := self.catalogue.run(name))}
        if a not in runs or b not in runs:
            raise HTTPException(404, "There is no such pair of Runs here.")
        return page("compare.html", **lists.compare(a, b, runs, request.query_params))

    def live(self, request: Request) -> Response:
        """Runs while they go on."""
        values = live(self.catalogue.list_runs(), chosen_runs(request.query_params), self.follower)
        return page("live.html", paused=bool(request.query_params.get("paused")), **values)

    def report(self, request: Request) -> Response:
        """The report over Runs, or its progress while it is made."""
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise HTTPException(403, "A report is opened from a page of this server.")  # it takes this computer's time
        slugs, name = chosen_runs(request.query_params), request.query_params.get("benchmark", "")
        if not slugs and name:
            listed = self.catalogue.list_runs().runs
            slugs = [slug for slug, folder in listed.items() if folder.manifest.benchmark == name]
        runs = {slug: folder for slug in slugs if (folder := self.catalogue.run(slug))}
        if not runs or len(runs) < len(slugs):
            raise HTTPException(404, "There is no such Run here." if slugs else "No Run was chosen. Mark at least one.")
        again, address = (
            bool(request.query_params.get("again")),
            "/report?" + urlencode([("run", slug) for slug in runs]),
        )
        state = self.reports.state(list(runs.values()), str(request.base_url).rstrip("/"), again)
        if state.path:
            return report_file(state.path)
        return page(
            "report.html",
            runs=list(runs),
            lines=state.lines,
            failed=state.failed,
            again=address + "&again=1",
            once=address if again else "",  # the page goes on without trying again
            typed=command("report", *(folder.path for folder in runs.values()), "--to", "report"),
        )

    def side(self, request: Request) -> Response:
        """Several Runs side by side."""
        runs = self._chosen_runs(chosen_runs(request.query_params))
        if len(runs) > MAX_SIDES:
            raise HTTPException(400, f"{len(runs)} Runs were chosen; at most {MAX_SIDES} are shown side by side.")
        return page("side.html", **side_page(runs, request.query_params))

    def checkpoints(self, request: Request) -> Response:
        """A figure over the checkpoints of one model."""
        listed = self.catalogue.list_runs()
        notes = {slug: lists.run_note(slug, folder, []) for slug, folder in listed.runs.items()}
        runs = {slug: folder for slug, folder in listed.runs.items() if not notes[slug].hidden}
        return page("checkpoints.html", **checkpoints_page(runs, notes, request.query_params))

    def notes(self, request: Request) -> Response:
        """The form that hides, tags and notes Runs."""
        runs = self._chosen_runs(chosen_runs(request.query_params))
        person = unquote(request.cookies.get(PERSON, ""))
        return page("notes.html", token=self.token.value, by=person, **notes_page(runs))

    async def note(self, request: Request) -> Response:
        """Save what the form says of its Runs and return to the list, or to the only Run."""
        form = await read_form(request, MAX_FORM_BYTES)
        if not self.token.matches(form.get("token", "")):
            raise HTTPException(403, "The page is older than the server. Go back, reload it and save again.")
        return await run_in_threadpool(self._notes, form)

    def _notes(self, form: Mapping[str, str]) -> Response:
        runs = self._chosen_runs([value for name, value in form.items() if re.fullmatch(r"run\d{1,4}", name)])
        change_notes(runs, form)
        answer = RedirectResponse(run_path(next(iter(runs))) if len(runs) == 1 else "/", 303)
        answer.set_cookie(PERSON, quote(form.get("by", "").strip()[:80]), 31_536_000, httponly=True, samesite="strict")
        return answer

    def _chosen_runs(self, slugs: list[str]) -> dict[str, RunFolder]:
        runs = {slug: self._run_folder(slug) for slug in slugs}
        if not runs:
            raise HTTPException(400, "No Run was chosen. Go back and mark at least one.")
        return runs

    def item(self, request: Request) -> Response:
        """One Item."""
        slug, folder = self._run(request)
        try:
            values = item_page(self.catalogue, slug, folder, request.path_params["key"], request.query_params)
        except KeyError:
            raise HTTPException(404, "The Run has no such Item.") from None
        person = unquote(request.cookies.get(PERSON, ""))
        mine = own_word(values["annotations"], person)
        return page("item.html", token=self.token.value, by=person, mine=mine, **values)

    def origin(self, request: Request) -> Response:
        """How an Item was made."""
        slug, folder = self._run(request)
        item = self._item(folder, request.path_params["key"], 0)
        return page("origin.html", **origin_page(slug, item, self.catalogue.data_root(folder)))

    def material(self, request: Request) -> Response:
        """A media file that a step of an Item's build wrote."""
        _, folder = self._run(request)
        item = self._item(folder, request.path_params["key"], 0)
        try:
            path, mime = material(item, self.catalogue.data_root(folder), request.path_params["value"])
        except (TriptychError, OSError):
            raise HTTPException(404, "This file isn't shown.") from None
        return FileResponse(path, media_type=mime, headers=HEADERS)

    def media(self, request: Request) -> Response:
        """A media file of an Item, or a range of it."""
        try:
            _, path, mime = self._file(request)
        except (MediaError, OSError):
            raise HTTPException(404, "This file isn't shown.") from None
        return FileResponse(path, media_type=mime, headers=HEADERS)

    def wave(self, request: Request) -> Response:
        """The waveform of a recording."""
        try:
            part, path, _ = self._file(request)
            if part.kind != "audio":
                raise HTTPException(404, "This Part is not a recording.")
            return JSONResponse(waveform(path))
        except (MediaError, OSError) as error:
            return JSONResponse({"problem": getattr(error, "problem", "the file can't be read")}, 422)

    async def annotate(self, request: Request) -> Response:
        """Save a person's annotation of a reply and return to its page."""
        form = await read_form(request, MAX_FORM_BYTES)
        if not self.token.matches(form.get("token", "")):
            raise HTTPException(403, "The page is older than the server. Go back, reload it and save again.")
        return await run_in_threadpool(self._annotate, request, form)

    def _annotate(self, request: Request, form: Mapping[str, str]) -> Response:
        slug, folder = self._run(request)
        key, repeat = request.path_params["key"], repeat_of(form)
        item = self._item(folder, key, repeat)
        add_annotation(folder.path, _annotation(item, repeat, form))
        back = form.get("back", "") if form.get("back", "").startswith("?") else ""
        answer = RedirectResponse(f"/runs/{quote(slug, safe='')}/items/{key}{back}#yours", 303)
        answer.set_cookie(PERSON, quote(form.get("by", "").strip()[:80]), 31_536_000, httponly=True, samesite="strict")
        return answer

    def export_annotations(self, request: Request) -> Response:
        """The annotations of a Run as JSON lines, which analyses read."""
        _, folder = self._run(request)
        lines = msgspec.json.Encoder().encode_lines(read_annotations(folder.path))
        return Response(lines, media_type="application/x-ndjson", headers=_as_file("annotations.jsonl"))

    def exported_csv(self, request: Request) -> Response:
        """The annotations as CSV for a spreadsheet; cells that would be read as formulas are prefixed with an
        apostrophe."""
        _, folder = self._run(request)
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(Annotation.__struct_fields__)
        for annotation in read_annotations(folder.path):
            writer.writerow([harmless(value) for value in msgspec.structs.astuple(annotation)])
        return Response(
            "\ufeff" + out.getvalue(), media_type="text/csv; charset=utf-8", headers=_as_file("annotations.csv")
        )

    def _run(self, request: Request) -> tuple[str, RunFolder]:
        slug = request.path_params["run"]
        return slug, self._run_folder(slug)

    def _run_folder(self, slug: str) -> RunFolder:
        folder = self.catalogue.run(slug)
        if folder is None:
            raise HTTPException(404, "There is no such Run here.")
        return folder

    def _item(self, folder: RunFolder, key: str, repeat: int) -> Item:
        row = Questions(open_index(folder)).item(key, repeat)
        if row is None:
            raise HTTPException(404, "The Run has no such Item.")
        item: Item = row["record"]
        return item

    def _file(self, request: Request) -> tuple[Any, Path, str]:
        _, folder = self._run(request)
        item = self._item(folder, request.path_params["key"], 0)
        root = self.catalogue.data_root(folder)
        if request.path_params["which"] == "original":
            original_file = original(item, folder.manifest, benchmark_of(folder.manifest), root)
            item, root = (original_file.item or item, original_file.root) if original_file else (item, None)
        elif request.path_params["which"] != "media":
            raise HTTPException(404, "There is no such page.")
        return prepare_file(*media_file(item, request.path_params["number"], root), root)


def report_file(path: Path) -> Response:
    """A report, under the policy that it states itself: only its own styles and script."""
    text = path.read_text(encoding="utf-8")
    stated = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text[:20_000])
    policy = html.unescape(stated[1]) if stated else POLICY
    return HTMLResponse(text, headers={"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})


def static(request: Request) -> Response:
    """The viewer's own files, by name from a table: no path is built from an address."""
    file = STATIC.get(request.path_params["name"])
    if file is None:
        raise HTTPException(404, "There is no such file.")
    return FileResponse(file[0], media_type=file[1], headers={"Cache-Control": "no-cache"})


def _annotation(item: Item, repeat: int, form: Mapping[str, str]) -> Annotation:
    verdict = form.get("verdict", "")
    if verdict not in ("right", "wrong", "unsure", ""):
        raise HTTPException(400, "The verdict must be right, wrong, unsure or empty.")
    return Annotation(
        item=item.id,
        repeat=repeat,
        kind="_".join(form.get("kind", "").lower().split())[:60],
        verdict=verdict,  # type: ignore[arg-type]
        note=form.get("note", "").strip()[:4000],
        by=form.get("by", "").strip()[:80],
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = error.detail if isinstance(error, HTTPException) else ""
    return page("error.html", status, heading=f"{status}", message=message)


def _went_wrong(request: Request, error: Exception) -> Response:
    return page("error.html", 500, heading="Page not available", message=str(error))


def _answer_error(request: Request, error: Exception) -> Response:
    """Answer an unexpected error; the server's output has the traceback. The answer bypasses the Guard, so the headers
    are set here."""
    answer = page(
        "error.html", 500, heading="Internal error", message=f"{type(error).__name__}: this is a bug in Triptych."
    )
    answer.headers.update(SAFE)
    return answer
