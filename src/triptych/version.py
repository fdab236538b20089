"""The version of Triptych."""

__version__ = "0.1.0"
