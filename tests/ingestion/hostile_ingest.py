"""Ingests a shop in a process of its own and prints the most memory, in KiB, that it took."""

import json
import re
import sys
from pathlib import Path

from ingestion.chunking import Cutter
from ingestion.limits import ReadingLimits
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import discover
from ingestion.shop import read_shop


class _WordCounter:
    fingerprint = "words@1"
    max_tokens = 256

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode(self, texts: object) -> object:
        raise NotImplementedError


def main() -> None:
    folder, limits = Path(sys.argv[1]), ReadingLimits.model_validate_json(sys.argv[2])
    with Confined(limits) as reading:
        cutter = Cutter(_WordCounter())  # type: ignore[arg-type]  # nothing is embedded
        shop = read_shop(discover([folder]), cutter, lambda _done, _total: None, reading)
    peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    told = [str(issue) for issue in shop.skipped]
    print(json.dumps({"kib": int(peak[1]) if peak else 0, "told": told, "evidence": list(shop.evidence)}))  # noqa: T201


if __name__ == "__main__":
    main()
