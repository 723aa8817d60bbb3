"""Evidence ids: readable, stable, and safe to take apart."""


def encode_row_id(row_id: str) -> str:
    """Percent-encode the characters that part an evidence id: `%`, `#` and `:`."""
    return row_id.replace("%", "%25").replace("#", "%23").replace(":", "%3A")


def evidence_id(source_type: str, row_id: str, chunk: int | None = None) -> str:
    """Compose an evidence id; `chunk` counts from 1 and stands only where the row has several chunks."""
    base = f"{source_type}:{encode_row_id(row_id)}"
    return base if chunk is None else f"{base}#{chunk}"
