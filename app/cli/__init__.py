"""The `footnote` command."""

from app.cli.application import main

__all__ = ["main"]
