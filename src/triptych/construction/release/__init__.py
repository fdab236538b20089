"""The output of a build: files, data card, provenance, versions, withdrawal."""
