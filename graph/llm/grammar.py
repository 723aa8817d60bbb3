"""The grammar that a cited answer is decoded under: a source that was not given cannot be written.

EBNF in the dialect of vLLM's structured outputs (xgrammar's GBNF). It gives exactly what `SentenceStream` reads, and
less than that reads: a full stop is never followed by a space inside a sentence, so that every sentence has its own
markers. Counts are bounded, so that even random choices come to an end.

The text is one rule of few, broad character classes that counts words, and bounds the length of the last one alone:
a longer text must come to its last word, which must come to an end. With a vocabulary of 150,000 tokens a rule for
each unit of text takes the matcher over 100 ms a token, and a bound on all characters takes seconds to compile.
"""

from collections.abc import Sequence

from graph.llm.evidence_markers import marker_of

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
answer ::= (lines | (lines "\n")? (leadin "\n")? table) ("\nmissing: " words)?
lines ::= line ("\n" line){{0,9}}
line ::= prose | leadin "\n" item | item
prose ::= ("Yes. " | "No. ")? sentence (" " sentence){{0,2}}
item ::= ("- " | [1-9] ". ") sentence
leadin ::= words ":"
sentence ::= words " " markers (","? " " words " " markers)? [.!?]
words ::= last | [^{_UNSAID}]+ (" " [^{_UNSAID}]+ | {_INNER} [^{_UNSAID}]*){{0,24}} [ {_MARKS}] last
last ::= [^{_UNSAID}]{{1,24}}
table ::= "|" head{{2,5}} "\n|" " --- |"{{2,5}} row{{1,8}}
head ::= " " (words " ")? "|"
row ::= "\n| " words " |" cell{{1,4}}
cell ::= " " (words " " markers | "-") " |"
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
