"""A report to hand on holds no path, endpoint or viewer of the machine that made it."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from msgspec import structs

from tests.reports.conftest import Reported
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.records import Endpoint
from triptych.reports.html.public import public
from triptych.reports.report import write_report
from triptych.store.folder import RunFolder

OUTSIDE = re.compile(r"https?://(?!www\.w3\.org/)[^\s\"'<]+")


def test_nothing_of_this_machine_is_in_it(reported: Reported, tmp_path: Path) -> None:
    (path,) = write_report(reported.folders, to=tmp_path, formats=["html"], public=True, title="To hand on")
    text = path.read_text(encoding="utf-8")
    assert "<h1>To hand on</h1>" in text and "Triptych report: To hand on" in text
    assert OUTSIDE.findall(text) == [] and "127.0.0.1" not in text
    for folder in reported.folders:
        assert str(folder.path) not in text and str(folder.path.parent.parent) not in text
    assert "triptych run cmdar --model baseline/random" in text and "--out baseline-random" in text


def test_endpoints_data_and_paths_in_messages_are_hidden(make_run: MakeRun) -> None:
    folder = make_run([item("1")], [response("1")])
    asked = (Endpoint("https://models.lab.example:8443/v1", "salt", "hash"),)
    told = structs.replace(folder.manifest, endpoints=asked, data="/srv/corpora/odes")
    page = (
        "<p>asked at https://models.lab.example:8443/v1 and models.lab.example:8443</p><p>/home/ann/x.py failed</p>"
        "<code>--judge-base-url http://10.0.0.7:80/v1 --data /srv/corpora/odes</code>"
        '<img src="data:image/png;base64,AA/tmp/BB">'
        "<p>see http://localhost:9/x and/or https://arxiv.org/abs/1</p>"
    )
    assert public(page, [RunFolder(folder.path, told)]) == (
        "<p>asked at ENDPOINT and ENDPOINT</p><p>PATH failed</p>"
        '<code>--judge-base-url URL --data DATA</code><img src="data:image/png;base64,AA/tmp/BB">'
        "<p>see URL and/or https://arxiv.org/abs/1</p>"
    )


def test_every_file_can_be_handed_on(make_run: MakeRun, tmp_path: Path) -> None:
    """Labels, notes, captions and settings of all formats: endpoints, folders of Runs, and the spelling of LaTeX."""
    folder = make_run([item("1"), item("2")], [response("1"), response("2")])
    asked = (Endpoint("https://models_a.lab.example:8443/v1", "salt", "hash"),)
    told = structs.replace(
        folder.manifest, endpoints=asked, name="at https://models_a.lab.example:8443/v1 in /home/a_b/c"
    )
    private = RunFolder(folder.path, told)
    formats = ["csv", "md", "latex"]
    if find_spec("matplotlib"):
        formats += ["svg"]
    for public_, there in ((False, True), (True, False)):
        files = write_report([private], to=tmp_path / str(public_), formats=formats, public=public_)
        texts = {path.name: path.read_text(encoding="utf-8") for path in files}
        leaks = [name for name, text in texts.items() if re.search(r"lab\.example|/home/|a\\?_b", text)]
        assert bool(leaks) is there, leaks
        assert str(folder.path) not in "".join(texts.values())
    assert "ENDPOINT" in texts["scores.csv"]


def test_the_path_of_replayed_results_is_hidden(make_run: MakeRun) -> None:
    folder = make_run([item("1")], [response("1")])
    settings = {"path": "rel/benchmark/results/gemini"}
    told = structs.replace(folder.manifest, model="replay/gemini", model_settings=settings)
    assert public("<p>path rel/benchmark/results/gemini</p>", [RunFolder(folder.path, told)]) == "<p>path gemini</p>"
