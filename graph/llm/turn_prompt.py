"""The prompt of a turn, and the grammar under which it is answered.

The order of the prompt is that of Multi-UX Inference in "Cite Before You Speak" (section 5), so that a server with
prefix caching computes it once: what other turns ask with as well comes first, what this turn alone has comes last.

The grammar is EBNF in the dialect of vLLM's structured outputs (xgrammar's GBNF). It gives exactly what
`SentenceStream` reads, and less than that reads: a full stop is never followed by a space inside a sentence, so that
every sentence has its own markers. Counts are bounded, so that even random choices come to an end.

The text is one rule of few, broad character classes that counts words, and bounds the length of the last one alone: a
longer text must come to its last word, which must come to an end. With a vocabulary of 150,000 tokens a rule for each
unit of text takes the matcher over 100 ms a token, and a bound on all characters takes seconds to compile.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from graph.draft import Draft, YesNo
from graph.language.control_tokens import contained
from graph.llm.markers import marker_of
from graph.llm.model import Prompt
from graph.llm.prompts import notes, static_prompt
from graph.parts import Question, StatementFinder
from graph.retrieval.search import wordings
from graph.turn import User
from ingestion.evidence import Evidence
from ingestion.source_types import SOURCE_TABLE

_UNSAID = (
    r" .!?…।؟、，\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f\u3000\ufeff"  # noqa: RUF001 - full-width marks are meant
    r"\\\[\]【】|`*。！？॥۔"  # noqa: RUF001 - full-width marks are meant
)
"""What words are made without: spaces and full stops, which part them, control characters, brackets, Markdown."""
_CLOSERS = r"\"'”’»)」』）"  # noqa: RUF001 - full-width marks are meant
_MARKS = ".!?…।؟、，"  # noqa: RUF001 - full-width marks are meant
"""What stands inside a word, such as a decimal point, if what follows shows that no sentence ends."""

_INNER = rf"[{_MARKS}] [^{_CLOSERS}{_UNSAID}]"

_RULES = rf"""root ::= "outcome: " ("clear\n" answer | "ambiguous" | "no_answer")
answer ::= lines ("\nmissing: " words)?
lines ::= line ("\n" line){{0,9}}
line ::= prose | leadin "\n" item | item
prose ::= ("{YesNo.YES} " | "{YesNo.NO} ")? sentence (" " sentence){{0,2}}
item ::= ("- " | [1-9] ". ") sentence
leadin ::= words ":"
sentence ::= words " " markers (","? " " words " " markers)? [.!?]
words ::= last | [^{_UNSAID}]+ (" " [^{_UNSAID}]+ | {_INNER} [^{_UNSAID}]*){{0,24}} [ {_MARKS}] last
last ::= [^{_UNSAID}]{{1,24}}
markers ::= marker{{1,4}}
"""


def answer_grammar(ids: Sequence[str]) -> str:
    """Write the grammar of a cited answer.

    Args:
        ids: The evidence of the request; without any, only `ambiguous` and `no_answer` can be said.

    Returns:
        EBNF whose first rule is `root`.
    """
    if not ids:
        return 'root ::= "outcome: " ("ambiguous" | "no_answer")\n'
    markers = " | ".join(f'"{marker_of(one)}"' for one in dict.fromkeys(ids))  # they hold no quote and no backslash
    return f"{_RULES}marker ::= {markers}\n"


LONGEST_READ = 1_150
"""Code points of evidence that a model reads, some 310 tokens; what the local answer cites is read in any case."""


def read_by_model(question: Question, local: Draft, finder: StatementFinder) -> Question:
    """A question with the evidence that a model reads: what comes nearest to answering, as long as there is room.

    Args:
        question: The question with all of its evidence.
        local: The answer without a model, whose sources are read in any case, and told to be likely.
        finder: Finds what comes nearest.
    """
    pieces = [item for item, _ in question.evidence]
    asked = wordings([question.standalone_query], question.products)
    nearest = (one.evidence for one in finder.nearest(asked, pieces, question.before))
    cited = dict.fromkeys(span.evidence_id for sentence in local.sentences for span in sentence.spans)
    chosen, room = set(cited), LONGEST_READ
    for item in {one.evidence_id: one for one in nearest}.values():
        room -= len(item.text)
        if room < 0 and chosen:
            break
        chosen.add(item.evidence_id)
    read = tuple(pair for pair in question.evidence if pair[0].evidence_id in chosen)
    return replace(question, evidence=read, likely=tuple(key for key in cited if key in question.sources))


WHOLE_SHOP = "The whole shop"
SHARED_FIRST = ("qa", "feature", "spec", "review", "description", "variant", "manual")
"""Kinds by how many intents read them, so that questions of different intents about a product begin alike.

Each intent then leaves out some kinds at the end, not in the middle: opinions end after the reviews, rules after the
customers' questions.
"""


def turn_prompt(question: Question, suffix: str) -> Prompt:
    """A request of a turn; requests of one turn differ in the suffix alone."""
    parts = (
        ("evidence", evidence_text(question)),
        ("customer", customer_text(question.user)),
        ("notes", "\n\n".join(filter(None, map(notes, question.intents)))),
        ("likely", "".join(map(marker_of, question.likely)) or "none"),
        ("question", contained(question.standalone_query)),
    )
    shared = "\n\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in parts)
    return Prompt(static=static_prompt(), shared=f"{shared}\n\n", suffix=suffix)


def evidence_text(question: Question) -> str:
    """The evidence under the titles of its products, in an order that does not depend on scores."""
    places = {product.id: place for place, product in enumerate((*question.products, *question.related))}
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys([*SHARED_FIRST, *SOURCE_TABLE]))}

    def place_of(item: Evidence) -> tuple[int, str]:
        return (places.get(item.product_id or "", len(places) + (item.product_id is None)), item.product_id or "")

    # What most questions read comes first: the same product gives the same beginning.
    ordered = sorted(
        (item for item, _ in question.evidence),
        key=lambda item: (place_of(item), kinds[item.source_type], item.evidence_id),
    )
    groups = []
    for (_, product_id), items in groupby(ordered, key=place_of):
        product = question.spoken_of.get(product_id)
        title = product.name if product else product_id or WHOLE_SHOP
        groups.append("\n\n".join([f"# {_on_one_line(title)}", *map(_source, items)]))
    return "\n\n".join(groups)


def customer_text(user: User) -> str:
    """Who asks, a line for each thing that is known."""
    known = {"role": user.role, "region": user.region, "membership": user.membership}
    known |= {f"prefers {name}": value for name, value in sorted(user.preferences.items())}
    return "\n".join(_on_one_line(f"{name}: {value}") for name, value in known.items() if value) or "nothing is known"


def _on_one_line(text: str) -> str:
    """A name or value that adds no line of its own."""
    return contained(" ".join(text.split()))


def _source(item: Evidence) -> str:
    label = SOURCE_TABLE[item.source_type].label
    head = " > ".join(dict.fromkeys(filter(None, (item.title, item.section))))
    return f"{marker_of(item.evidence_id)} {label}: {_on_one_line(head)}\n{contained(item.text)}"
