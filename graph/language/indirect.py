"""Indirect questions: a question told again inside a sentence, such as `whether it floats`."""

import re

INVERTED = re.compile(
    r"(?i)\A(?:(?:and|but|so|also)\s+)?(is|are|was|were|can|could|will|would|has|have|may|should|does|do)\s+(\S.*)"
)
SUBJECT = re.compile(
    r"(?i)\A((?:the |this |that |these |those |my |its )?(?:it|they|i|we|you|one|[^\W\d][\w-]*))\s+(\S.*)"
)
OPEN_ENDED = re.compile(
    r"(?i)\A(?:(?:and|but|so|also)\s+)?(?P<asks>(?:(?:in|on|at|for|to|with|from)\s+)?(?:what|which|how|where|when|who|why)\b"
    r"(?:\s(?!(?:is|are|was|were|does|do|can|could|will|would)\b)[\w-]+)*)(?:\s(?P<verb>is|are|was|were|does|do|can|could"
    r"|will|would)|(?P<short>['’]s))\s(?P<subject>it|they|i|we|the [\w-]+(?: [\w-]+)? of (?:it|them)|the [\w-]+)"
    r"(?:\s(?P<rest>.+))?"
)
OPEN_END = re.compile(r"(?i)\b(of|for|in|from|with|to|on|like|by)$|^(made|used|called)\b")
STOP = re.compile(r"[.?!;:]")
FIRST_PERSON = re.compile(r"(?i)\b(i['’]m|i|we|my|our|me|us)\b")
SECOND_PERSON = {"i'm": "you're", "i": "you", "we": "you", "my": "your", "our": "your", "me": "you", "us": "you"}
IRREGULAR = {"have": "has", "do": "does"}
LONGEST_CLAUSE = 14
"""Words of a clause that is told again."""


def whether(clause: str) -> tuple[str, str, str] | None:
    """`Is it fire retardant` as `it`, `is` and `fire retardant`; None where a clause does not turn so."""
    inverted = INVERTED.fullmatch(clause)
    parted = SUBJECT.fullmatch(inverted[2]) if inverted else None
    if inverted is None or parted is None or len(clause.split()) > LONGEST_CLAUSE or STOP.search(clause):
        return None
    subject, rest = (to_the_asker(part) for part in parted.groups())
    verb = inverted[1].lower()
    if verb in ("does", "do"):
        said, _, rest = rest.partition(" ")
        verb = third_person(said) if verb == "does" else said
    return f"{subject[:1].lower()}{subject[1:]}", verb, rest


def indirect(clause: str) -> str:
    """A question told again: `whether it is vegan`, `how many seats it has`; empty where it does not turn so."""
    clause = " ".join(clause.split()).strip(" ?!.")
    turned = whether(clause)
    if turned and turned[0] != "you":
        return " ".join(filter(None, ("whether", *turned)))
    found = OPEN_ENDED.fullmatch(clause)
    if found is None or len(clause.split()) > LONGEST_CLAUSE or STOP.search(clause):
        return ""
    subject, rest = to_the_asker(found["subject"]), to_the_asker(found["rest"] or "")
    if found["asks"].lower().endswith("what") and rest and subject.startswith("the ") and not OPEN_END.search(rest):
        # "What is the return window": all of it is the subject.
        subject, rest = f"{subject} {rest}", ""
    verb = (found["verb"] or "is").lower()
    if verb in ("does", "do"):
        said, _, rest = rest.partition(" ")
        verb = third_person(said) if verb == "does" else said
    asks = found["asks"][:1].lower() + found["asks"][1:]
    return " ".join(filter(None, (asks, subject.lower(), verb, rest)))


def to_the_asker(text: str) -> str:
    """What a customer says of themselves, said to them: `my dog` as `your dog`."""
    return FIRST_PERSON.sub(lambda found: SECOND_PERSON[found[0].lower().replace("’", "'")], text)


def third_person(verb: str) -> str:
    """`complies` for `comply`."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"
