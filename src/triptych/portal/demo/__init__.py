"""`triptych portal demo`: a project with made-up people and their work, so that every job can be seen with content."""
