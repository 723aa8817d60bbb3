"""English words that say nothing about what a text is about, left out of full-text queries.

Only whole closed classes; a question made of nothing else keeps them all.
"""

FUNCTION_WORDS = frozenset(
    # articles, determiners, conjunctions, prepositions
    "a an the this that these those some any and or but if then than so as of in on at by for from with to into about"
    # pronouns
    " i me my you your he him his she her it its we us our they them their"
    # forms of be, do, have and the modal verbs
    " am is are was were be been being do does did have has had can could will would shall should may might must"
    # question words, and what is left of contractions
    " what which who whom whose when where why how there not s t re ve ll d m".split(" ")
)
