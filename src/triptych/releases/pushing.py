"""Push a folder to the Hugging Face Hub as a data set."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from triptych.errors import DataError, SpecError
from triptych.records.packages import need
from triptych.releases.fetching import HUB, explain_hub_errors, hub_token, size_words

PREFIX = "hf/"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")


@dataclass(frozen=True)
class PushPlan:
    """A push to come: folder, data set `ORG/NAME`, address of the Hub, and files with their sizes in bytes."""

    folder: Path
    repo: str
    endpoint: str
    files: dict[str, int]

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(self.files.values())


def plan_push(folder: Path, target: str, *, endpoint: str = "") -> PushPlan:
    """Return what a push would send; nothing is sent.

    target: `hf/ORG/NAME`. Raises SpecError for another target, DataError for a folder without a README.md (the data
    card) or with links.
    """
    repo = target.removeprefix(PREFIX)
    if not target.startswith(PREFIX) or not _NAME.fullmatch(repo):
        raise SpecError("not a data set on the Hugging Face Hub", got=target, expected="hf/ORG/NAME")
    if not (folder / "README.md").is_file():
        raise DataError(
            "the folder has no README.md, which is the data card",
            where=folder,
            fix="push the `out` folder of a finished build",
        )
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise DataError("the folder has a link, which can't be pushed", where=path, fix="remove it")
        if path.is_file():
            files[path.relative_to(folder).as_posix()] = path.stat().st_size
    return PushPlan(folder, repo, (endpoint or os.environ.get("HF_ENDPOINT") or HUB).rstrip("/"), files)


def carry_out_push(plan: PushPlan, message: str, *, private: bool = False) -> str:
    """Create the data set if it doesn't exist, and send all files as one commit; returns the commit's address.

    Files that the data set has and the folder hasn't are removed in the same commit. Older commits keep them. Raises
    DataError if the Hub refuses, and SpecError without a token in HF_TOKEN.
    """
    need("huggingface_hub", "pushing", "fetch")
    from huggingface_hub import HfApi

    token = hub_token()
    if not token:
        raise SpecError("a push needs a token", expected="HF_TOKEN, a token that may write", fix="export HF_TOKEN=…")
    with explain_hub_errors(plan.repo, plan.endpoint, push=True):
        api = HfApi(endpoint=plan.endpoint, token=token)
        api.create_repo(plan.repo, repo_type="dataset", private=private, exist_ok=True)
        commit = api.upload_folder(
            repo_id=plan.repo,
            repo_type="dataset",
            folder_path=plan.folder,
            commit_message=message,
            delete_patterns=["*"],
        )
    return str(commit.commit_url)


def in_words(plan: PushPlan) -> str:
    """Return `12 files (3.4 MB) to ENDPOINT/datasets/ORG/NAME`."""
    return f"{len(plan.files):,} files ({size_words(plan.bytes)}) to {plan.endpoint}/datasets/{plan.repo}"
