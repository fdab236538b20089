"""The job of a survey: people answer a benchmark's Items as models do, and their answers become a Run."""
