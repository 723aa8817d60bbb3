"""Things of which a product is one and seldom another: what it is made of, its colour, its bed size."""

from functools import cache

from graph.language.terms import stem, words

_CLASSES = (
    """wood wooden plastic metal steel aluminum aluminium iron brass glass ceramic leather suede fabric cotton polyester
    nylon wool silk linen denim paper cardboard foam rubber silicone vinyl acrylic resin mdf bamboo velvet fleece canvas
    stone marble granite porcelain latex mesh""",
    """black white red blue green yellow orange purple pink brown grey gray gold silver beige tan teal turquoise navy
    multicolor multi""",
    "twin full queen king crib toddler",
)


@cache
def _class_of(word: str) -> int | None:
    return next((place for place, listed in enumerate(_CLASSES) if word in map(stem, listed.split())), None)


def another_is_stated(question: str, said: str) -> bool:
    """Whether a question names one thing of a class, and a statement others of that class and not this one."""
    asked, given = ({stem(word) for word in words(text)} for text in (question, said))
    classes = {_class_of(word) for word in asked} - {None}
    named = {_class_of(word) for word in given - asked} - {None}
    same = {_class_of(word) for word in given & asked}
    return bool(classes & named - same)
