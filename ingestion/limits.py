"""How much of a file is read, so that no file of a stranger fills the memory or holds up a run."""

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

SETTING = "ingestion.limits"
"""Where the settings name these limits."""


class ReadingLimits(BaseModel):
    """Limits of the files that are read; what is beyond one is a line in the report, and the rest is read.

    Attributes:
        text_mebibytes: Largest article (`.md`, `.html`, `.txt`).
        pdf_mebibytes: Largest PDF.
        docx_mebibytes: Largest Word file.
        unpacked_mebibytes: Most that a Word file may unpack to.
        pages: Most pages of a PDF.
        page_characters: Most characters on one page.
        document_characters: Most characters that are taken from one document.
        table_mebibytes: Largest table; what a Parquet file says that it unpacks to counts as well.
        rows: Most rows of a table.
        columns: Most columns of a table.
        cell_characters: Most characters of a cell, so of a review, an answer, a description or a fact.
        memory_mebibytes: Most memory of the process that reads foreign formats.
        seconds: How long that process may be busy with one document, or with a thousand rows, on a processor.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text_mebibytes: PositiveInt = 32
    pdf_mebibytes: PositiveInt = 512
    docx_mebibytes: PositiveInt = 128
    unpacked_mebibytes: PositiveInt = 256
    pages: PositiveInt = 5_000
    page_characters: PositiveInt = 200_000
    document_characters: PositiveInt = 10_000_000
    table_mebibytes: PositiveInt = 2_048
    rows: PositiveInt = 5_000_000
    columns: PositiveInt = 1_000
    cell_characters: PositiveInt = 500_000
    memory_mebibytes: int = Field(default=2_048, ge=512)
    seconds: PositiveInt = 60

    @property
    def row_characters(self) -> int:
        """Most characters of a row as it is written."""
        return 10 * self.cell_characters

    def beyond(self, name: str, what: str, remedy: str = "split it") -> str:
        """Say that something is beyond a limit.

        Args:
            name: The limit.
            what: What was found, such as `it has 6,000 pages`.
            remedy: What to do about it.
        """
        unit = " MiB" if name.endswith("mebibytes") else " s" if name == "seconds" else ""
        return f"{what}, more than the {getattr(self, name):,}{unit} of the setting {SETTING}.{name}; {remedy}"


DEFAULT_LIMITS = ReadingLimits()
