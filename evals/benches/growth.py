"""What benches of growth share: the sizes they measure, and the memory that a process has held."""

import re
import resource
import sys
from pathlib import Path

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


def peak_bytes() -> int:
    """Most resident memory of this process so far; `getrusage` also counts what its parent held before it started."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))):
        return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def resident_bytes() -> int:
    """Resident memory of this process now; where the system does not say, the most so far."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))):
        return int(found[1]) * 1024
    return peak_bytes()
