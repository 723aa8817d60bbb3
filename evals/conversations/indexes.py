"""Which index a fixture is answered from; a shop's folder is ingested for it."""

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from app import demo
from app.settings import HOME, Settings, index_path
from evals.errors import UnknownIndexError, UnsetVariableError
from ingestion.errors import CorruptIndexError, MissingIndexError
from ingestion.generations import latest_generation

Ingest = Callable[[Path, Path], object]
"""Makes or brings up to date the index (second) of a shop's folder (first); quick where nothing has changed."""

BESIDE = "shop"
"""Name of the folder beside a fixture that is ingested for it."""

_VARIABLE = re.compile(r"\$\{?(\w+)\}?")


class Indexes:
    """Resolves what fixtures call their index to the folder of one that is ready."""

    def __init__(self, ingest: Ingest, *, given: str | None = None, default: str | None = None) -> None:
        """Prepare for one run.

        Args:
            ingest: How a shop's folder becomes an index.
            given: The index that wins over what fixtures say: a name or path.
            default: The index of fixtures that name none and have no shop beside them.
        """
        self._ingest = ingest
        self._given = given
        self._default = default
        self._made: dict[Path, Path] = {}

    def folder(self, name: str | None, fixture: Path) -> Path:
        """The index folder for a fixture.

        Args:
            name: What the fixture says after `index:`; `$VARIABLE` stands for an environment variable.
            fixture: The fixture's file.

        Raises:
            UnsetVariableError: The name holds a variable that is not set.
            UnknownIndexError: It is neither an index nor a shop, and none lies beside the fixture.
        """
        if self._given is not None:
            return self._found(self._given, fixture) or index_path(self._given)
        if name is not None and (found := self._found(_expanded(name), fixture)):
            return found
        beside = fixture.parent / BESIDE
        if beside.is_dir():
            return self._of_shop(beside)
        if name is None and self._default is not None:
            return index_path(self._default)
        raise UnknownIndexError(name or "", fixture.parent)

    def _found(self, name: str, fixture: Path) -> Path | None:
        if name == demo.NAME:
            return self._made_from(demo.shop_path(), index_path(name))
        places = [index_path(name), Path(name), fixture.parent / name]
        if built := next((place for place in places if _is_index(place)), None):
            return built
        folder = next((place for place in places[1:] if place.is_dir()), None)
        return self._of_shop(folder) if folder else None

    def _of_shop(self, shop: Path) -> Path:
        shop = shop.resolve()
        digest = hashlib.sha256(str(shop).encode()).hexdigest()[:12]
        return self._made_from(shop, HOME / "shops" / f"{shop.name}-{digest}")

    def _made_from(self, shop: Path, folder: Path) -> Path:
        """The index of a shop, made at most once a run, and by one process while the others wait."""
        if folder not in self._made:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{folder}.lock"):
                self._ingest(shop, folder)
            self._made[folder] = folder
        return self._made[folder]


def ingest_silently(shop: Path, folder: Path) -> None:
    """Bring the index of a shop's folder up to date."""
    from ingestion.ingest import ingest  # noqa: PLC0415 - heavy
    from ingestion.statement_encoder import shared_statement_encoder  # noqa: PLC0415

    settings = Settings.load().ingestion
    ingest(
        [shop],
        folder,
        statements=shared_statement_encoder(),
        chunking=settings.chunking,
        limits=settings.limits,
    )


def _is_index(folder: Path) -> bool:
    try:
        latest_generation(folder)
    except MissingIndexError:
        return False
    except CorruptIndexError:
        return True  # opening it says what is wrong
    return True


def _expanded(name: str) -> str:
    for variable in _VARIABLE.findall(name):
        if not os.environ.get(variable):
            raise UnsetVariableError(variable)
    return os.path.expandvars(name)
