"""What an evaluation is asked to score, and what can be wrong with that."""

from dataclasses import dataclass
from pathlib import Path

from app.errors import InputError
from app.llm.choices import Refinement, Where


class MissingDataError(InputError):
    """Rows that are not where they were said to be."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not exist. Name the rows to evaluate on with --data.")


class NoSplitError(InputError):
    """A split was asked of data that has none."""

    def __init__(self, component: str) -> None:
        super().__init__(f"The data of {component} has no splits. Leave --split out.")


class NoIndexError(InputError):
    """A component that reads an index was given none."""

    def __init__(self, component: str) -> None:
        super().__init__(
            f"The {component} evaluation reads an index. Name one with --index. "
            "Make one with: footnote ingest PATH --index DIR"
        )


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate on.

    Attributes:
        data: A file of rows, or a folder of fixtures.
        index: Name or path of the index, where the component needs one.
        split: Only the rows with this `split`.
        train: Rows to fit a fresh model on, where the component is a model.
        val: Rows to calibrate that model on.
        refine: How a served model refines each question before it is searched; None for not at all.
        rewriter: Who reads each question: `local`, or `llm`, a served model.
        judge: Who judges sentences and citations, likewise.
    """

    data: Path
    index: str | None = None
    split: str | None = None
    train: Path | None = None
    val: Path | None = None
    refine: Refinement | None = None
    rewriter: Where = "local"
    judge: Where = "local"
