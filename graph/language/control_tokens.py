"""Control tokens: what chat templates part turns, thoughts and tools with, as texts of other people may forge them.

A served model reads them as its own wherever its tokenizer finds them, also within a quotation. Families write them
differently (`<|im_start|>`, `<start_of_turn>`, `[INST]`, `<<SYS>>`, `◁think▷`, some with full-width bars) and new ones
appear, but nearly all begin with a bracket that a word or a bar follows at once. So a prompt holds no such bracket: a
blank stands behind it. What a tokenizer has beyond that, the tokenizer tells (`without_tokens`).
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable

from ingestion.readers.cleaning import clean

OPENERS = "<＜﹤‹〈⟨◁[［〔"  # noqa: RUF001 - look-alikes are meant
"""What a control token begins with, and what a reader takes for that."""
_OPENER = re.compile(rf"[{re.escape(OPENERS)}](?!\s)")
_ESCAPES = str.maketrans({opener: f"\\u{ord(opener):04x}" for opener in OPENERS})
_NAMED = {
    "<": "lt|#0{0,9}60|#x0{0,9}3c",
    ">": "gt|#0{0,9}62|#x0{0,9}3e",
    "[": "lsqb|lbrack|#0{0,9}91|#x0{0,9}5b",
    "]": "rsqb|rbrack|#0{0,9}93|#x0{0,9}5d",
    "|": "vert|verbar|#0{0,9}124|#x0{0,9}7c",
}
_NAMES = "|".join(f"({names})" for names in _NAMED.values())
_ENTITY = re.compile(rf"&(?:amp;){{0,9}}(?:{_NAMES})(?:;|(?!\w))", re.IGNORECASE)
_MEANT = tuple(_NAMED)
_ALIKE = str.maketrans(
    dict.fromkeys("＜﹤‹〈⟨◁", "<")  # noqa: RUF001
    | dict.fromkeys("＞﹥›〉⟩▷", ">")  # noqa: RUF001
    | dict.fromkeys("［〔", "[")  # noqa: RUF001
    | dict.fromkeys("］〕", "]")  # noqa: RUF001
    | dict.fromkeys("｜ǀ∣❘￨│┃∥‖ⵏ⎮⏐", "|")  # noqa: RUF001
    | dict.fromkeys("▁＿", "_")  # noqa: RUF001
)
_TAGS = (
    r"/?(?:s|bos|eos|pad|unk|eod|eop|sop|eot|eom|cls|sep|unused\d{1,5}|seed:\w{1,20}|endoftext|eot_id|"
    r"(?:im|reserved)_\w{1,30}|(?:start|end|begin)_\w{1,30}|"
    r"(?:system|assistant|instructions?|tools?|available_tools|"
    r"(?:tool|function)_?(?:calls?|responses?|results?|outputs?|use|declaration))\b[^<>]{0,200})"
)
_BRACKETS = (
    r"/?(?:inst|system|assistant|instructions?|(?-i:BOS|EOS|gMASK|sMASK|ARGS|THINK|CALL_ID|SYSTEM_PROMPT|MODEL_SETTINGS|"
    r"AVAILABLE_TOOLS|TOOL_(?:CALLS?|RESULTS?|CONTENT)|UNUSED_TOKEN_\d{1,6}))"
)
_FORMS = (
    r"<\s?\|[^<>|\n]{1,60}\|?\s?>",  # <|im_start|>, <|turn>, also with blanks within
    r"<[^<>|\s]{1,60}\|\s?>",  # <turn|>
    r"\[\|[^\[\]|\n]{1,60}\|\]",  # [|user|]
    r"<</?sys>>",
    rf"<{_TAGS}>",
    rf"\[{_BRACKETS}\]",
)
_THOUGHTS = re.compile(r"</?(?:think(?:ing)?|thoughts?|reasoning)>", re.IGNORECASE)
_ANY = re.compile("|".join((*_FORMS, _THOUGHTS.pattern)), re.IGNORECASE)
_IN_ANSWERS = re.compile("|".join(_FORMS), re.IGNORECASE)
"""Without marks of thoughts, which are read by who reads the answer."""
_LONGEST = 240
"""Characters of the longest token that an answer is searched for."""


def contained(text: str) -> str:
    """The copy of a text that a prompt may hold: it forges no token of a chat template and ends no part of the prompt.

    Hidden characters go, entities for a token's characters are resolved, and a blank follows whatever could begin one.
    """
    return _OPENER.sub(r"\g<0> ", _revealed(text))


def escaped(quotation: str) -> str:
    """A JSON string in which nothing begins a token; it stands for the same characters."""
    return _revealed(quotation).translate(_ESCAPES)


def has_control_token(text: str) -> bool:
    """Whether a text holds a token of some chat template, whatever it is disguised by."""
    return (not text.isascii() or any(mark in text for mark in "<[&")) and bool(_ANY.search(_undisguised(text)))


def without_control_tokens(text: str) -> str:
    """A text in which blanks stand for all that reads like a token of some chat template."""
    return _ANY.sub(" ", _undisguised(text)) if has_control_token(text) else text


def without_tokens(text: str, tokens: Iterable[str]) -> str:
    """A text in which a blank breaks each of a tokenizer's own tokens."""
    for token in tokens:
        text = text.replace(token, f"{token[0]} {token[1:]}")
    return text


def up_to_control_token(pieces: Iterable[str], own: Callable[[], Iterable[str]] = tuple) -> Generator[str]:
    """A streamed answer up to the first control token in it, with which a model leaves its turn.

    Args:
        pieces: The answer's pieces, whose ends may divide a token.
        own: Further tokens of the model's own tokenizer; asked for when the first piece is there.
    """
    held = ""
    for number, piece in enumerate(pieces):
        if not number:
            ending = [token for token in own() if not _THOUGHTS.fullmatch(token)]
            beginnings = {token[:length] for token in ending for length in range(1, len(token))}
        held += piece
        found = _first_token(held, ending)
        ready = _ready(held, beginnings) if found is None else found
        if ready:
            yield held[:ready]
            held = held[ready:]
        if found is not None:
            return
    if held:
        yield held


def _first_token(text: str, tokens: Iterable[str]) -> int | None:
    places = [place for token in tokens if (place := text.find(token)) >= 0]
    if (match := _IN_ANSWERS.search(text.translate(_ALIKE))) is not None:
        places.append(match.start())
    return min(places, default=None)


def _ready(text: str, beginnings: Collection[str]) -> int:
    """How much of a text can no longer become part of a token."""
    alike = text.translate(_ALIKE)
    line = alike.rfind("\n") + 1
    begun = [place for opener in "<[" if (place := _open_since(alike, opener, line)) is not None]
    if beginnings:
        longest = min(max(map(len, beginnings)), len(text))
        begun += [len(text) - length for length in range(1, longest + 1) if text[-length:] in beginnings]
    return min(begun, default=len(text))


def _open_since(text: str, opener: str, start: int) -> int | None:
    """Where the last bracket of a line stands that nothing closes yet and that is not too far back."""
    place = text.rfind(opener, max(start, len(text) - _LONGEST))
    width = 1
    while place > start and text[place - 1] == opener:
        place, width = place - 1, 2
    closed = place >= 0 and text.find((">" if opener == "<" else "]") * width, place) >= 0
    return None if place < 0 or closed else place


def _undisguised(text: str) -> str:
    return _revealed(text).translate(_ALIKE)


def _revealed(text: str) -> str:
    return _ENTITY.sub(lambda match: _MEANT[(match.lastindex or 1) - 1], clean(text))
