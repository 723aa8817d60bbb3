"""The report of the chunking ablations: tables, and what was chosen and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.bootstrap import mean_interval
from evals.metrics.information_retrieval import average_precision, hit
from evals.report import Metric, mean_metric
from evals.reports.chunking_ablation import (
    CHUNKERS,
    DEFAULT,
    METADATA,
    SIZES,
    SPLITS,
    WIDE_SIZES,
    WIDE_WINDOW,
    Configuration,
    Measured,
    RankedDocuments,
)
from ingestion.chunking.packing import OVERLAP_TOKENS
from ingestion.encoder import MAX_TOKENS

DEPTH = 5
SEARCHES = {"dense": "dense search alone", "fused": "the search that ships"}

Table = Mapping[str, Configuration]


@dataclass(frozen=True, slots=True)
class ChunkingMetrics:
    """What a search reaches over the first five documents: Hit@1 to Hit@5, and mAP with its interval."""

    hits: tuple[float, ...]
    mean_average_precision: Metric

    @classmethod
    def of(cls, judged: Sequence[RankedDocuments]) -> "ChunkingMetrics":
        """The figures of rankings, of which there is at least one."""
        hits = (sum(hit(one.relevant, k) for one in judged) / len(judged) for k in range(1, DEPTH + 1))
        return cls(tuple(hits), mean_metric(_precisions(judged)))

    def to_dict(self) -> dict[str, Any]:
        """The figures by the names of the contract."""
        hits = {f"hit@{k}": round(value, 6) for k, value in enumerate(self.hits, start=1)}
        return hits | {"map": self.mean_average_precision.model_dump(mode="json")}


def as_json(measured: Sequence[Measured]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "component": "chunking",
        "default": DEFAULT.folder,
        "rows": [
            {
                "pack": one.pack,
                "split": one.split,
                "chunker": one.configuration.options.chunker,
                "chunk_tokens": one.configuration.options.chunk_tokens,
                "metadata": one.configuration.options.metadata,
                "window": one.configuration.window,
                "chunks": one.chunks,
                "mean_tokens": one.tokens,
                **{search: ChunkingMetrics.of(getattr(one, search)).to_dict() for search in SEARCHES},
            }
            for one in measured
        ],
    }


def as_markdown(measured: Sequence[Measured]) -> str:
    """The report: a table for each ablation and pack, and the choice."""
    parts = [_INTRODUCTION]
    for title, explanation, table in _ABLATIONS:
        parts += [f"## {title}", explanation]
        for pack in dict.fromkeys(one.pack for one in measured):
            parts += [f"### {pack}", "\n".join(_rows(measured, pack, table))]
    parts += ["## What was chosen", *_choice(measured)]
    return "\n\n".join(parts) + "\n"


def _rows(measured: Sequence[Measured], pack: str, table: Table) -> Iterator[str]:
    yield "| | chunks | tokens | search | rows | Hit@1 | Hit@2 | Hit@3 | Hit@4 | Hit@5 | mAP | 95 % |"
    yield "|---|--:|--:|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for split in SPLITS:
        for search in SEARCHES:
            for name, configuration in table.items():
                one = _find(measured, pack, split, configuration)
                figures = ChunkingMetrics.of(getattr(one, search))
                precision = figures.mean_average_precision
                low, high = precision.ci95 or (float("nan"), float("nan"))
                values = " | ".join(f"{value:.3f}" for value in (*figures.hits, precision.value or 0.0))
                label = f"**{name}**" if configuration == DEFAULT else name
                yield (
                    f"| {label} | {one.chunks:,} | {one.tokens:.0f} | {search} | {split}, {precision.n} | {values} "
                    f"| {low:.3f} .. {high:.3f} |"
                )


def _choice(measured: Sequence[Measured]) -> Iterator[str]:
    totals = {name: _chunks(measured, one) for name, one in SIZES.items()}
    most = max(totals, key=lambda name: totals[name])
    yield (
        "Train rows choose, by the mAP of the search that ships. Something else takes the default's place where it is "
        "better on all packs and the 95 % interval of the paired difference lies above 0 on each; among equals fewer "
        f"chunks are less to embed, keep and read: the default makes {_chunks(measured, DEFAULT):,} of all packs, the "
        f"size {most} {totals[most]:,}. Differences to the default:"
    )
    packs = list(dict.fromkeys(one.pack for one in measured))
    lines = [f"| | {' | '.join(f'{pack}, train' for pack in packs)} | takes the default's place |"]
    lines.append(f"|---|{'--:|' * len(packs)}---|")
    better = []
    for name, configuration in _rivals().items():
        gains = [_gain(measured, pack, configuration) for pack in packs]
        wins = all(low > 0 for _, low, _ in gains)
        better += [name] if wins else []
        cells = " | ".join(f"{mean:+.3f} ({low:+.3f} .. {high:+.3f})" for mean, low, high in gains)
        lines.append(f"| {name} | {cells} | {'yes' if wins else 'no'} |")
    yield "\n".join(lines)
    if better:
        yield f"Better on both packs: {', '.join(better)}. **The default should be changed to the best of these.**"
        return
    yield (
        f"None is. The default stays: chunker `{DEFAULT.options.chunker}`, "
        f"`chunk_tokens` {DEFAULT.options.chunk_tokens or 'unset (all there is room for)'}, {OVERLAP_TOKENS} tokens of "
        f"overlap, {'with' if DEFAULT.options.metadata else 'without'} metadata before the text, a window of "
        f"{DEFAULT.window} tokens."
    )


def _chunks(measured: Sequence[Measured], configuration: Configuration) -> int:
    return sum(one.chunks for one in measured if (one.configuration, one.split) == (configuration, SPLITS[0]))


def _rivals() -> dict[str, Configuration]:
    """What could take the default's place, by a name that says what differs."""
    tables = {"chunker": CHUNKERS, "metadata": METADATA, "size": SIZES, f"size, window {WIDE_WINDOW}": WIDE_SIZES}
    named = {f"{kind}: {name}": one for kind, table in tables.items() for name, one in table.items()}
    return {name: one for name, one in named.items() if one != DEFAULT}


def _gain(measured: Sequence[Measured], pack: str, configuration: Configuration) -> tuple[float, float, float]:
    """How much better the train rows of a pack fare than by default: mean and interval of the paired difference."""
    own, usual = (_precisions(_find(measured, pack, "train", one).fused) for one in (configuration, DEFAULT))
    differences = [one - other for one, other in zip(own, usual, strict=True)]
    return (sum(differences) / len(differences), *mean_interval(differences))


def _precisions(judged: Sequence[RankedDocuments]) -> list[float]:
    return [average_precision(one.relevant, one.total, DEPTH) for one in judged]


def _find(measured: Sequence[Measured], pack: str, split: str, configuration: Configuration) -> Measured:
    wanted = (pack, split, configuration)
    return next(one for one in measured if (one.pack, one.split, one.configuration) == wanted)


_INTRODUCTION = f"""# Chunking

Written by `footnote report chunking --out docs/chunking.md`. Every line is an index of its own, made and searched like
a shop's. A document counts at its best chunk; Hit@k and mAP are over the first five documents, of the questions that
have one. The query is the question after the user's turn before it, if there is one. `dense` ranks by the embedding
alone, as the paper does; `fused` is {SEARCHES["fused"]}. Train rows choose; test rows only report. Tokens are the mean
of a chunk's text, without what is embedded before it; chunks overlap by up to {OVERLAP_TOKENS} tokens. The default is
set in bold."""

_ABLATIONS: Sequence[tuple[str, str, Table]] = (
    (
        "Chunkers",
        (
            f"Each fills the window of {MAX_TOKENS} tokens, special tokens and metadata included. Only the recursive "
            "chunker keeps to headings, lists and tables; the others cut the running text."
        ),
        CHUNKERS,
    ),
    (
        "Metadata",
        (
            "Title, section, description and keywords, embedded before the text of a chunk or not; the words of a "
            "chunk's title are searched in both."
        ),
        METADATA,
    ),
    (
        "Chunk sizes within the window",
        f"Most tokens of a chunk's text, where the model sees {MAX_TOKENS} in all.",
        SIZES,
    ),
    (
        "Chunk sizes beyond the window",
        f"The same with the model's window raised to {WIDE_WINDOW} tokens; it was trained with {MAX_TOKENS}.",
        WIDE_SIZES,
    ),
)
