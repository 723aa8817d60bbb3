"""Edits: a question with candidates put in place of its slots, and others added to it."""

from dataclasses import dataclass

from graph.catalog.function_words import ARTICLES, PREPOSITIONS
from graph.rewriting.learned.reading.candidates import Candidate
from graph.rewriting.learned.reading.grammar import noun_phrases
from graph.rewriting.learned.reading.lexicon import is_generic, plural, singular
from graph.rewriting.learned.reading.passages import Passage, sentences_of
from graph.rewriting.learned.reading.situation import Situation
from graph.rewriting.learned.reading.slots import Slot

_ENDINGS = " \t\r\n?.!…"
_LINKS = frozenset("in at on during from with by to against between".split())
_OTHERS = frozenset("other others another additional else".split())


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is put into a question.

    Attributes:
        fills: For each slot the candidate in its place; None where it stays.
        additions: Candidates that are added, in order.
    """

    fills: tuple[Candidate | None, ...] = ()
    additions: tuple[Candidate, ...] = ()


def rendered(situation: Situation, rewriting: Rewriting) -> str:
    """The question as rewritten; itself, byte for byte, where nothing is put in."""
    question = situation.question
    changes = [
        (*_place(question, slot), _filled(question, slot, candidate))
        for slot, candidate in zip(situation.slots, rewriting.fills, strict=False)
        if candidate is not None
    ]
    for candidate in rewriting.additions:
        place, text = _added(situation, candidate)
        changes.append((place, place, text))
    result = question.raw
    for start, end, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        result = result[:start] + text + result[end:]
    return result


def _place(question: Passage, slot: Slot) -> tuple[int, int]:
    return question.places[slot.start][0], question.places[slot.end - 1][1]


def _filled(question: Passage, slot: Slot, candidate: Candidate) -> str:
    """What stands in place of a slot."""
    text = _worded(question, slot, candidate)
    if slot.owner:
        text += "'" if text.endswith("s") else "'s"
    begins = slot.start == 0 and question.capital(0)
    return text[:1].upper() + text[1:] if begins else text


def _worded(question: Passage, slot: Slot, candidate: Candidate) -> str:
    before = question.before(slot.start)
    match slot.kind:
        case "name":
            return candidate.text
        case "phrase":
            return _with_noun(question, slot, candidate)
        case "one":
            return _in_number(candidate.text, several=question.lower[slot.start] == "ones")
        case "there" | "then":
            named = with_article(candidate)
            return named if before in PREPOSITIONS else f"{_link(candidate) or 'in'} {named}"
        case "they" | "these" if not _is_name(candidate) and "and" not in candidate.key:
            article = _article(candidate)
            return plural(candidate.text) if article in {"a", "an"} else with_article(candidate)
        case _:
            return with_article(candidate)


def _with_noun(question: Passage, slot: Slot, candidate: Candidate) -> str:
    """A phrase such as "this album" with what is meant: its words stay, or are said again."""
    said = question.lower[slot.start + 1 : slot.end]
    if set(map(singular, said)) <= set(map(singular, candidate.key)):
        return with_article(candidate)
    joint = " " if _is_name(candidate) and is_generic(said[-1]) else " of "
    return f"the {question.text(slot.start + 1, slot.end)}{joint}{with_article(candidate)}"


def _added(situation: Situation, candidate: Candidate) -> tuple[int, str]:
    """Where a candidate is added, and with which words."""
    question, theme = situation.question, situation.theme
    end = len(question.raw.rstrip(_ENDINGS))
    if _excludes(situation, candidate):
        return end, f" besides {with_article(candidate)}"
    if theme.wanting and theme.phrase is not None:
        last = _coordinated(situation, theme.phrase[1] + _last_sentence(situation))
        place = question.places[last - 1][1]
        if theme.headless and not _is_name(candidate):
            return place, f" {_in_number(candidate.text, several='are' in question.lower or 'were' in question.lower)}"
        return place, f" of {with_article(candidate)}"
    link = _link(candidate)
    return end, f" {link} {with_article(candidate)}" if link else f" ({candidate.text})"


def _coordinated(situation: Situation, end: int) -> int:
    """The end of a phrase with the one that "and" joins to it ("the pros and cons")."""
    joined = situation.question.after(end) in {"and", "or"}
    return next((p[1] for p in noun_phrases(situation.question) if joined and p[0] == end + 1), end)


def _excludes(situation: Situation, candidate: Candidate) -> bool:
    """Whether a candidate is what "other" and "else" leave out, rather than what the question is about."""
    if _OTHERS.isdisjoint(situation.question.lower):
        return False
    if any(candidate.key in {topic.key, topic.extended_key} for topic in situation.topics[:1]):
        return False
    return all(mention.passage.source != "title" for mention in candidate.mentions)


def _last_sentence(situation: Situation) -> int:
    """Index of the first word of the last sentence."""
    sentences = sentences_of(situation.question)
    return len(situation.question.words) - len(sentences[-1].words) if sentences else 0


def _link(candidate: Candidate) -> str:
    """The preposition that stood before it; empty for none that would fit again."""
    last = candidate.mentions[-1]
    word = last.passage.before(last.start - (last.passage.before(last.start) in ARTICLES))
    return word if word in _LINKS else ""


def with_article(candidate: Candidate) -> str:
    """A candidate with the article that it had."""
    article = _article(candidate)
    return f"{article} {candidate.text}" if article else candidate.text


def _article(candidate: Candidate) -> str:
    """The article that it had: the speaker's own, or "the"; empty for none."""
    mention = next((m for m in reversed(candidate.mentions) if m.passage.source == "user"), candidate.mentions[-1])
    word = mention.passage.before(mention.start)
    keeps = word == "the" or (word in ARTICLES and mention.passage.source == "user")
    return word if keeps and "pair" not in mention.kinds else ""


def _in_number(text: str, *, several: bool) -> str:
    head = text.rsplit(maxsplit=1)[-1]
    changed = plural(head) if several else singular(head)
    return text.removesuffix(head) + changed


def _is_name(candidate: Candidate) -> bool:
    last = candidate.mentions[-1]
    return last.passage.source == "title" or last.passage.words[last.end - 1][0].isupper()
