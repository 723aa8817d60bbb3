"""Closed classes of English words that never name a product by themselves."""

ARTICLES = frozenset({"the", "a", "an"})

DEFINITE = frozenset("the this that these those your my our its their his her".split())
"""Determiners after which a partial name means one certain product."""

INDEFINITE = frozenset("a an any some what which how many much more most other another every each all no".split())
"""Determiners after which a noun means a kind of product, not one of them."""

PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself he him his she her hers it its itself we us our ours they them their
    theirs themselves one ones this that these those somebody someone something anybody anyone anything nobody nothing
    everybody everyone everything""".split()
)

AUXILIARIES = frozenset(
    """is are was were be been being am do does did done doing have has had having can could will would shall should may
    might must isn aren wasn weren don doesn didn haven hasn hadn couldn won wouldn shouldn""".split()
)

PREPOSITIONS = frozenset(
    """in on at to from for with without by as into onto about over under up down out off of than between within during
    after before through per via until since against around like inside outside near versus vs""".split()
)

CONJUNCTIONS = frozenset("and or but if nor so then because while though although whether".split())

QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())

PARTICLES = frozenset(
    """not n t s re ve ll d m yes no ok okay please also too very just only really still even ever never already now
    there here again else instead well hi hello hey thanks thank maybe""".split()
)

FUNCTION_WORDS = (
    ARTICLES | DEFINITE | INDEFINITE | PRONOUNS | AUXILIARIES | PREPOSITIONS | CONJUNCTIONS | QUESTION_WORDS | PARTICLES
)
"""All of them; "plus" is none of them, for it is part of names."""

REQUEST_VERBS = frozenset(
    """show list find search browse see sell stock carry offer recommend suggest want need look looking looks buy get
    give have has got there""".split()
)
"""Verbs after which a bare noun is what is looked for ("do you sell lipstick"), not a product that is known."""
