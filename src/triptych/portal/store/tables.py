"""All tables. What must never happen is a constraint here, so that no second process can do it either.

Times are milliseconds since 1970 (UTC) and documents are JSON, so that SQLite and PostgreSQL hold the same values.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

ROLES = ("admin", "recorder", "reviewer", "annotator", "participant")
KINDS = ("recording", "review", "annotation", "survey")
GENDERS = ("woman", "man", "other", "undisclosed")
# A submission counts while it is received, waiting or accepted; the other states leave its task to be done again.
SUBMISSION_STATES = ("received", "accepted", "again", "rejected", "erased")
LIVE = ("received", "accepted")
DECISION = "decision"  # the slot of a submission that settles a disagreement of reviewers
PARTICIPANT_STATES = ("open", "valid", "invalid")
REMARKS = ("comment", "skip")
PERSON_SLOT = "own-"  # with a person's id the slot of tasks that everybody does
UNCOUNTED = -1  # `filled` of tasks that everybody does: gold tasks and practice
CHECK_STATES = ("waiting", "running", "passed", "failed", "broken")

metadata: MetaData = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _value_check(column: str, values: tuple[str, ...]) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(value) for value in values)})", name=f"known_{column}")


def _number() -> Column[int]:
    """A primary key that counts up. SQLite counts only columns of type INTEGER, and PostgreSQL's is too small."""
    return Column(
        "id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True, nullable=False
    )


people: Table = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("pseudonym", Text, nullable=False, unique=True),
    Column("label", Text, nullable=False, default=""),  # the administrator's name for the person; erased on withdrawal
    Column("gender", Text, nullable=False, default="undisclosed"),
    Column("age_band", Text, nullable=False, default=""),
    Column("native_language", Text, nullable=False, default=""),
    Column("major", Text, nullable=False, default=""),
    Column("described_at", BigInteger),  # when the person stated gender, age band and so on
    Column("subject", Text, unique=True),  # issuer and subject of single sign-on
    Column("created_at", BigInteger, nullable=False),
    Column("withdrawn_at", BigInteger),
    Column("paused_at", BigInteger),  # does no work until an administrator ends the pause; nothing is erased
    Column("arrived", JSON),  # parameters of the link by which the person came: name -> value
    Column("arrived_key", Text),  # SHA-256 of the link and its first parameter: who came before
    Column("goal", Integer),  # results a week that the person wants to send
    Index("ix_people_arrived_key", "arrived_key", unique=True),
    _value_check("gender", GENDERS),
)

roles: Table = Table(
    "roles",
    metadata,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("role", Text, primary_key=True),
    _value_check("role", ROLES),
)

invitations: Table = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("label", Text, nullable=False, default=""),
    Column("person_id", ForeignKey("people.id")),  # a link for a person who is known already: a new session
    Column("created_by", ForeignKey("people.id")),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),  # when it was used up
    Column("used_by", ForeignKey("people.id")),
    Column("most", Integer, nullable=False, server_default=text("1")),  # number of people who may use it
    Column("uses", Integer, nullable=False, server_default=text("0")),
    Column("ended_at", BigInteger),  # revoked
    _value_check("role", ROLES),
    CheckConstraint("(used_at IS NULL) = (used_by IS NULL)", name="used_by_somebody"),
)

sessions: Table = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),  # SHA-256 of the cookie: a copy of the database opens no session
    Column("person_id", ForeignKey("people.id"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)

consent_forms: Table = Table(
    "consent_forms",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("language", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("version", "language", "sha256"),
    CheckConstraint("version > 0", name="version_counts_from_1"),
)

consents: Table = Table(
    "consents",
    metadata,
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("language", Text, nullable=False),
    Column("sha256", Text, nullable=False),  # of the text that the person read
    Column("agreed_at", BigInteger, nullable=False),
    Column("withdrawn_at", BigInteger),
)

queues: Table = Table(
    "queues",
    metadata,
    _number(),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("settings", JSON, nullable=False, default=dict),
    Column("created_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    _value_check("kind", KINDS),
)

tasks: Table = Table(
    "tasks",
    metadata,
    _number(),
    Column("queue_id", ForeignKey("queues.id"), nullable=False),
    Column("key", Text, nullable=False),  # the id of the task in its file
    Column("shown", Text, nullable=False),  # the digest of what is shown
    Column("body", JSON, nullable=False),  # the task as it came
    Column("work", Text, nullable=False, default=""),  # the work that the clip belongs to; one person does all of it
    Column("place", Integer, nullable=False, default=0),  # its place in that work, from 0
    Column("wanted", Integer, nullable=False, default=1),  # number of different people
    Column("filled", Integer, nullable=False, server_default=text("0")),  # number of results that count
    Column("created_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),  # no longer asked: it is not in the newest task file
    Column("purpose", Text, nullable=False, server_default=text("''")),  # empty: a task of the build
    Column("expected", JSON),  # of gold tasks and practice: the right values, and why
    UniqueConstraint("queue_id", "key", "shown"),
    CheckConstraint("wanted > 0", name="somebody_wanted"),
    Index("ix_tasks_queue_id_work_place", "queue_id", "work", "place"),
    Index("ix_tasks_queue_id_closed_at_filled_id_wanted", "queue_id", "closed_at", "filled", "id", "wanted"),
)

holders: Table = Table(
    # Who does all tasks of a work: one person for each slot (`man`, `woman`; or `1`, `2` …), and nobody has two slots.
    "holders",
    metadata,
    Column("queue_id", ForeignKey("queues.id"), primary_key=True),
    Column("work", Text, primary_key=True),
    Column("slot", Text, primary_key=True),
    Column("person_id", ForeignKey("people.id"), nullable=False, index=True),
    Column("since", BigInteger, nullable=False),
    UniqueConstraint("queue_id", "work", "person_id"),
)

leases: Table = Table(
    # A task that a person has open: nobody else gets this slot of it until the lease ends.
    "leases",
    metadata,
    Column("task_id", ForeignKey("tasks.id"), primary_key=True),
    Column("slot", Text, primary_key=True),
    Column("person_id", ForeignKey("people.id"), nullable=False, index=True),
    Column("taken_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    UniqueConstraint("task_id", "person_id"),
)

submissions: Table = Table(
    "submissions",
    metadata,
    Column("id", Text, primary_key=True),  # made by the browser: sending it twice changes nothing
    Column("task_id", ForeignKey("tasks.id"), nullable=False, index=True),
    Column("queue_id", BigInteger, nullable=False, server_default=text("0")),  # of the task: lists read it from indexes
    Column("slot", Text, nullable=False),
    Column("person_id", ForeignKey("people.id"), nullable=False, index=True),
    Column("digest", Text, nullable=False),  # of everything that was sent under this id
    Column("answers", JSON, nullable=False),
    Column("seconds", Integer, nullable=False, default=0),  # time that the person worked, for pay
    Column("words", Integer, nullable=False, server_default=text("0")),  # of the text that the task shows, for pay
    Column("state", Text, nullable=False, default="received"),
    Column("reasons", JSON, nullable=False, default=list),  # why it must be done again, or was rejected
    Column("received_at", BigInteger, nullable=False),
    Column("gold", Float),  # of a gold task or practice: the share of the expected values that are right
    _value_check("state", SUBMISSION_STATES),
    CheckConstraint("length(id) BETWEEN 16 AND 64", name="id_length"),
)
for _columns in (  # lists by state, newest first; counts of a queue
    ("queue_id", "state", "received_at", "id"),
    ("queue_id", "task_id", "state", "slot"),
):
    Index(f"ix_submissions_{'_'.join(_columns)}", *(submissions.c[name] for name in _columns))
Index(  # hours and days, without the table
    "ix_submissions_days",
    *(submissions.c[name] for name in ("queue_id", "person_id", "state", "slot", "received_at", "seconds", "words")),
)
_live = submissions.c.state.in_(LIVE)
Index(
    "uq_submissions_live_slot",
    submissions.c.task_id,
    submissions.c.slot,
    unique=True,
    sqlite_where=_live,
    postgresql_where=_live,
)
Index(
    "uq_submissions_live_person",
    submissions.c.task_id,
    submissions.c.person_id,
    unique=True,
    sqlite_where=_live,
    postgresql_where=_live,
)

blobs: Table = Table(
    "blobs",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("type", Text, nullable=False),  # by its content
    Column("created_at", BigInteger, nullable=False),
    Column("erased_at", BigInteger),
    CheckConstraint("length(sha256) = 64", name="sha256_length"),
    CheckConstraint("size > 0", name="not_empty"),
)

submission_blobs: Table = Table(
    "submission_blobs",
    metadata,
    Column("submission_id", ForeignKey("submissions.id"), primary_key=True),
    Column("field", Text, primary_key=True),
    Column("form", Text, primary_key=True),  # `original`, or `16k`: 16 kHz mono, made by the server
    Column("sha256", ForeignKey("blobs.sha256"), nullable=False, index=True),
    _value_check("form", ("original", "16k")),
)

remarks: Table = Table(
    # Words to the administrator about a task: a comment, or why they skip it. A skipped task is not offered
    # to the person again until the remark is done.
    "remarks",
    metadata,
    _number(),
    Column("person_id", ForeignKey("people.id"), nullable=False),
    Column("task_id", ForeignKey("tasks.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("done_at", BigInteger),
    _value_check("kind", REMARKS),
    Index("ix_remarks_task_id_person_id_kind", "task_id", "person_id", "kind"),
)

receipts: Table = Table(
    "receipts",
    metadata,
    Column("submission_id", ForeignKey("submissions.id"), primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("issued_at", BigInteger, nullable=False),
)

checks: Table = Table(
    "checks",
    metadata,
    Column("submission_id", ForeignKey("submissions.id"), primary_key=True),
    Column("state", Text, nullable=False, default="waiting"),
    Column("measures", JSON, nullable=False, default=dict),
    Column("reasons", JSON, nullable=False, default=list),
    Column("tries", Integer, nullable=False, default=0),
    Column("changed_at", BigInteger, nullable=False),
    _value_check("state", CHECK_STATES),
    Index("ix_checks_state_changed_at", "state", "changed_at"),
)

participants: Table = Table(
    # Who takes part in a survey, in which cells, and whether their answers count. `sequence`: ids of tasks, in order.
    "participants",
    metadata,
    Column("queue_id", ForeignKey("queues.id"), primary_key=True),
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("cells", JSON, nullable=False),
    Column("sequence", JSON, nullable=False),
    Column("state", Text, nullable=False, default="open"),
    Column("reasons", JSON, nullable=False, default=list),  # why the answers don't count
    Column("began_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    _value_check("state", PARTICIPANT_STATES),
)

standings: Table = Table(
    # Who gets no more tasks of a queue, since too many of their gold tasks were wrong. `since`: earlier ones don't
    # count.
    "standings",
    metadata,
    Column("queue_id", ForeignKey("queues.id"), primary_key=True),
    Column("person_id", ForeignKey("people.id"), primary_key=True),
    Column("barred_at", BigInteger),
    Column("since", BigInteger, nullable=False, server_default=text("0")),
)

overviews: Table = Table(
    # Agreement in a large queue, counted by the process of checks after somebody has asked for it.
    "overviews",
    metadata,
    Column("queue_id", ForeignKey("queues.id"), primary_key=True),
    Column("asked_at", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False, default=0),  # 0: not yet
    Column("took", BigInteger, nullable=False, default=0),  # milliseconds
    Column("document", JSON, nullable=False, default=dict),
)

exports: Table = Table(
    "exports",
    metadata,
    _number(),
    Column("queue_id", ForeignKey("queues.id"), nullable=False),
    Column("target", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

exported: Table = Table(
    "exported",
    metadata,
    Column("export_id", ForeignKey("exports.id"), primary_key=True),
    Column("submission_id", ForeignKey("submissions.id"), primary_key=True),
)

tokens: Table = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),  # SHA-256 of the token
    Column("label", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)

audit: Table = Table(
    "audit",
    metadata,
    _number(),
    Column("at", BigInteger, nullable=False),
    Column("person_id", Text),  # not a reference: an entry outlives everything it is about
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False, default=""),
    Column("detail", JSON, nullable=False, default=dict),
    Index("ix_audit_subject", "subject"),
)

NUMBERED = (queues, tasks, remarks, exports, audit)  # after a restore their counters continue behind the highest number
