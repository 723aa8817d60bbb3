"""A scripted model with sense: it quotes the sentence of its evidence that shares most words with the question."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from graph.language.terms import terms
from tests.llm_server.script import Script
from tests.llm_server.server import Body

_SOURCE = re.compile(r"^\[([a-z_]+:[^\]\s]+)\] ([^:\n]+): [^\n]*\n", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_LEAD = re.compile(r"^\s*(?:Answer: |[-*] |\d+\. )")
_MEANT = {"heavi": "weight", "weigh": "weight", "waterproof": "resist", "larg": "size"}
"""Words of questions and what sources call the same."""
_REPORTS = frozenset({"review", "qa"})
_WISH = re.compile(r"(?i)\b(person|human|agent|colleague|someone)\b")
_QUOTED = re.compile(r'^([\w ]+): (".*")$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """One source of a prompt, under the title of its product."""

    marker: str
    product: str
    sentences: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.marker.partition(":")[0]


def sensible(body: Body) -> Script:
    """Do the task of a prompt."""
    return Script(TASKS[task_of(body)](body))


def task_of(body: Body) -> str:
    """The name of the task of a prompt."""
    return re.findall(r'<task name="(\w+)">', _words(body))[-1]


def part_of(body: Body, name: str) -> str:
    """A part of a prompt."""
    found = re.search(rf"<{name}>\n(.*?)\n</{name}>", _words(body), re.DOTALL)
    return found[1] if found else ""


def sources_of(body: Body) -> list[Source]:
    """The sources of a prompt, in its order."""
    found = []
    for group in re.split(r"^# ", part_of(body, "evidence"), flags=re.MULTILINE)[1:]:
        title, _, told = group.partition("\n")
        heads = list(_SOURCE.finditer(told))
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            text = told[head.end() : following.start() if following else None]
            sentences = tuple(one for line in _SENTENCE.split(text) if (one := _LEAD.sub("", line).strip()))
            found.append(Source(head[1], title, sentences))
    return found


def said(sentence: str, source: Source) -> str:
    """A sentence of a source in the model's words, with its marker before the full stop."""
    name, colon, value = sentence.partition(": ")
    text = sentence.rstrip(".!?")
    if colon and source.kind in ("spec", "variant"):
        text = (
            f"The {source.product} has this {name.lower()}: {value}" if ". " in value else _entry(source, name, value)
        )
    elif source.kind in _REPORTS:
        text = f"A customer says: {text}"
    return f"{text} [{source.marker}]."


def _entry(source: Source, name: str, value: str) -> str:
    return f"The {name[:1].lower()}{name[1:]} of the {source.product} is {value}"


def _answer(body: Body) -> str:
    asked = {_MEANT.get(term, term) for term in terms(part_of(body, "question"))}
    names = {term for source in sources_of(body) for term in terms(source.product)}
    shared = [
        ((len((asked - names) & set(terms(sentence))), source.kind == "spec", -place), sentence, source)
        for place, (sentence, source) in enumerate(
            (one, source) for source in sources_of(body) for one in source.sentences
        )
        if not sentence.endswith("?") and "|" not in sentence
    ]
    (overlap, *_), sentence, source = max(shared, key=lambda one: one[0], default=((0,), "", None))
    return f"outcome: clear\n{said(sentence, source)}" if overlap and source else "outcome: no_answer"


def _dialogue(body: Body) -> str:
    lines = _QUOTED.findall(part_of(body, "conversation") + "\n" + part_of(body, "question"))
    told = [(kind, json.loads(text)) for kind, text in lines]
    query = next(text for kind, text in reversed(told) if kind == "customer")
    about = next((text for kind, text in told if kind in ("spoken of", "open page")), None)
    standalone = query
    if about and about.casefold() not in query.casefold():
        standalone, replaced = re.subn(r"(?i)\b(it|this|that one)\b", f"the {about}", query, count=1)
        if not replaced:
            standalone = f"{query.rstrip(' ?.')} of the {about}?"
    return json.dumps(
        {
            "standalone_query": standalone,
            "searchable": True,
            "live_agent": bool(_WISH.search(query)),
            "intent": f"The customer wants to know: {query[:200]}",
            "simulated_response": f"This is what the shop says about it: {query[:400]}",
        }
    )


def _followups(body: Body) -> str:
    entries = [(one, source) for source in sources_of(body) if source.kind == "spec" for one in source.sentences]
    asked = [f"What is the {one.partition(': ')[0].lower()} of the {source.product}?" for one, source in entries]
    return "\n".join(asked[:3]) or "What else can you tell me?"


def _blurb(body: Body) -> str:
    entries = [(one, source) for source in sources_of(body) if source.kind == "spec" for one in source.sentences]
    told = [_entry(source, *one.split(": ", 1)) for one, source in entries if ": " in one]
    return f"{told[0]}." if told else "The shop sells it."


TASKS: dict[str, Callable[[Body], str]] = {
    "answer": _answer,
    "repair": _answer,
    "dialogue": _dialogue,
    "followups": _followups,
    "blurb": _blurb,
    "judge": lambda _: '{"relevancy": 5, "grounded": 5, "helped": true}',
}
"""What it does for each task."""


def _words(body: Body) -> str:
    words: str = body["messages"][-1]["content"]
    return words
