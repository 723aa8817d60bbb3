"""The benchmark of catalog search: what it makes, what it counts, and how it tells it."""

from io import StringIO

from rich.console import Console

from evals.benches.catalog import CatalogBenchmark, generated_catalog, generated_queries, measure_size, print_benchmark

NAMES = 400


def test_a_catalog_is_made_again_the_same_with_no_name_twice() -> None:
    catalog = generated_catalog(NAMES)
    assert catalog == generated_catalog(NAMES)
    assert len({product.name for product in catalog.values()}) == NAMES


def test_texts_name_their_product_and_strangers_name_none() -> None:
    catalog = generated_catalog(NAMES)
    queries = generated_queries(catalog, 60)
    assert {query.kind for query in queries} == {"whole", "misspelt", "partial", "reordered", "question", "stranger"}
    for query in queries:
        if query.gold is None:
            assert query.kind == "stranger"
        else:
            assert catalog[query.gold].name.split()[2].lower() in query.text.lower()


def test_both_searches_are_measured_on_the_same_texts_and_told_side_by_side() -> None:
    size = measure_size(NAMES, plain=True)
    assert size.plain is not None
    assert size.ours.hit > 0.9
    assert size.ours.found["whole"] == size.plain.found["whole"] == 1
    assert size.ours.invented < size.plain.invented
    written = StringIO()
    print_benchmark(Console(file=written, width=120), CatalogBenchmark(queries=300, sizes=[size]))
    assert "plain" in written.getvalue()
    assert f"{size.ours.hit:.3f}" in written.getvalue()
