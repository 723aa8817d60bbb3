"""Shop sentences to learn from: answers written from evidence, and the same made false in one thing.

False are those with another figure, unit or name, with a "not" more or less, and those beside other evidence, such as
that of a sibling whose name goes on. Half of all name a product, because people wrote these answers on a page that said
which one is meant.
"""

import random
import re
from collections.abc import Sequence

from graph.support.packs import Answered, Judged
from graph.support.swaps import swaps
from graph.support.wording import read

GROUP = "shop"
_NAMED_SHARE = 0.6
_LOOKED_AT = 200
_SUBJECT = re.compile(
    r"(?i)(it|this|this \w+|the \w+)(?= (?:is|has|can|will|weighs|does|comes|includes|measures|supports|holds)\b)"
)
_FIRST = (
    "Larch Osprey Delmar Quill Harrow Zephyr Nimbus Tavira Corvid Maple Brightfield Sorrel Ashdown Kelpie Monarch "
    "Ridgeline Tamsin Vesper Juno Orlan"
).split()
_LAST = ("", "", " 2", " 3", " X1", " 14", " Pro", " Mini", " Kettle", " Tent")
_LONGER = ("Pro", "Max", "Lite", "Plus", "Air", "II", "Down", "Sport")
_TITLES = ("{}", "{} specifications", "{} description", "{} features", "{} review", "{} customer Q&A")


def shop_rows(answered: Sequence[Answered], seed: int = 7) -> list[Judged]:
    """Make true and false sentences of answers.

    Args:
        answered: Answers; one whose figures its evidence does not have teaches nothing and is left out.
        seed: Other seeds change other things.
    """
    source = random.Random(seed)  # noqa: S311 - reproducible, no secret
    contents = [read(one.evidence).content for one in answered]
    rows = []
    for one in answered:
        if _figures_stand(one):
            claim, title, longer = _named(one.answer, source)
            evidence = (f"{title}\n{one.evidence}" if title else one.evidence,)
            rows.append(Judged(claim, evidence, label=True, group=GROUP, source=one.product))
            rows += [
                Judged(text, evidence, label=False, group=f"{GROUP} {kind}", source=one.product)
                for kind, text in swaps(claim, source).items()
            ]
            if longer:
                shown = (f"{longer}\n{one.evidence}",)
                rows.append(Judged(claim, shown, label=False, group=f"{GROUP} longer name", source=one.product))
            other = _alike(one, answered, contents, source)
            shown = (f"{title}\n{other}" if title else other,)
            rows.append(Judged(claim, shown, label=False, group=f"{GROUP} other evidence", source=one.product))
    return rows


def _figures_stand(one: Answered) -> bool:
    """Whether each figure of an answer stands in its evidence, with its unit where there it has any."""
    there = read(one.evidence).quantities
    values = {quantity.value for quantity in there}
    units = {(quantity.value, quantity.unit) for quantity in there}
    return all(
        quantity.value in values and (quantity.unit is None or (quantity.value, quantity.unit) in units)
        for quantity in read(one.answer).quantities
    )


def _named(answer: str, source: random.Random) -> tuple[str, str | None, str | None]:
    """An answer with a product's name in it, the title of evidence about that, and of a sibling with a longer name.

    Often neither name nor titles.
    """
    subject = _SUBJECT.match(answer)
    if subject is None or source.random() >= _NAMED_SHARE:
        return answer, None, None
    name = source.choice(_FIRST) + source.choice(_LAST)
    title, longer = source.choice(_TITLES), f"{name} {source.choice(_LONGER)}"
    return f"The {name}{answer[subject.end() :]}", title.format(name), title.format(longer)


def _alike(
    one: Answered, answered: Sequence[Answered], contents: Sequence[frozenset[str]], source: random.Random
) -> str:
    """Of some evidence about other products that which shares the most words with a question and its answer."""
    asked = read(one.answer).content | read(one.question).content
    drawn = source.sample(range(len(answered)), min(_LOOKED_AT, len(answered)))
    strangers = [place for place in drawn if answered[place].product != one.product] or drawn
    return answered[max(strangers, key=lambda place: len(asked & contents[place]))].evidence
