"""The sizes that a bench of growth measures, so that one run shows how time and memory grow."""

SMALLEST = 10_000
_STEP = 10


def sizes_up_to(largest: int) -> list[int]:
    """Sizes each ten times the one before, from ten thousand on, and the largest."""
    sizes = []
    size = SMALLEST
    while size < largest:
        sizes.append(size)
        size *= _STEP
    return [*sizes, largest]
