"""Descriptions of scores given by a judge. The judge's own settings say which model judged, and with which rubric."""

from __future__ import annotations

from triptych.metrics.metric import Metric

_BEAUTY = "Chen et al. (2025), as Du et al. (2026) use it: points from 1 to 5, mean x 20"
_CAPTION = "Du et al. (2026), section 4.3.3: points deducted by penalties, mean x 10"
_MARKS = ("sum of marks / 100 points", "units")
METRICS = (
    Metric(
        id="judge_score",
        name="judge's score",
        better="higher",
        unit="1-10",
        range=(1.0, 10.0),
        statistics=("sum of scores", "units"),
        source="AIR-Bench (Yang et al., 2024): the reply's score / the reference's score x 10",
    ),
    Metric(
        "judge_pass",
        "replies that the judge accepts",
        "higher",
        "%",
        (0.0, 100.0),
        ("accepted", "units"),
        "a judge's verdict on each reply: PASS or FAIL against the reference or the question's own criteria",
        short="accepted",
    ),
    Metric("llm_bf", "beauty of form, by a judge", "higher", "%", (20.0, 100.0), _MARKS, _BEAUTY, short="LLM-Bf"),
    Metric("llm_bm", "beauty of meaning, by a judge", "higher", "%", (20.0, 100.0), _MARKS, _BEAUTY, short="LLM-Bm"),
    Metric("llm_bs", "beauty of sound, by a judge", "higher", "%", (20.0, 100.0), _MARKS, _BEAUTY, short="LLM-Bs"),
    Metric("llm_b", "mean of the three beauties", "higher", "%", (20.0, 100.0), _MARKS, _BEAUTY, short="LLM-B"),
    Metric("sec_p", "persona, by a judge (of 20 points)", "higher", "%", (0.0, 20.0), _MARKS, _CAPTION, short="SEC-P"),
    Metric(
        "sec_g", "global tone, by a judge (of 30 points)", "higher", "%", (0.0, 30.0), _MARKS, _CAPTION, short="SEC-G"
    ),
    Metric(
        "sec_s", "sentences, by a judge (of 50 points)", "higher", "%", (0.0, 50.0), _MARKS, _CAPTION, short="SEC-S"
    ),
    Metric("llm_c", "sum of persona, tone and sentences", "higher", "%", (0.0, 100.0), _MARKS, _CAPTION, short="LLM-C"),
)
