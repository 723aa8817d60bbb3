"""Sentences: how an attribute is stated, and how a source is quoted."""

import re
from collections.abc import Sequence

from graph.language.english import ordinary_words
from graph.language.families import Family, family_of, is_wholly_named
from graph.language.lexicon import AUXILIARIES
from graph.language.locale import reply, table
from ingestion.source_types import SOURCE_TABLE

TRAILING: dict[str, str] = table("sentences")["trailing"]
_SAID = {name: frozenset(listed.split()) for name, listed in table("sentences").items() if name != "trailing"}
YES, NO, INITIALISMS = _SAID["yes"], _SAID["no"], _SAID["initialisms"]
IS_ENDINGS = tuple(_SAID["is_endings"])
_CLAUSES = ("never ", "don't ", "don’t ", *(f"{word} " for word in AUXILIARIES))
"""How a value opens that is no noun but says what to do: `Do not use`."""
BARE = re.compile(r"\d+(?:[.,]\d+)*")
UNCOUNTED = re.compile(
    r"(ing|ion|ance|ence|ity|ness|ware|support|storage|memory|audio|sound|light|compatib\w{0,9}|bluetooth|gps|leather|wool)$"
)


def the(name: str) -> str:
    """A product's name with its article: `the Aurora X2`."""
    return name if name.lower().startswith(("the ", "a ", "an ", "my ")) else f"the {name}"


def plural(name: str) -> bool:
    """Whether a name reads as a plural, such as `Trail Socks`."""
    last = (re.findall(r"[^\W\d_]+", name)[-1:] or [""])[0]
    if len(last) <= 3:  # noqa: PLR2004 - "gas", "bus"
        return False
    # "Cameras", but not "canvas"; of short words, such as "chaos", the vocabulary has too many by chance.
    word = last.casefold()
    vowel = bool(re.search(r"\w{4}[aio]s$", last)) and {word, word[:-1]} <= ordinary_words()
    return vowel or bool(re.search(r"[^suyiao]s$", last))


def lower_name(attribute: str) -> str:
    """An attribute's name inside a sentence: lower case but for words such as `USB`, `pH` and `Wi-Fi`."""
    return " ".join(_word_inside(part) for part in attribute.split(" "))


def _word_inside(word: str) -> str:
    if word.lower() in INITIALISMS:
        return word.upper()
    return word if re.search(r"\d|\w[A-Z]|-[A-Z]", word) or word.isupper() else word.lower()


def titled(attribute: str) -> str:
    """An attribute's name at the head of a row: `packed size` as `Packed size`, `sku` as `SKU`."""
    first, *others = attribute.split(" ")
    head = first.upper() if first in INITIALISMS else first if re.search(r"\d|[A-Z]", first) else capitalised(first)
    return " ".join([head, *(word.upper() if word in INITIALISMS else word for word in others)])


def with_article(value: str) -> str:
    """A value with `a` or `an` before it, by how it is read aloud."""
    if re.match(r"(?i)(an?|the|no|some)\s", value):
        return value
    word = re.match(r"\A\W*(\w+)", value)
    vowel = bool(word) and _opens_with_vowel(word[1] if word else "", value)
    return f"{'an' if vowel else 'a'} {value}"


def _opens_with_vowel(word: str, value: str) -> bool:
    """How a word sounds at its start: numbers as read, letter words such as `USB` by their first letter's name."""
    if word[0].isdigit():
        return bool(re.match(r"8|(11|18)(?!\d|[.,]?\d{2}(?!\d))(?![\d])|(11|18)(?=[.,]\d)", value))
    if (
        len(word) > 1
        and word.isupper()
        and word not in _SAID["read_as_words"]
        and not re.match(r"\A(?:[B-DF-HJ-NP-TV-Z]*[AEIOU]){2}", word[1:])
    ):
        return word[0] in "AEFHILMNORSX"
    return word[0].lower() in "aeiou" and not re.match(r"(?i)(uni|use|usu|eu|one\b|once)", word)


def joined(parts: Sequence[str], last: str = reply("and")) -> str:
    """Names in a sentence: `a, b and c`."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def capitalised(text: str) -> str:
    """Text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """Text that ends as a sentence."""
    return text if re.search(r"[.!?…][\"'”’)\]]*$", text) else f"{text}."


def opening_of(value: str) -> str:
    """What stands before the first comma of a value, folded: the yes or no of `Yes, on 52 volunteers`."""
    return value.partition(",")[0].strip().casefold()


def state(product: str, attribute: str, value: str) -> str:
    """Say one attribute of a product in a sentence, such as `The Aurora X2 weighs 187 g`."""
    subject = capitalised(the(product))
    opening, _, rest = value.strip().partition(",")
    if opening.casefold() in YES | NO:
        more = f" ({rest.strip()})" if rest.strip() else ""
        return f"{subject} {_has(attribute, many=plural(product), yes=opening.casefold() in YES)}{more}."
    raw, value = value.strip(), _phrase(value.strip())
    family = family_of(attribute)
    if family and family.measures and BARE.fullmatch(value):
        return ended(f"The {lower_name(attribute)} of {the(product)} is listed as {value}")
    if family and family.says and family.are and _fits(family, attribute, value):
        says = family.are if plural(product) else family.says
        noun = family.noun if family.noun and family.noun not in lower_name(attribute) else _noun(attribute)
        return ended(f"{subject} {says.format(value=value, a_value=with_article(value), name=noun)}")
    return ended(_general(product, attribute, value, raw))


def _fits(family: Family, attribute: str, value: str) -> bool:
    """Whether the family's sentence is made for such a value, and says all that an attribute's name does."""
    units = family.units
    if units and not any(re.search(rf"(?i)(?<![a-z]){re.escape(unit)}(?![a-z])", value) for unit in units):
        return False
    return "{name}" in (family.says or "") or is_wholly_named(attribute, family)


def _general(product: str, attribute: str, value: str, raw: str) -> str:
    """The sentence for an attribute of no family, by the form of its name."""
    name = lower_name(attribute)
    first, *others = name.split(" ")
    if first in _SAID["naming_verbs"] and (not others or others[-1] in _SAID["prepositions"]):
        return f"{capitalised(the(product))} {name} {value}"
    if first in _SAID["naming_verbs"] or value.casefold().startswith(_CLAUSES):
        return f"On “{attribute}”, the specification of {the(product)} says “{raw}”"
    if BARE.fullmatch(value) and plural(name) and " of " not in name:
        return f"{capitalised(the(product))} {'have' if plural(product) else 'has'} {value} {name}"
    given = len(others) > 0 and others[-1] in _SAID["given"]
    head = name.rpartition(" ")[0] if given else name.partition(" of ")[0]
    verb = "are" if plural(head) else "is"
    joint = "with" if given else "of"
    return f"The {name} {joint} {the(product)} {verb} {value}"


def _phrase(value: str) -> str:
    """A value inside a sentence: `True to size` loses its capital, `Vireo 7` and `Android` keep theirs."""
    first, *rest = value.split(" ")
    if first in _SAID["openings"] and rest:
        return f"{first.lower()} {' '.join(rest)}"
    if (
        not rest
        and re.fullmatch(r"[A-Z][a-z]+", first)
        and (first.lower() in _SAID["alone"] or first.endswith(("able", "ible")))
    ):
        return first.lower()
    words_only = rest and all(re.fullmatch(r"[a-z][a-z-]*[,;]?", word) for word in rest)
    return f"{first.lower()} {' '.join(rest)}" if words_only and re.fullmatch(r"[A-Z][a-z-]+[,;]?", first) else value


def _noun(attribute: str) -> str:
    """The thing an attribute is about, without words that only measure it."""
    return re.sub(r"(?<!\s)\s+(size|capacity|amount)$", "", lower_name(attribute))


def _has(attribute: str, *, many: bool, yes: bool) -> str:
    """Give the predicate of a yes/no attribute: `has NFC`, `is not dishwasher safe`, `does not include pegs`."""
    name = lower_name(attribute)
    first, last = name.split(" ")[0], re.split(r"[ -]", name)[-1]
    if last in TRAILING and first != last:
        thing = attribute[: -len(last) - 1]
        thing = with_article(lower_name(thing)) if _countable(thing) else lower_name(thing)
        name, first = f"{TRAILING[last]} {thing}", TRAILING[last]
    if first in _SAID["verbs"]:
        base = {"has": "have"}.get(first, first.removesuffix("s"))
        rest = name.removeprefix(first)
        if yes:
            return (base if many else first) + rest
        return f"{'do' if many else 'does'} not {base}{rest}"
    if last.endswith(IS_ENDINGS) or first.endswith(IS_ENDINGS) or name in _SAID["is_words"] or first == "suitable":
        return f"{'are' if many else 'is'}{'' if yes else ' not'} {name}"
    thing = with_article(name) if _countable(attribute) else name
    if yes:
        return f"{'have' if many else 'has'} {thing}"
    return f"{'do' if many else 'does'} not have {thing}"


def _countable(attribute: str) -> bool:
    """Whether a thing is counted ("a headphone jack") rather than named alone ("wireless charging", "NFC")."""
    last = attribute.rsplit(" ", 1)[-1]
    return not (UNCOUNTED.search(last.lower()) or re.search(r"\d|[A-Z].*[A-Z]", last) or plural(last))


_QUOTES = str.maketrans({"“": "‘", "”": "’", '"': "'", "[": "(", "]": ")"})


def quoted(source_type: str, text: str) -> str:
    """What a source says, in a sentence that says who says it.

    Square brackets become round ones, so that nothing a source says can be read as a marker.
    """
    frame = SOURCE_TABLE[source_type].quote
    flat = " ".join(text.split())
    if not frame:
        return ended(flat.replace("[", "(").replace("]", ")"))
    return ended(frame.format(text=flat.translate(_QUOTES)))
