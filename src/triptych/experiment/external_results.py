"""Score results made elsewhere: files in the authors' formats, with the data, judges and verdicts that go with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.benchmarks import load_benchmark, own_questions
from triptych.errors import DataError
from triptych.experiment.data import data_folder
from triptych.experiment.judging import JudgePlan
from triptych.media.payload import MediaReader
from triptych.models.encoders.settings import EncoderSettings
from triptych.releases.archives import unpacked
from triptych.scoring.judging import last_session
from triptych.scoring.outcome import Scored
from triptych.scoring.predictions import score_predictions, verdicts_place


def score_elsewhere(
    benchmark: str,
    predictions: Sequence[Path],
    data: Path | str | None,
    reference: Path | None,
    protocols: Sequence[str] | None,
    judges: JudgePlan | None,
    verdicts: Path | None,
    queue: Path | None,
    *,
    recover: bool,
    encoders: EncoderSettings | None,
) -> Scored:
    """Score files or folders of results, or archives of them: see `api.score`. Raises DataError for one that does not
    exist."""
    bench = own_questions(benchmark) or load_benchmark(benchmark)
    of_plug_in = bench.origin != "triptych" and bench.mini.is_dir()  # only it knows the way to its mini set
    folder = data_folder(bench, data)[0] if data is not None or bench.home or of_plug_in else None
    for path in predictions:
        if not path.exists():
            raise DataError("predictions not found", where=path, expected="a file or folder in the authors' format")
    if reference is not None and not reference.exists():
        raise DataError("the reference does not exist", where=reference)
    verdicts_path_ = verdicts or verdicts_place(predictions[0])
    session = judges.at(verdicts_path_, MediaReader(folder or bench.mini)) if judges else last_session(verdicts_path_)
    with unpacked(predictions) as files:
        return score_predictions(
            bench, files, folder, reference, protocols, session, queue, recover=recover, encoders=encoders
        )
