"""The job of reviewing: a page made from the form of each task, second reviewers, disagreements, live agreement."""
