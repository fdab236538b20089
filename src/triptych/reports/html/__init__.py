"""The report as one HTML file: it needs no network, and takes every reply, question and file name for hostile."""
