"""`triptych portal`: people record, review, annotate and take part in surveys.

project     the project folder: settings, the secret, where the database and the media are
store       tables with their constraints, engines (SQLite, PostgreSQL), migrations, backup and restore
blobs       media by their SHA-256, on disk or in S3
people      roles, invitations, sessions, consent, pseudonyms, withdrawal, hours for pay
work        queues, tasks, assignment, leases, submissions, the audit trail
checks      sound checks of what was uploaded, in a process of their own
site        pages: the gate that enforces roles, rendering, languages, forms
recording   the job of reading texts aloud; the other jobs are folders of the same kind and import none of each other
exchange    task files of a build in, results out
demo        a project with made-up people and work, for all jobs
routes      one table of every address and who may use it
"""
