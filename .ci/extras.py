"""Each extra alone: the wheel, built and installed with one extra into an environment that has nothing else, must do
what the extra is for. `make extras` runs all; `python .ci/extras.py report zh` some; `make extras ARGS=--oldest` tries
the oldest versions that pyproject.toml allows (this needs uv).

An environment is a copy (hard links) of one that has the bare wheel, so that the base is installed once. Versions are
those of the lock files, or with --oldest the lowest of what we name ourselves; but torch is always the locked one,
since older ones are on PyPI only with the libraries of a graphics card (3 GB). What the network would be asked for is
answered by stand-ins on loopback.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.mock_hub import Hub  # noqa: E402
from tests.support.wire import Wire, fixture  # noqa: E402

TORCH = "torch==2.13.0"
LOCKS = ("requirements-dev.lock", "requirements-embed.lock", "requirements-models.lock")
SETTINGS = ("PATH", "HOME", "LANG", "TMPDIR", "PIP_", "SSL_", "REQUESTS_", "CURL_", "TRIPTYCH_CACHE")


class Broken(Exception):
    """An extra doesn't do what it is for."""


# Two works, one of them twice; and a build of them that needs no model and no people
WORKS = """id,title,author,author_died,genre,dynasty,text
a,静夜思,李白,762,诗,唐,床前明月光，疑是地上霜。举头望明月，低头思故乡。
b,静夜思,李白,762,诗,唐,床前明月光，疑是地上霜。举头望明月，低头思故乡。
c,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。
"""
TEXTS_ALONE = """works = "works.csv"
year = 2026
tasks = ["asr"]
record = false
review = false
"""
SIGNALS = """import numpy as np
from triptych.media.sound.fbank import log_mel
from triptych.media.sound.loudness import loudness
from triptych.metrics.vectors.clusters import clusters
tone = np.sin(2 * np.pi * 997 * np.arange(48_000) / 48_000)
assert abs(loudness(tone, 48_000) + 3.01) < 0.01
assert log_mel(tone).shape == (298, 80)
assert clusters([[1, 0], [0, 1], [1, 0.1]], 0.1, ["a", "a", "b"]) == [0, 1, 0]
"""


@dataclass(frozen=True)
class Place:
    """An environment with the wheel and some extras, a folder to work in, and the versions that pip may install."""

    environment: Path
    work: Path
    versions: Path

    def python(self, *arguments: str, fails: bool = False, **variables: str) -> str:
        """Run Python; what it printed. Raises Broken where it ends in a traceback, or not as it should."""
        command = [str(self.environment / "bin" / "python"), "-I", *arguments]
        done = subprocess.run(
            command, cwd=self.work, env=clean_environment(**variables), capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        if bool(done.returncode) != fails or "Traceback" in said:
            raise Broken(f"{' '.join(arguments)}: exit status {done.returncode}\n{said}")
        return said

    def triptych(self, *arguments: str, fails: bool = False, says: str = "", **variables: str) -> str:
        """Run a command of Triptych; `says` must stand in what it printed."""
        said = self.python("-m", "triptych", *arguments, fails=fails, **variables)
        if says not in " ".join(said.split()):
            raise Broken(f"triptych {' '.join(arguments)}: {says!r} is not in\n{said}")
        return said

    def install(self, *what: str) -> None:
        """Install at the versions of the lock files or at the oldest ones: with uv where there is one, which takes a
        tenth of pip's time; with plain pip otherwise. (`make wheel` tries pip, as a user has it.)"""
        limited = ("--quiet", "--constraint", str(self.versions), *what)
        if uv := shutil.which("uv"):
            command = [uv, "pip", "install", "--python", str(self.environment / "bin" / "python"), *limited]
            environment = {**uv_settings(), **os.environ}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Broken(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
            return
        # Few of the modules are ever imported here: compiling all of them would take half of the time.
        self.python("-m", "pip", "install", "--no-compile", *limited)

    def run(self, *more: str, **variables: str) -> str:
        """A small Run of CMDAR's mini set; its folder is `run`."""
        return self.triptych("run", "cmdar/main", "--limit", "2", "--out", "run", *more, **variables)


def clean_environment(**variables: str) -> dict[str, str]:
    """What a program needs to know of this machine, and nothing of this shell."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
    return {**kept, "COLUMNS": "120", "NO_COLOR": "1", **variables}


def base(place: Place) -> None:
    """list, check, run and score work; for the rest, the extra that brings it is named."""
    for what in ("benchmarks", "tasks", "models", "metrics", "protocols", "conditions", "presets"):
        place.triptych("list", what)
    place.triptych("check", "cmdar")
    place.run("--model", "baseline/random")
    place.triptych("score", "run", says="accuracy")
    place.triptych("audit", "tables", "cmdar", fails=True, says="severe")
    doctor = place.triptych("doctor")
    for extra in ("local", "fetch", "hosted", "portal", "report", "embed", "zh", "interchange", "build"):
        if f"triptych[{extra}]" not in doctor:
            raise Broken(f"doctor doesn't name the extra {extra}\n{doctor}")
    place.triptych("report", "run", "--to", "page", says="pip install 'triptych[report]'")  # and the tables are written
    for extra, *command in (
        ("portal", "view", "run"),
        ("fetch", "fetch", "cmdar"),
        ("hosted", "run", "cmdar/main", "--model", "gemini/m"),
        ("hosted", "run", "cmdar/main", "--model", "anthropic/m"),
        ("local", "run", "cmdar/main", "--limit", "1", "--model", "local/cascade", "-M", "fetch=true"),
        ("ray", "run", "cmdar/main", "--limit", "1", "--model", "baseline/first", "--engine", "ray"),
        ("interchange", "import", str(ROOT / "tests/interchange/logs/choice.eval")),
    ):
        place.triptych(*command, fails=True, says=f"pip install 'triptych[{extra}]'")


def zh(place: Place) -> None:
    """Chinese words, and the released scorer's converter of characters."""
    said = place.triptych("run", "mcs_bench/T28", "--model", "baseline/reference", "--out", "run")
    if "unavailable" in said:
        raise Broken(f"a metric of MCS-Bench is unavailable\n{said}")


def hosted(place: Place) -> None:
    """Gemini's and Anthropic's SDKs get as far as a stand-in's answer."""
    for adapter, key in (("gemini", "GEMINI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")):
        with Wire(lambda seen, name=adapter: fixture(f"{name}/answer")) as wire:  # type: ignore[misc]
            url = ("--model-base-url", wire.url)
            where = ("cmdar/main", "--limit", "2", "--condition", "blind", "--out", adapter)
            place.triptych("run", *where, "--model", f"{adapter}/m", *url, says="2 answered", **{key: "a key"})


def report(place: Place) -> None:
    """An HTML report with figures."""
    place.run("--model", "baseline/random")
    place.triptych("report", "run", "--to", "page")
    (page,) = (place.work / "page").glob("*.html")
    if "<svg" not in page.read_text(encoding="utf-8"):
        raise Broken("the report has no figure")


# The wheel holds every template, script and text of the checkout: all jobs, and each template that a page names.
SHIPPED = f"""
from pathlib import Path
import triptych.portal
from triptych.portal.app import make_app
from triptych.portal.project import open_portal
from triptych.portal.site.languages import words
from triptych.portal.site.rendering import environment
from triptych.portal.site.static import files
here = Path(triptych.portal.__file__).parent
checkout = Path({str(ROOT)!r}) / "src/triptych/portal"
assert here != checkout
wanted = [p.relative_to(checkout) for p in checkout.rglob("*") if p.is_file() and p.suffix != ".pyc"]
missing = [str(p) for p in wanted if not (here / p).is_file()]
assert wanted and not missing, missing
for path in (here / "templates").rglob("*.html"):
    environment().get_template(path.relative_to(here / "templates").as_posix())
assert words() and files()
portal = open_portal(Path("shipped"), create=True)
make_app(portal)
"""


def portal(place: Place) -> None:
    """The viewer serves a Run's items; the portal makes its tables and serves its pages and scripts."""
    place.run("--model", "baseline/random")
    with served(place, "view", "run") as address:
        says(address, "cmdar")
    with served(place, "portal", "serve", "--project", "project") as address:
        says(address, "invitation link")
        says(f"{address}static/worklet.js", "registerprocessor")
        says(f"{address}static/portal.css", "var(--paper)")
    place.python("-c", SHIPPED)
    jobs(place)
    place.triptych("portal", "backup", "--project", "project", "--to", "all.zip", says="media files")


# Address of a job's page in the demo's project: words on it.
JOBS = {
    "record/poems": "<ruby>",
    "review/scenes-review": 'id="desk"',
    "annotate/talks-questions": "what is the name of",
    "annotate/talks-transcripts": "um, we wrote",
    "annotate/talks-translations": "many labels",
    "survey/people-and-models": 'id="stage"',
    "recordings/poems?state=accepted": "<audio",
    "reviews/scenes-review": "cohen",
    "annotations/talks-questions": "anna keller",
    "survey-cells/people-and-models": "cmdar",
    "people": "made-up person",
    "hours.csv": "poems",
}


def jobs(place: Place) -> None:
    """Somebody with all roles opens the page of every job of the demo, and begins its survey."""
    made = place.triptych("portal", "demo", "--to", "demo", "--no-serve", says="all roles")
    link = re.findall(r"all roles: +http://[^/]+/(\S+)", made)[0]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.addheaders = [("Accept", "text/html"), ("Accept-Language", "en")]
    with served(place, "portal", "serve", "--project", "demo") as address:

        def opened(path: str, **form: str) -> str:
            with browser.open(address + path, urlencode(form).encode() if form else None) as answer:
                return str(answer.read().decode())

        opened(link, token="")
        token = re.findall(r'name="token" value="(\w+)"', opened("survey/people-and-models"))[0]
        opened("survey/people-and-models", token=token)
        for path, words in JOBS.items():
            if words not in (page := opened(path).lower()):
                raise Broken(f"{path}: {words!r} is not in\n{page[:2000]}")


@contextmanager
def served(place: Place, *command: str) -> Iterator[str]:
    """The address of a server of the environment's own."""
    python = str(place.environment / "bin" / "python")
    whole = [python, "-I", "-m", "triptych", *command, "--port", "0"]
    server = subprocess.Popen(whole, cwd=place.work, env=clean_environment(), stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found is None:
            raise Broken(f"no address: {line}{server.stderr.read()}")
        yield found[0]
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate()


def says(address: str, words: str) -> None:
    """A page contains these words, in any case."""
    with urllib.request.urlopen(address) as answer:
        page = answer.read().decode()
    if words not in page.lower():
        raise Broken(f"{address}: {words!r} is not in\n{page[:2000]}")


def fetch(place: Place) -> None:
    """A benchmark's released files come from a stand-in of the Hub."""
    hub = Hub("LLLLuckyer/CMDAR", {"README.md": b"CMDAR", "CMDAR_main.json": b"[]"})
    with Wire(hub) as wire:
        place.triptych("fetch", "cmdar", "--to", "data", "--revision", "main", HF_ENDPOINT=wire.url)
    if not (place.work / "data" / "CMDAR_main.json").is_file():
        raise Broken("nothing was fetched")


def interchange(place: Place) -> None:
    """A packed log of Inspect becomes a Run."""
    place.triptych("import", str(ROOT / "tests/interchange/logs/choice.eval"), "--out", "run")


def building(place: Place) -> None:
    """A build finds near-duplicates and writes pinyin; loudness, voices' energies and their clusters are computed."""
    (place.work / "works.csv").write_text(WORKS, encoding="utf-8")
    (place.work / "own.toml").write_text(TEXTS_ALONE, encoding="utf-8")
    # It ends with exit code 1: texts without recordings are no benchmark yet, as its check says.
    place.triptych("build", "mcga", "--config", "own.toml", "--to", "built", fails=True, says="2 records written")
    why = place.triptych("build", "why", "built", "a/000/asr")
    if '"chuáng", "qián"' not in why:
        raise Broken(f"no pinyin\n{why}")
    place.python("-c", SIGNALS)


def local(place: Place) -> None:
    """The cascade hears, reads and answers; its weights are fetched where they aren't in the cache."""
    asked = ("xmodbench", "--limit", "1", "--filter", "subtask=recognition", "--model", "local/cascade")
    place.triptych("run", *asked, "-M", "fetch=true", "--out", "run")


def embed(place: Place) -> None:
    """torch and transformers are there; the encoder itself is what is missing."""
    said = place.triptych("doctor")
    if "triptych[embed]" in said:
        raise Broken(f"something of the extra is missing\n{said}")
    code = "from triptych.models.encoders.encoder import lacking_packages as l; assert not l(), l()"
    place.python("-c", code)


def hf(place: Place) -> None:
    """A model of transformers gets as far as the weights, which are not there."""
    fix = "hf download nobody/nothing"
    place.triptych("run", "cmdar/main", "--model", "hf/nobody/nothing", fails=True, says=fix, HF_HUB_OFFLINE="1")


def train(place: Place) -> None:
    """What fine-tuning needs is there; without the weights it says where they are to be had."""
    data = str(ROOT / "src/triptych/benchmarks/mcga/mini")
    where = ("mcga/asr", "--data", data, "--split", "test", "--test", data, "--drop-leaks", "--to", "tuned")
    place.triptych("train", "lora", *where, "--model", "hf/nobody/nothing", fails=True, HF_HUB_OFFLINE="1")
    place.triptych("train", "lora", *where, "--model", "hf/m", "--emit", "ms-swift", says="--lora_rank 8")
    place.python("-c", "import accelerate, peft, torch, transformers")


def ray(place: Place) -> None:
    """A worker on a cluster of this computer answers; models at endpoints are refused, with the reason."""
    asked = ("xmodbench", "--limit", "1", "--engine", "ray", "--workers", "1")
    place.triptych("run", *asked, "--model", "baseline/first", "--out", "run", says="answered")
    url = ("--model-base-url", "http://127.0.0.1:9/v1")
    place.triptych("run", *asked, "--model", "openai/m", *url, fails=True, says="asked at an endpoint")


def demo(place: Place) -> None:
    """The README's demo, in an empty folder: the wheel has all that it needs. Runs of the same demo in
    TRIPTYCH_DEMO_RUNS are taken over: the demo goes on with them, reads and scores them, and makes its report."""
    if done := os.environ.get("TRIPTYCH_DEMO_RUNS"):
        shutil.copytree(done, place.work / "demo", ignore=shutil.ignore_patterns("*.html"))
    place.triptych("demo", "--to", "demo")
    pages = list((place.work / "demo").rglob("*.html"))
    if not pages:
        raise Broken("the demo wrote no report")


def everything(place: Place) -> None:
    """All of it together: nothing is missing, and nothing is in another's way."""
    place.python("-m", "pip", "check")
    said = place.triptych("doctor")
    if "pip install 'triptych[" in said:
        raise Broken(f"an extra is missing\n{said}")
    for check in (zh, hosted, report, portal, fetch, interchange):
        work = place.work / check.__name__
        work.mkdir()
        check(replace(place, work=work))


# extra: (what it must do, the environment that it is laid on); what takes longest comes first
EXTRAS: dict[str, tuple[Callable[[Place], None], str]] = {
    "embed": (embed, "base"),
    "local": (local, "base"),
    "local,report": (demo, "base"),
    "portal": (portal, "base"),
    "all": (everything, "embed"),
    "ray": (ray, "base"),
    "build": (building, "base"),
    "hosted": (hosted, "base"),
    "train": (train, "embed"),
    "hf": (hf, "embed"),
    "report": (report, "base"),
    "fetch": (fetch, "base"),
    "zh": (zh, "base"),
    "interchange": (interchange, "base"),
}

# Not tried with the oldest versions unless named: the demo, whose extras are tried one by one.
NOT_OLDEST = {"local,report"}


def main(asked: list[str]) -> int:
    """Try the base and the extras that are asked for (all, where none is named), two at a time; 1 where one is
    broken."""
    oldest = "--oldest" in asked
    names = {name for name in asked if name != "--oldest"}
    if unknown := names - {"base", *EXTRAS}:
        sys.exit(f"no such extra: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="triptych-extras-") as folder:
        top = Path(folder)
        wheel = build(top)
        place = Place(top / "base", prepare(top, "base"), write_versions(top, "base", oldest))
        subprocess.run([sys.executable, "-m", "venv", str(place.environment)], check=True)
        broken = attempt("base", base, place, lambda: place.install(str(wheel)))
        chosen = [extra for extra in EXTRAS if extra in names or not (names or (oldest and extra in NOT_OLDEST))]
        tried: dict[str, Future[int]] = {}
        with ThreadPoolExecutor(2) as two:  # an installation keeps one core busy
            for extra in chosen:
                under = tried.get(EXTRAS[extra][1])
                tried[extra] = two.submit(one_extra, top, wheel, extra, under, oldest)
        return max(broken, *(found.result() for found in tried.values()), 0)


def one_extra(top: Path, wheel: Path, extra: str, under: Future[int] | None, oldest: bool) -> int:
    """Lay one extra on a copy of an environment, `under`'s if there is one, else the base's; and try it."""
    check, name = EXTRAS[extra]
    if under is not None:
        under.result()
    place = Place(top / extra, prepare(top, extra), write_versions(top, extra, oldest))
    shutil.copytree(top / (name if under else "base"), place.environment, symlinks=True, copy_function=os.link)
    broken = attempt(extra, check, place, lambda: place.install(f"{wheel}[{extra}]"))
    if extra != "embed":  # others are laid on it
        shutil.rmtree(place.environment)
    return broken


def attempt(extra: str, check: Callable[[Place], None], place: Place, install: Callable[[], None]) -> int:
    """Install and try; 1 where that fails, which is printed, with the times of both."""
    began = time.monotonic()
    try:
        install()
        ready = time.monotonic()
        check(place)
    except Broken as error:
        print(f"{extra}: BROKEN: {error}", flush=True)
        return 1
    ended = time.monotonic()
    print(f"{extra}: works (installed in {ready - began:.0f} s, tried in {ended - ready:.0f} s)", flush=True)
    return 0


def prepare(top: Path, name: str) -> Path:
    """An empty folder to work in."""
    work = top / f"{name}-work"
    work.mkdir()
    return work


def build(top: Path) -> Path:
    """The wheel of this checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(top)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(top.glob("*.whl"))


def write_versions(top: Path, extra: str, oldest: bool) -> Path:
    """Write the versions that pip may install with an extra; return the file."""
    to = top / f"{extra}.txt"
    to.write_text(oldest_versions(extra) if oldest else locked_versions(), encoding="utf-8")
    return to


def locked_versions() -> str:
    """The pins of the lock files without their hashes: with a hash, pip would want one of our own wheel too."""
    lines: dict[str, None] = {}
    for lock in LOCKS:
        for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith((" ", "#")):
                lines[line.removesuffix("\\").strip()] = None
    return "\n".join([*lines, TORCH]) + "\n"


def oldest_versions(extra: str) -> str:
    """The lowest version of every package that pyproject.toml names for the base and this extra; of what those need,
    the newest that goes with it."""
    uv = shutil.which("uv") or sys.exit("--oldest needs uv: pip can't choose the lowest versions")
    version = "{}.{}".format(*sys.version_info)
    command = [uv, "pip", "compile", "--quiet", "pyproject.toml", "--resolution", "lowest-direct", "--no-header"]
    command += ["--no-annotate", "--python-version", version, *(["--extra", extra] if extra != "base" else [])]
    environment = {**uv_settings(), **os.environ}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as pins:
        pins.write(f"{TORCH}\n")
        pins.flush()
        environment["UV_CONSTRAINT"] = f"{environment.get('UV_CONSTRAINT', '')} {pins.name}".strip()
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout


# pip's settings that say where packages come from, and uv's names for them
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
}


@cache
def uv_settings() -> dict[str, str]:
    """The variables by which uv looks where pip does: uv reads neither pip's files nor its variables."""
    listed = [sys.executable, "-m", "pip", "config", "list"]
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip: the best version of all indexes
    for line in subprocess.run(listed, capture_output=True, text=True, check=False).stdout.splitlines():
        name, _, value = line.partition("=")
        known = UV_NAMES.get(name.rpartition(".")[2])
        if known:
            several = value.strip("'\"").replace("\\n", " ").split()
            found[known] = ("," if known == "UV_FIND_LINKS" else " ").join(several)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
