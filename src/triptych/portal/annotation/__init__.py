"""The job of annotating: questions about a talk, transcripts and translations line by line, and plain forms."""
