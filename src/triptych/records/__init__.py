"""Frozen, typed records, shared by all packages of Triptych. They are read from JSON and written to it unchanged."""

from triptych.records.annotations import Annotation, PersonsVerdict
from triptych.records.estimates import Estimate, Listing, Section, table_of
from triptych.records.exchange import (
    RESPONSE_STATUSES,
    Encoded,
    ErrorInfo,
    Intermediate,
    Message,
    Request,
    Response,
    ResponseStatus,
    Sent,
    Unaskable,
    Usage,
)
from triptych.records.findings import FINDING_SEVERITIES, Finding, FindingSeverity, finding
from triptych.records.items import AnswerForm, Item, Target
from triptych.records.manifest import AS_IN_RESULTS, MAX_REPEATS, SCHEMA_VERSION, Endpoint, RunManifest
from triptych.records.parts import MEDIA_KINDS, Kind, Part, media, text
from triptych.records.problems import Problem
from triptych.records.scores import (
    ANSWERED,
    SCORE_STATUSES,
    Aggregate,
    Extraction,
    FigureKey,
    Score,
    ScoreStatus,
    figure_key,
    signature_of,
    slice_key,
)
from triptych.records.tables import Column, Layout, RowSlice, Table, TableCell, TableRow

__all__ = [
    "ANSWERED",
    "AS_IN_RESULTS",
    "FINDING_SEVERITIES",
    "MAX_REPEATS",
    "MEDIA_KINDS",
    "RESPONSE_STATUSES",
    "SCHEMA_VERSION",
    "SCORE_STATUSES",
    "Aggregate",
    "Annotation",
    "AnswerForm",
    "Column",
    "Encoded",
    "Endpoint",
    "ErrorInfo",
    "Estimate",
    "Extraction",
    "FigureKey",
    "Finding",
    "FindingSeverity",
    "Intermediate",
    "Item",
    "Kind",
    "Layout",
    "Listing",
    "Message",
    "Part",
    "PersonsVerdict",
    "Problem",
    "Request",
    "Response",
    "ResponseStatus",
    "RowSlice",
    "RunManifest",
    "Score",
    "ScoreStatus",
    "Section",
    "Sent",
    "Table",
    "TableCell",
    "TableRow",
    "Target",
    "Unaskable",
    "Usage",
    "figure_key",
    "finding",
    "media",
    "signature_of",
    "slice_key",
    "table_of",
    "text",
]
