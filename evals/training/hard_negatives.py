"""Hard negatives: sentences of the same shop that are near to a question and do not answer it."""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from evals.training.reader_examples import ShopLessons, ShopQuestion

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DRAWN, NEAREST = 1, 12
"""Drawn for each question from so many nearest ones."""
SAME = 0.8
"""Cosine to the right sentence from which on another is taken to say the same."""
NEARER = 0.1
"""What is so much nearer to the question than the right sentence may well answer too."""
LOOKED_AT = 40


def hard_negatives(lessons: ShopLessons, encoder: "SentenceTransformer", random: Random) -> list[list[str]]:
    """For each question of a shop, a few sentences that sound close.

    Args:
        lessons: The shop.
        encoder: Tells what is near; the better it is taught, the harder they are.
        random: Draws among the nearest.
    """
    sentences = list(dict.fromkeys([*lessons.chunks, *(one.sentence for one in lessons.questions)]))
    place = {sentence: at for at, sentence in enumerate(sentences)}
    vectors = encoder.encode(sentences, normalize_embeddings=True)
    asked = encoder.encode([one.text for one in lessons.questions], normalize_embeddings=True)
    found = []
    for question, scores in zip(lessons.questions, asked @ vectors.T, strict=True):
        right = place[question.sentence]
        like = vectors @ vectors[right]
        near = [
            sentences[at]
            for at in np.argsort(-scores, kind="stable")[:LOOKED_AT].tolist()
            if at != right and like[at] < SAME and scores[at] < scores[right] + NEARER
        ]
        others = _not_answering(question, near)[:NEAREST]
        found.append(random.sample(others, min(DRAWN, len(others))))
    return found


def _not_answering(question: ShopQuestion, sentences: Sequence[str]) -> list[str]:
    """Those that are neither part of the answer nor the same words elsewhere."""
    bare = question.sentence.split(": ", 1)[-1]
    return [
        one for one in sentences if one.split(": ", 1)[-1] != bare and not any(also in one for also in question.also)
    ]
