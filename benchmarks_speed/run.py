"""Speed and reliability in one command, one table in one run.

    python -m benchmarks_speed.run [--peers] [--only SECTION,…] [--repeats 5] [--json F]

Sections: text, audio, loop, shared, start, versions, loading, kills, faults, strange, viewer, metrics, comparing,
scale, growth, films, replies, six, portal. Only where `--only` names them: ray, ray-kill and ray-tasks, which need
Ray; units, which writes 17 GB.

The client has one core to itself, the mock endpoint (tests/support/mock_openai.py) the other. With `--peers`
the peers are measured beside, each installed on demand in an environment of its own under the user's cache.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.experiments import kill_and_resume, soak

from benchmarks_speed import asking, kept, loop, measure, on_ray, resumed, shared, table, viewer, work
from benchmarks_speed.clients import BARE, CACHE, HERE, OURS, PEERS, Client

Rows = list[dict[str, Any]]


def main() -> None:
    """Measure what was asked for, print the tables, and write the figures where wanted."""
    options = read_options()
    if (core := measure.server_core()) is not None:
        os.sched_setaffinity(0, {core})
    warn_if_busy()
    clients = [OURS, BARE, *(installed(options.peers))]
    for name in options.only:
        rows = SECTIONS[name](clients, options)
        if options.json:
            kept.keep(options.json, name, rows)


def warn_if_busy() -> None:
    """Other work on the machine makes wall times, and a little less CPU times, meaningless."""
    if (load := os.getloadavg()[0]) > 1:
        print(f"the machine is busy (load {load:.1f}): do not trust the wall times below")


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", nargs="?", const=",".join(p.name for p in PEERS), default="")
    parser.add_argument(
        "--only", default=",".join(n for n in SECTIONS if n not in APART), help="sections, comma separated"
    )
    parser.add_argument("--repeats", type=int, default=5, help="runs of ours and the bare client; best counts")
    parser.add_argument("--peer-repeats", type=int, default=1)
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data", help="released files")
    parser.add_argument("--json", type=Path, help="write the figures into this file; other sections in it stay")
    options = parser.parse_args()
    options.only = options.only.split(",")
    options.peers = [p for p in PEERS if p.name in options.peers.split(",")]
    return options


def installed(peers: list[Client]) -> list[Client]:
    """The peers that could be installed; says why of the others."""
    ready = []
    for peer in peers:
        print(f"{peer.name}: installing on demand under {CACHE} …", file=sys.stderr)
        if reason := peer.install():
            print(f"{peer.name}: left out, it can't be installed here: {reason}")
        else:
            ready.append(peer)
    return ready


def ask_section(job: work.Work) -> Callable[[list[Client], argparse.Namespace], Rows]:
    """The section that puts one kind of work to every client."""

    def section(clients: list[Client], options: argparse.Namespace) -> Rows:
        data = work.make(job, CACHE / "data")
        results = []
        for client in clients:
            print(f"{job.kind}: {client.name} …", file=sys.stderr)
            repeats = options.repeats if client in (OURS, BARE) else options.peer_repeats
            results.append(asking.ask(client, job, data, repeats))
        show_asked(job, results)
        return [dataclasses.asdict(one) for one in results]

    return section


def show_asked(job: work.Work, results: list[asking.Asked]) -> None:
    """One row a client; ratios against Triptych, or against the bare client where we have no figure."""
    base = next((one for one in results if not one.problem), results[0])
    head = ["client", "CPU ms/Item", "ratio", "wall s", "% of ideal", "with start-up", "peak MB", "ratio", "log MB"]
    rows = []
    for one in results:
        if one.problem:
            rows.append([one.client, *["-"] * 8])
            continue
        cpu, rss = table.ratio(one.cpu_ms, base.cpu_ms), table.ratio(one.rss, base.rss)
        shares = [f"{100 * one.ideal_share:.0f}", f"{100 * one.ideal_share_whole:.0f}"]
        memory = [f"{one.rss:.0f}", rss, f"{one.log:.1f}"]
        rows.append([one.client, f"{one.cpu_ms:.2f}", cpu, f"{one.wall:.2f}", *shares, *memory])
    what = "" if job.kind == "text" else " of 640 KB WAV"
    title = f"{job.kind}: {job.items} Items{what}, {1000 * job.latency:.0f} ms latency, concurrency {job.concurrency}"
    table.show(f"{title}; ideal {job.ideal_seconds:.2f} s", head, rows)
    for one in results:
        if one.problem:
            print(f"{one.client}: no figures: {one.problem}")


def start_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """CPU seconds to say what one can do, and what there is."""
    results: Rows = []
    for client in clients:
        print(f"start: {client.name} …", file=sys.stderr)
        if client.help:
            mine = {"client": client.name}
            for name, what in (("help", client.help), ("list", client.listing)):
                mine |= start_cost(client, name, what, options.repeats if client is OURS else 2)
            results.append(mine)
    base = results[0]
    rows = []
    for one in results:
        cells = [one["client"]]
        for name in ("help", "list"):
            cells += [one[name], f"{one[f'{name}_cpu']:.2f}", table.ratio(one[f"{name}_cpu"], base[f"{name}_cpu"])]
        rows.append(cells)
    table.show("start-up, CPU seconds", ["client", "help", "CPU s", "ratio", "list", "CPU s", "ratio"], rows)
    return results


def start_cost(client: Client, name: str, what: tuple[str, ...], repeats: int) -> dict[str, Any]:
    """The least CPU of a few runs after a first one that warms the disk cache."""
    folder = Path(tempfile.mkdtemp(prefix="triptych-speed-"))
    try:
        costs = [measure.run(client.start_command(what), folder) for _ in range(repeats + 1)]
    finally:
        shutil.rmtree(folder)
    said = " ".join(what) + ("" if not costs[-1].code else f" (code {costs[-1].code})")
    return {name: said, f"{name}_cpu": min(cost.cpu for cost in costs[1:])}


def versions_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Which versions were measured."""
    return [{"client": client.name, "version": client.version()} for client in clients]


def loading_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """All XModBench questions and all released result rows in one process: seconds and memory."""
    folder = released_xmodbench(options.data)
    if folder is None:
        print(f"\nloading: left out, the released XModBench files are not in {options.data} (--data)")
        return []
    results = next(path.parent for path in sorted((folder / "released_results").rglob("qwen*")) if path.is_dir())
    script = [sys.executable, str(HERE / "load_xmodbench.py"), str(folder / "released_questions"), str(results)]
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        costs = [measure.run(script, Path(name)) for _ in range(2)]
    best = min(costs, key=lambda cost: cost.wall)
    said = best.output.strip().splitlines()[-1:] or [""]
    row = {"what": said[0], "code": best.code, "wall": best.wall, "cpu": best.cpu, "rss": best.rss}
    cells = [said[0], f"{best.wall:.1f}", f"{best.cpu:.1f}", f"{best.rss:.0f}"]
    table.show(
        "loading and tabling XModBench's release (wanted: 10 s, 1000 MB)", ["", "wall s", "CPU s", "MB"], [cells]
    )
    return [row]


def released_xmodbench(data: Path) -> Path | None:
    """The folder with XModBench's released questions and results, unpacked; None where they aren't at hand."""
    source, folder = data / "xmodbench", CACHE / "xmodbench"
    if not source.is_dir():
        return None
    for name in ("released_questions", "released_results"):
        if not (folder / name).exists():
            with tarfile.open(source / f"{name}.tar.xz") as archive:
                archive.extractall(folder / name, filter="data")
    return folder


def kills_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """kill -9 at 20 random moments, then resume."""
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        found = kill_and_resume(Path(name), items=2_000, kills=20, concurrency=32, latency=0.05)
    told = [
        ("kill -9", found.kills),
        ("Items", 2_000),
        (f"asked twice (in flight at the kills: at most {found.kills * 32})", found.asked_twice),
        ("asked again though the answer was in the journal", found.journaled_asked_again),
        ("Items lost or doubled", found.lost),
        ("files of scores and tables that differ", ", ".join(found.differences) or "none"),
    ]
    table.facts("killed and resumed, against the same Run left alone", told)
    return [dataclasses.asdict(found)]


def faults_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """A server that fails one request in five."""
    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        found = soak(Path(name), items=1_000, concurrency=64, always_fail=7)
    told = [
        ("Items", 1_000),
        ("Requests", found.requests),
        ("seconds", round(found.seconds)),
        ("met", ", ".join(f"{count} {kind}" for kind, count in found.faults.most_common())),
        ("Responses", ", ".join(f"{count} {kind}" for kind, count in found.statuses.most_common())),
        ("Items lost", len(found.lost)),
        ("Responses that say something else than the server did", len(found.mislabelled)),
        ("exit code (1: some Items failed)", found.code),
    ]
    table.facts("20% injected faults, and one Item that always fails", told)
    return [dataclasses.asdict(found)]


def strange_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Servers that keep to no rule, a row a fault; the same as Markdown beside the script."""
    from benchmarks_speed import strange

    found = strange.measure()
    table.show("strange servers: what became of the Requests", strange.HEAD, strange.rows(found))
    print(f"\n{strange.markdown(found)}")
    return [dict(zip(strange.HEAD, row, strict=True)) for row in strange.rows(found)]


def viewer_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Pages over Runs of 60,000 Items."""
    first, looked = viewer.measure(CACHE / "data", max(5, options.repeats))
    rows = [
        [one.page, f"{one.cpu_ms:.0f}", f"{one.median_ms:.0f}", f"{one.worst_ms:.0f}", f"{one.kilobytes:.0f}"]
        for one in looked
    ]
    title = f"viewer: {viewer.ITEMS:,} Items a Run (wanted: under 1,000 ms); first look, with the index: {first:.1f} s"
    table.show(title, ["page", "CPU ms", "median ms", "worst ms", "kB"], rows)
    return [{"first_s": first}, *map(dataclasses.asdict, looked)]


def metrics_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Metrics against plain implementations, on all cores."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    from benchmarks_speed import metrics

    return metrics.measure()


def comparing_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Paired differences of two Runs, on all cores."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    from benchmarks_speed import comparing

    return comparing.measure(options.repeats)


def scale_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Many Units and many Runs, on all cores."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    from benchmarks_speed import scale

    released = released_xmodbench(options.data)
    goals = scale.measure_goals(CACHE / "data", released)
    scale.show(f"scale: Runs of {scale.UNITS:,} Units", goals)
    return goals


def growth_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Reports on more and more Runs and Units, on all cores."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    from benchmarks_speed import scale

    def keep(rows: Rows) -> None:  # an hour's work is not lost if the last job is interrupted
        if options.json:
            kept.keep(options.json, "growth", rows)

    growth = scale.measure_growth(CACHE / "data", released_xmodbench(options.data), keep)
    scale.show("growth: how a report's cost grows with Runs and Units", growth)
    return growth


def films_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Memory of clips of a long film."""
    from benchmarks_speed import films

    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:  # the film takes 2.6 GB
        return films.measure(Path(name))


def replies_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """CPU seconds and memory to score replies of millions of characters."""
    from benchmarks_speed import replies

    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        return replies.measure(Path(name))


def six_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Time and memory to build a benchmark in six directions."""
    from benchmarks_speed import six

    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:  # about 600 MB
        return six.measure(Path(name))


def works_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """CPU seconds and memory to build a benchmark of texts from 2,000 and 20,000 works."""
    from benchmarks_speed import works

    with tempfile.TemporaryDirectory(prefix="triptych-speed-") as name:
        return works.measure(Path(name))


def portal_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """200 people at once, processes killed, claims, lists and an export, on all cores."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    from benchmarks_speed import portal

    return portal.measure()


def ray_tasks_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Leases beside Ray tasks over small shards."""
    from benchmarks_speed import ray_tasks

    return ray_tasks.ray_tasks_section()


def units_section(clients: list[Client], options: argparse.Namespace) -> Rows:
    """Ten million Units, scored in ten shards and merged."""
    from benchmarks_speed import many_units

    rows = many_units.measure_all(CACHE / "data" / "many-units")
    many_units.show(rows)
    return rows


APART = ("ray", "ray-kill", "ray-tasks", "units", "resumed")
SECTIONS: dict[str, Callable[[list[Client], argparse.Namespace], Rows]] = {
    "text": ask_section(work.TEXT),
    "audio": ask_section(work.AUDIO),
    "loop": loop.loop_section,
    "shared": shared.shared_section,
    "start": start_section,
    "versions": versions_section,
    "loading": loading_section,
    "kills": kills_section,
    "faults": faults_section,
    "strange": strange_section,
    "viewer": viewer_section,
    "metrics": metrics_section,
    "comparing": comparing_section,
    "scale": scale_section,
    "growth": growth_section,
    "films": films_section,
    "replies": replies_section,
    "six": six_section,
    "works": works_section,
    "resumed": resumed.resumed_section,
    "portal": portal_section,
    "ray": on_ray.ray_section,
    "ray-kill": on_ray.ray_kill_section,
    "ray-tasks": ray_tasks_section,
    "units": units_section,
}

if __name__ == "__main__":
    main()
