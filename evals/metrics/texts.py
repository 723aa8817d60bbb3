r"""How texts are compared: folded as a reader sees them, and word by word with what people wrote.

Of several standalone questions the likest one counts. Exact match, token F1 and ROUGE-1 recall (Lin, 2004) compare
words, `\w+` of the lower-cased text; BLEU (Papineni et al., 2002) is that of sacrebleu (Post, 2018), lower-cased, from
0 to 100, against the first of several.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from evals.report import Metric, Rows, statistic_metric

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201b\u02bc"
_DOUBLE_QUOTES = "\u201c\u201d\u201f"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_ALIKE = str.maketrans(
    dict.fromkeys(_DASHES, "-") | dict.fromkeys(_SINGLE_QUOTES, "'") | dict.fromkeys(_DOUBLE_QUOTES, '"')
) | dict.fromkeys(map(ord, _INVISIBLE))

_MARKER = re.compile(r" ?\[(\d+)\]")


def fold(text: str) -> str:
    """Fold case, white space of every width, dashes and quotation marks; drop what is invisible."""
    return " ".join(text.translate(_ALIKE).casefold().split())


def contains(text: str, part: str) -> bool:
    """Whether a text holds another one, both folded."""
    return fold(part) in fold(text)


def same(text: str, other: str) -> bool:
    """Whether two texts are alike once folded."""
    return fold(text) == fold(other)


def without_markers(answer: str) -> str:
    """The answer's words, without markers and the space before them."""
    return _MARKER.sub("", answer)


_WORD = re.compile(r"\w+")


def tokens(text: str) -> tuple[str, ...]:
    """The words that are compared."""
    return tuple(_WORD.findall(text.lower()))


def exact_match(rewrite: str, golds: Sequence[str]) -> bool:
    """Whether the words are those of a gold question, in its order."""
    return tokens(rewrite) in map(tokens, golds)


def token_f1(rewrite: str, golds: Sequence[str]) -> float:
    """Harmonic mean of the precision and the recall of words, each counted as often as it occurs."""
    return max(_token_f1(tokens(rewrite), tokens(gold)) for gold in golds)


def rouge1_recall(rewrite: str, golds: Sequence[str]) -> float:
    """Share of the words of a gold question that the rewrite has."""
    return max(_recall(tokens(rewrite), tokens(gold)) for gold in golds)


def bleu_metric(rewrites: Sequence[str], golds: Sequence[str]) -> Metric:
    """Corpus BLEU of rewrites against one gold question each; null over none."""
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415 - heavy

    sentence = BLEU(lowercase=True, effective_order=True).sentence_score
    scores = [sentence(rewrite, [gold]) for rewrite, gold in zip(rewrites, golds, strict=True)]
    counted = np.array([[*score.counts, *score.totals, score.sys_len, score.ref_len] for score in scores])

    def corpus_bleu(rows: Rows) -> float:
        *matched, sys_len, ref_len = map(int, counted[rows].sum(axis=0))
        orders = len(matched) // 2
        score = BLEU.compute_bleu(matched[:orders], matched[orders:], sys_len, ref_len, smooth_method="exp")
        return float(score.score)

    return statistic_metric(len(rewrites), corpus_bleu)


def _token_f1(rewrite: Sequence[str], gold: Sequence[str]) -> float:
    words = len(rewrite) + len(gold)
    return 2 * _shared(rewrite, gold) / words if words else 1.0


def _recall(rewrite: Sequence[str], gold: Sequence[str]) -> float:
    return _shared(rewrite, gold) / len(gold) if gold else 1.0


def _shared(rewrite: Sequence[str], gold: Sequence[str]) -> int:
    return (Counter(rewrite) & Counter(gold)).total()
