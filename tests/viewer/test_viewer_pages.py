"""The pages: every number leads to what it was computed from, and nothing that a stranger wrote is ever markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from tests.viewer.runs import BENCHMARKS, EVIL, HOSTILE_ID, KNOWING, RANDOM
from triptych.benchmarks import load_benchmark
from triptych.prompts.build import build_request
from triptych.records import Response, RunManifest
from triptych.reports.html.links import item_key, item_path, items_path, run_path
from triptych.store.folder import RunFolder
from triptych.viewer.app import make_app


class Markup(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def every_page() -> Iterator[str]:
    yield "/"
    for run in (RANDOM, "mcif", "repeats", "hostile", *BENCHMARKS):
        yield run_path(run)
        yield items_path(run)
    yield item_path("hostile", HOSTILE_ID)
    yield item_path("hostile", "plain")
    yield f"/compare?a={RANDOM}&b={KNOWING}"
    yield f"/compare?a={RANDOM}&b=hostile"
    yield f"/?q={EVIL}&benchmark={EVIL}"
    yield f"{items_path('hostile')}?q={EVIL}&task={EVIL}&outcome={EVIL}&status={EVIL}&f.x={EVIL}&page={EVIL}"


@pytest.mark.parametrize("path", list(every_page()))
def test_nothing_a_stranger_wrote_is_markup(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    for tag, attributes in Markup(answer.text).tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], (tag, attributes)
        if tag == "script":
            assert str(attributes["src"]).startswith("/static/")
        for name in ("href", "src", "action"):
            value = attributes.get(name)
            assert value is None or re.match(r"[/?#]|$", value), (tag, value)
            assert value is None or not value.startswith("//")
        assert not (tag == "img" and attributes.get("src") == "x")


@pytest.mark.parametrize("path", ["/nothing", "/runs/none/", f"{run_path(RANDOM)}items/{'0' * 16}", "/compare?a=x&b=y"])
def test_what_is_not_there_is_said(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "All Runs" in answer.text


@pytest.mark.parametrize(
    "query",
    ["page=0", "page=-1", "page=99999999", "page=x", "repeat=x", "sort=x", "protocol=x", "metric=x", "f.=x", "q=%00"],
)
def test_odd_queries_are_no_errors(client: TestClient, query: str) -> None:
    assert client.get(f"{items_path(RANDOM)}?{query}").status_code == 200


def test_a_samples_table_is_its_runs_alone(client: TestClient) -> None:
    page = client.get(run_path(RANDOM)).text
    assert "Table 2" in page and "XModBench-Lite" not in page


def test_the_list_of_runs_can_be_narrowed(client: TestClient) -> None:
    assert "8 Runs in " in client.get("/").text
    page = client.get("/?q=reference+mcif").text
    assert "1 shown" in page
    assert run_path("mcif") in page
    assert run_path(RANDOM) not in page


def test_all_six_directions_stand_side_by_side(client: TestClient, root: Path) -> None:
    item = next(iter(RunFolder.open(root / "xmodbench" / "random").items()))
    page = client.get(item_path(RANDOM, item.id)).text
    names = ("audio text", "audio vision", "text audio", "text vision", "vision audio", "vision text")
    assert all(f"<bdi>{name}</bdi>" in page for name in names)
    assert re.search(r"\d of 7 right under official", page)


def test_an_items_page_tells_all(client: TestClient) -> None:
    page = unescape(client.get(item_path("hostile", HOSTILE_ID)).text)
    assert page.count(EVIL) > 10
    for words in (
        "isn't installed here",
        "openai/judge",
        "REASONING",
        "Thinking",
        "a symbolic link leads out",
        "absolute",
    ):
        assert words in page


def _revision(manifest: RunManifest) -> str:
    """With the settings of the model, as the run loop hashes it."""
    settings = dict(sorted(manifest.model_settings.items()))
    return f"{manifest.revision} {msgspec.json.encode(settings).decode()}" if settings else manifest.revision


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("openai/mock", "exactly as it was sent"),
        ("baseline/random", "(its hash matches the journal), but a baseline"),
        ("replay/mock", "(its hash matches the journal), but the replies were imported from a file"),
    ],
)
def test_the_request_is_vouched_for(root: Path, tmp_path: Path, model: str, words: str) -> None:
    """A reply whose key is that of the Request, by a model that was sent it or by one that wasn't."""
    source = RunFolder.open(root / "xmodbench" / "random")
    item, manifest = next(iter(source.items())), msgspec.structs.replace(source.manifest, model=model)
    prompt = load_benchmark("xmodbench").spec.prompts[manifest.prompt]
    request = build_request(item, prompt, settings=manifest.decoding)
    with RunFolder.create(tmp_path / "run", manifest).writer() as writer:
        writer.add_item(item)
        writer.add_response(Response(item.id, "", 0, "answered", "A", key=request.key(model, _revision(manifest), {})))
    page = TestClient(make_app(tmp_path), base_url="http://127.0.0.1").get(item_path("run", item.id)).text
    assert words in unescape(page)


def test_an_item_beside_another_runs_reply(client: TestClient, root: Path) -> None:
    item = next(iter(RunFolder.open(root / "xmodbench" / "random").items()))
    page = client.get(f"{item_path(RANDOM, item.id)}?vs={KNOWING}&kind=b").text
    assert "A: <bdi>baseline/random" in page
    assert f'B: <a href="{item_path(KNOWING, item.id)}"><bdi>baseline/reference' in page
    assert client.get(f"{item_path(RANDOM, item.id)}?vs=nothing").status_code == 200


def test_addresses_hold_whatever_an_id_is() -> None:
    assert item_key("a") == "ca978112ca1bbdca"  # SHA-256 of "a" begins so
    assert len({item_key(words) for words in ("a/b", "a%2Fb", "a\\b", "题", "\ud800")}) == 5
    assert item_path("x~y", "a", 2) == "/runs/x~y/items/ca978112ca1bbdca?repeat=2"
    assert items_path("x", task="t/u", slice_={"a b": "c&d"}) == "/runs/x/items?task=t%2Fu&f.a+b=c%26d"
