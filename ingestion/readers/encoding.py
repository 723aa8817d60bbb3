"""Decoding files whose encoding nobody wrote down."""

import codecs

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes) -> str:
    """Decode text: by its byte order mark, as UTF-8, or as what its bytes look like.

    UTF-8 with a few broken bytes stays UTF-8; guessing anew would spoil every other letter.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    valid = sum(character > "\x7f" for character in text) - broken
    return text if valid > broken else _guess(data)


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - needed for few files

    best = from_bytes(data).best()
    return data.decode("cp1252", errors="replace") if best is None else str(best)
