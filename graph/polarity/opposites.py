"""Words of the trade that answer each other: a statement with the one denies a question with the other."""

from functools import cache

from graph.support.contradiction import opposites as general

_PAIRS = (
    (
        "hard difficult tough complicated tricky challenging",
        "easy easily easier ease simple simply effortless effortlessly breeze straightforward quick beginner beginners",
    ),
    ("sturdy durable strong solid rugged heavy-duty", "flimsy fragile weak thin wobbly broke breaks brittle delicate"),
    ("loud noisy", "quiet quietly silent silently whisper"),
    ("new", "used repackaged refurbished opened"),
    ("real genuine authentic actual", "fake imitation faux replica pretend mock"),
    ("soft comfortable plush cuddly", "hard stiff rough scratchy uncomfortable rigid"),
    ("sharp", "safe blunt dull"),
    ("loose baggy", "tight snug"),
    ("shiny glossy", "matte dull"),
    ("clear transparent see-through", "opaque solid"),
    ("bright", "dim dull"),
    ("permanent", "temporary washable removable"),
    ("outside outdoors outdoor", "indoors indoor"),
    ("twin", "full queen king"),
    ("full", "twin queen king"),
    ("wireless cordless", "corded wired plug plugs cord"),
    ("disposable", "reusable refillable"),
    ("manual", "automatic electric"),
    ("plain", "patterned printed"),
)
"""Groups that part in two; the first group is asked for, or the second."""


@cache
def opposites_of(word: str) -> frozenset[str]:
    """What says the opposite of a word."""
    found = set(general().get(word, ()))
    for one, other in _PAIRS:
        if word in one.split():
            found |= set(other.split())
        if word in other.split():
            found |= set(one.split())
    return frozenset(found)
