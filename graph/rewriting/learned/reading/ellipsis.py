"""Ellipsis: a question that only says what is different from the one before ("What about in the UK?", "Why?")."""

from collections.abc import Sequence

from graph.catalog.function_words import ARTICLES, AUXILIARIES, PREPOSITIONS, QUESTION_WORDS
from graph.rewriting.learned.reading.grammar import Phrase, noun_phrases, tags
from graph.rewriting.learned.reading.lexicon import ANAPHORS, DETERMINERS, LEADS, is_speaker, singular
from graph.rewriting.learned.reading.passages import Passage, read_passage, sentences_of

_OPENERS = (("what", "about"), ("how", "about"), ("what", "of"))
_NARROWING = frozenset("in on at during after before without".split())
_CIRCUMSTANCES = frozenset("why how when where".split())
_FILLERS = frozenset("so not come exactly then that is and but".split())
_OWNING = frozenset("its his her their".split())
_ENDINGS = " \t\r\n?.!…"
_MAX_WORDS = 8


def whole_questions(asked: Sequence[Passage], query: Passage) -> Passage:
    """The last question made whole by the ones before it; itself where it is whole."""
    before: Passage | None = None
    for passage in (*asked, query):
        whole = _continued(passage, sentences_of(before)[-1]) if before is not None and before.words else None
        before = read_passage(whole, passage.source, passage.age) if whole else passage
    assert before is not None
    return before


def _continued(passage: Passage, before: Passage) -> str | None:
    """The question before with the difference in it."""
    if not before.words or len(passage.words) > _MAX_WORDS or len(sentences_of(passage)) > 1:
        return None
    if passage.lower and passage.lower[0] in _CIRCUMSTANCES | LEADS and _is_bare(passage):
        return _circumstance(passage, before)
    start = _difference(passage)
    rest = passage.lower[start:]
    if not rest or not ANAPHORS.isdisjoint(rest) or not (AUXILIARIES | QUESTION_WORDS).isdisjoint(rest):
        return None
    text = passage.text(start, len(passage.words))
    if rest[0] in PREPOSITIONS:
        return _narrowed(before, rest[0], text)
    return _exchanged(passage, start, before, text) if start else None


def _is_bare(passage: Passage) -> bool:
    return not _CIRCUMSTANCES.isdisjoint(passage.lower) and set(passage.lower) <= _CIRCUMSTANCES | _FILLERS


def _circumstance(passage: Passage, before: Passage) -> str | None:
    """Ask "why" of a question that was answered by yes or no, or in another of its circumstances."""
    auxiliary = next((i for i, word in enumerate(before.lower) if word in AUXILIARIES), None)
    if auxiliary is None or auxiliary + 2 >= len(before.words) or "not" in passage.lower:
        return None
    if auxiliary and not set(before.lower[:auxiliary]) <= _CIRCUMSTANCES | LEADS:
        return None
    asked = next(word for word in passage.lower if word in _CIRCUMSTANCES)
    rest = before.raw[before.places[auxiliary][0] :].rstrip(_ENDINGS)
    return f"{asked.capitalize()} {rest[:1].lower()}{rest[1:]}?"


def _difference(passage: Passage) -> int:
    """Index of the first word behind what leads in."""
    start = 0
    while passage.after(start) in LEADS:
        start += 1
    return start + 2 if passage.lower[start : start + 2] in _OPENERS else start


def _narrowed(before: Passage, preposition: str, text: str) -> str | None:
    """Put a phrase with a preposition in place of the like one, or behind the question."""
    for index in range(len(before.words) - 1, 0, -1):
        if before.lower[index] == preposition:
            end = _phrase_end(before, index + 1)
            if end is not None:
                return _spliced(before, (index, end), text)
    if preposition not in _NARROWING:
        return None
    return f"{before.raw.rstrip(_ENDINGS)} {text}?"


def _phrase_end(passage: Passage, start: int) -> int | None:
    while passage.after(start) in DETERMINERS:
        start += 1
    return next((phrase[1] for phrase in noun_phrases(passage) if phrase[0] == start), None)


def _exchanged(passage: Passage, start: int, before: Passage, text: str) -> str | None:
    """Put a phrase in place of the one like it: with the same noun, a name for a name, a quality for a quality."""
    found = next((phrase for phrase in reversed(noun_phrases(passage)) if phrase[0] >= start), None)
    if found is None or not _is_phrase(passage, start):
        return None
    phrases = [phrase for phrase in noun_phrases(before) if not _is_asked(before, phrase)]
    head = singular(passage.lower[found[1] - 1])
    same = [phrase for phrase in noun_phrases(before) if singular(before.lower[phrase[1] - 1]) == head]
    if same:
        return _spliced(before, _with_determiner(before, same[-1]), text)
    if tags(passage)[found[1] - 1] == "adjective":
        return _other_quality(passage, found, before)
    name = _is_name(passage, found)
    wants = tags(passage)[found[1] - 1]
    alike = [p for p in phrases if _is_name(before, p) == name and tags(before)[p[1] - 1] == wants]
    if name and not alike:
        return _for_pronoun(before, text)
    alike = [
        p for p in alike if (name or _is_subject(before, p)) and _article(before, p[0]) == _article(passage, found[0])
    ]
    return _spliced(before, _with_determiner(before, alike[-1]), text) if alike else None


def _is_phrase(passage: Passage, start: int) -> bool:
    """Whether from a word on there are only nouns and what belongs to them."""
    plain = DETERMINERS | {"and", "or"}
    behind = zip(tags(passage)[start:], passage.lower[start:], strict=True)
    return all(tag not in {"verb", "function"} or word in plain for tag, word in behind)


def _is_asked(passage: Passage, phrase: Phrase) -> bool:
    """Whether a phrase is what is asked for, or means the speakers."""
    return passage.before(phrase[0]) in QUESTION_WORDS or is_speaker(passage.lower[phrase[1] - 1])


def _is_subject(passage: Passage, phrase: Phrase) -> bool:
    """Whether a phrase stands right behind the auxiliary of a question."""
    return passage.before(_with_determiner(passage, phrase)[0]) in AUXILIARIES


def _other_quality(passage: Passage, found: Phrase, before: Passage) -> str | None:
    """Read "what about the oldest?" after "Where is the youngest ... found?"."""
    word = passage.lower[found[1] - 1]
    for index, other in enumerate(before.lower):
        if tags(before)[index] == "adjective" and other.endswith("est") == word.endswith("est"):
            return _spliced(before, (index, index + 1), passage.text(found[1] - 1, found[1]))
    return None


def _for_pronoun(before: Passage, text: str) -> str | None:
    for index, word in enumerate(before.lower):
        if word in ANAPHORS - {"there"}:
            return _spliced(before, (index, index + 1), f"{text}'s" if word in _OWNING else text)
    return None


def _is_name(passage: Passage, phrase: Phrase) -> bool:
    return any(passage.proper(index) or passage.words[index][0].isdigit() for index in range(*phrase))


def _article(passage: Passage, index: int) -> str:
    return passage.before(index) if passage.before(index) in ARTICLES else ""


def _with_determiner(passage: Passage, phrase: Phrase) -> Phrase:
    start, end = phrase
    return (start - 1 if passage.before(start) in DETERMINERS - QUESTION_WORDS else start), end


def _spliced(passage: Passage, phrase: Phrase, text: str) -> str:
    start, end = passage.places[phrase[0]][0], passage.places[phrase[1] - 1][1]
    whole = f"{passage.raw[:start]}{text}{passage.raw[end:]}".rstrip(_ENDINGS)
    return f"{whole[:1].upper()}{whole[1:]}?"
