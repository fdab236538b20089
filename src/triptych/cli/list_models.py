"""`triptych list models`: the adapters, and the models of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.models.catalogue import CatalogueModel

Rows = list[dict[str, Any]]
_BROKEN = "can't be imported"


def list_models(name: str | None, status: str, tag: str, json: bool, show: Callable[[Rows], None]) -> int:
    """Print adapters and models, those of a benchmark's paper, or everything known of one model. Returns 1 if
    the adapter of a plug-in can't be imported, otherwise 0.

    Raises SpecError for a name that is neither a benchmark nor a model, an unknown status or an unknown tag.
    """
    from triptych.cli.arguments import print_json
    from triptych.models.catalogue import select_models

    if name and (row := _find_model(name)) is not None:
        fields = row.as_row() | ({"confirmed": ran} if (ran := _run_status(row)) else {})
        asked_name = _paper_settings(row)
        if json:
            print_json(fields | ({"asked": asked_name} if asked_name else {}))
        else:
            rows = [{"field": k, "value": _as_text(v)} for k, v in fields.items()]
            show(
                rows
                + [
                    {"field": f"asked by {paper}", "value": _settings_as_options(one)}
                    for paper, all_ in asked_name.items()
                    for one in all_
                ]
            )
        return 0
    _check(status, tag)
    adapters = [] if name or status or tag else _adapters()
    rows = [_row(row) for row in select_models(name or "", status, tag)]
    if json:
        print_json([*adapters, *rows])
        return _code(adapters)
    show(adapters)
    if adapters:
        print()
    show([{key: value for key, value in row.items() if key not in ("what", "from")} for row in rows])
    return _code(adapters)


def _code(adapters: Rows) -> int:
    return 1 if any(str(row["what"]).startswith(_BROKEN) for row in adapters) else 0


def _find_model(name: str) -> CatalogueModel | None:
    """Return the named model; None if the name is a benchmark's."""
    from triptych.benchmarks import known_benchmarks
    from triptych.errors import SpecError, nearest
    from triptych.models.catalogue import catalogue, find_model

    if name in known_benchmarks():
        return None
    if (row := find_model(name)) is None:
        raise SpecError(f"no benchmark or model {name!r}", fix=nearest(name, [*known_benchmarks(), *catalogue()]))
    return row


def _check(status: str, tag: str) -> None:
    from triptych.errors import SpecError, nearest
    from triptych.models.catalogue import STATUSES, catalogue

    tags = {one for row in catalogue().values() for one in row.tags}
    if status and status not in STATUSES:
        raise SpecError(f"no status {status!r}", fix=nearest(status, STATUSES))
    if tag and tag not in tags:
        raise SpecError(f"no model has the tag {tag!r}", fix=nearest(tag, tags))


def _row(row: CatalogueModel) -> dict[str, Any]:
    status = f"{row.state()} {'until ' if row.state() == 'open' else ''}{row.retired}" if row.retired else row.status
    return {
        "name": row.key,
        "what": row.names[0],
        "from": "catalogue",
        "id": row.id or " + ".join(row.steps),
        "size": row.size,
        "takes": list(row.takes),
        "way": list(row.way),
        "status": status,
        "benchmarks": list(row.papers),
        "tags": list(row.tags),
        "confirmed": _run_status(row),
    }


def _run_status(row: CatalogueModel) -> str:
    """Return in words whether the model's runner has run with its weights; empty for a model without a runner."""
    if row.way[0] != "environment":
        return ""
    from triptych.models.worker.confirmed import state

    return state(row.key)


def _paper_settings(row: CatalogueModel) -> dict[str, Rows]:
    """Return how each paper that reports the model asked it: what holds for all its models, then for this one."""
    from triptych.benchmarks.as_published import as_published, papers

    papers_settings = {paper: as_published(paper) for paper in papers() if paper in row.papers}
    return {
        paper: [one.as_row() for one in (settings.all, *settings.entries_of(row.key))]
        for paper, settings in papers_settings.items()
    }


def _settings_as_options(settings: dict[str, Any]) -> str:
    """Return the settings as options of `triptych run`, then notes and the source."""
    words = [f"--filter {facet}={','.join(values)}" for facet, values in settings.get("filters", {}).items()]
    words += [
        f"-M {key}={_value(value)}"
        for key, value in {**settings.get("decoding", {}), **settings.get("settings", {})}.items()
    ]
    words += [f"--packing '{settings['packing']}'"] if "packing" in settings else []
    words += [f"(otherwise --packing {settings['served']})"] if "served" in settings else []
    when = "; ".join(f"where {facet} is {' or '.join(values)}" for facet, values in settings.get("when", {}).items())
    system = (
        [f"system prompt: {settings['system']!r}" if settings["system"] else "no system prompt"]
        if "system" in settings
        else []
    )
    rest = [
        *system,
        *([f"run by {settings['software']}"] if "software" in settings else []),
        *settings.get("notes", ()),
    ]
    return "; ".join(filter(None, [when, " ".join(words), *rest, f"source: {settings['source']}"]))


def _value(value: Any) -> str:
    import msgspec

    return f"'{msgspec.json.encode(value).decode()}'" if isinstance(value, dict) else str(value) or "(not given)"


def _adapters() -> Rows:
    from triptych.models.registry import known_adapters

    return [
        {"name": name, "what": line or _docstring_line(module, origin), "from": origin}
        for name, (module, line, origin) in known_adapters().items()
    ]


def _docstring_line(module: str, origin: str) -> str:
    """Return the first line of a plug-in adapter's docstring."""
    from importlib import import_module

    from triptych.importing import importing
    from triptych.records.plug_ins import why_not

    try:
        with importing(module, origin):
            return (import_module(module).__doc__ or "").strip().partition("\n")[0]
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code must not end the listing
        return f"{_BROKEN}: {why_not(error)}"


def _as_text(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "; ".join(", ".join(f"{key} {text}" for key, text in one.items()) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {text}" for key, text in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
