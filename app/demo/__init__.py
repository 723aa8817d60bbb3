"""The demo shop that comes with the package."""

from importlib.resources import files
from pathlib import Path

NAME = "demo"
"""Name of the index that holds it."""


def shop_path() -> Path:
    """The folder of the demo shop's files."""
    return Path(str(files(__name__))) / "shop"
