"""`hf/ORG/NAME`: a data set of the Hugging Face Hub, fetched into `data/hf/ORG--NAME` when its questions are asked."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from triptych.errors import SpecError
from triptych.releases.fetching import Fetched, carry_out_fetch, plan_fetch, read_record, size_words
from triptych.releases.release import Release
from triptych.store.files.names import checked_name

PREFIX = "hf/"
HUB_FOLDER = Path("data/hf")
_NAME = re.compile(r"hf/([\w.-]{1,96})/([\w.-]{1,96})(?:@([\w./-]{1,100}))?")
_LEFT = ("*.md5", "*.pdf", ".gitattributes", "*.py", "*.ipynb")  # never needed to ask
ARCHIVES = ("*.zip", "*.tar", "*.tar.gz", "*.tgz")


def fetched(name: str) -> Path:
    """Return the folder of a data set `hf/ORG/NAME` or `hf/ORG/NAME@REVISION`, fetched first if it isn't there.

    Files are checked by the Hub's hashes, an interrupted fetch is continued, and archives are unpacked. A complete
    folder is used without the network. Progress goes to standard error. Raises SpecError for a name that is none,
    DataError if the data set is unavailable.
    """
    name_match = _NAME.fullmatch(name)
    if name_match is None or ".." in name:
        raise SpecError("not a data set of the Hub", got=name[:200], expected="hf/ORG/NAME, or hf/ORG/NAME@REVISION")
    organisation, title, revision = name_match.groups()
    path = HUB_FOLDER / checked_name(f"{organisation}--{title}", name)
    record = read_record(path)
    if record and revision in (None, record.revision, record.commit) and _is_whole(path, record):
        _say(f"{name}: {path}, fetched {record.when[:10]} at {record.commit[:12]}")
        return path
    release = Release(repo=f"{organisation}/{title}", leave=_LEFT, unpack=ARCHIVES)
    plan = plan_fetch(release, path, revision=revision or "")
    _say(
        f"{release.repo} at {plan.commit[:12]}, from {plan.endpoint}: {len(plan.missing):,} files to fetch"
        f" ({size_words(plan.bytes)}), to {path}"
    )
    carry_out_fetch(plan, _say)
    return path


def _is_whole(location: Path, record: Fetched) -> bool:
    """Return whether every file of an earlier fetch is there."""
    return bool(record.files) and all((location / path).is_file() for path in record.files)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
