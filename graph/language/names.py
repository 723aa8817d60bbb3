"""Names in a text: the patterns by which a product's name is found, each built once."""

import re
from functools import lru_cache

LONGEST = 300
"""Characters of a name that are looked for; what is longer is known by its beginning."""


@lru_cache(maxsize=2048)
def name_pattern(name: str, before: str = r"(?<!\w)", behind: str = r"(?!\w)") -> re.Pattern[str]:
    """The pattern of a whole name, in any case.

    Args:
        name: The name.
        before: Pattern of what stands before it; by itself, nothing that continues a word.
        behind: Pattern of what stands behind it.
    """
    return re.compile(rf"(?i){before}{re.escape(name[:LONGEST])}{behind}")
