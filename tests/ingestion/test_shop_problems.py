"""Problems and notes of a whole shop: each is told with its file, and the rest is read."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ingestion.shop import Shop

WriteShop = Callable[[Mapping[str, object]], Path]
MakePdf = Callable[..., bytes]
ReadShop = Callable[[Path], Shop]


def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    write_shop: WriteShop, read: ReadShop, make_pdf: MakePdf
) -> None:
    secret = "00" * 32
    encrypt = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -4 >> /ID [<00> <00>]"
    shop = read(
        write_shop(
            {
                "good.md": "Text.",
                "secret.pdf": make_pdf([], trailer=encrypt),
                "scan.pdf": make_pdf([], []),
                "half.pdf": make_pdf([(72, 100, 10, "Text")])[:300],
                "old.docx": b"\xd0\xcf\x11\xe0",
            }
        )
    )
    assert list(shop.evidence) == ["help_article:good"]
    assert [str(issue) for issue in shop.skipped] == [
        "half.pdf: cannot be read: it is damaged or no PDF",
        "old.docx: cannot be read: it is no .docx file, or encrypted; save it as .docx without a password",
        "scan.pdf: has no text (a scan?)",
        "secret.pdf: cannot be read: it is encrypted; save a copy without a password",
    ]


def test_what_is_mended_is_used_and_a_guess_is_told(write_shop: WriteShop, read: ReadShop) -> None:
    shop = read(
        write_shop(
            {
                "products.csv": "id,name\np1,AT&amp;T caf\xe9\n,\np1,AT&amp;T caf\xe9\n".encode("cp1252"),
                "help/a.txt": "CafÃ© is open.",
            }
        )
    )
    assert list(map(str, shop.notes)) == ["products.csv: is read as cp1252"]
    assert shop.evidence["help_article:help/a"].text == "Café is open."
    assert shop.skipped == []
    assert shop.products["p1"].name == "AT&T café"


def test_words_of_the_shop_that_share_an_id_are_told(write_shop: WriteShop, read: ReadShop) -> None:
    shop = read(
        write_shop({"a.md": "Text.", "shop.toml": '[glossary]\n"C" = "A grade."\n"C++" = "Better."\n"☂" = "Wet."'})
    )
    assert list(shop.evidence) == ["help_article:a", "help_article:glossary/c", "help_article:glossary/☂"]
    assert [str(issue) for issue in shop.skipped] == [
        "shop.toml: the word 'C++' has the id 'help_article:glossary/c', which was read before and is kept"
    ]


def test_a_row_that_cannot_be_understood_is_a_problem_and_the_others_are_read(
    write_shop: WriteShop, read: ReadShop
) -> None:
    odd = {"id": "p1", "name": "Heron", "attributes": [{"name": ["a"], "value": 1}]}
    shop = read(write_shop({"products.jsonl": [odd, {"id": "p2", "name": "Wren"}]}))
    assert list(shop.products) == ["p2"]
    assert [str(issue) for issue in shop.skipped] == [
        "products.jsonl:1: attributes must be an object of names and values"
    ]


def test_a_value_that_cannot_be_read_is_told_and_its_row_is_kept(write_shop: WriteShop, read: ReadShop) -> None:
    row = {"id": "p1", "name": "Heron", "price": "from 5 EUR", "description": "Light."}
    shop = read(write_shop({"products.jsonl": [row]}))
    assert (shop.products["p1"].price, shop.evidence["description:p1"].text) == (None, "Light.")
    assert [str(issue) for issue in shop.skipped] == [
        "products.jsonl:1: price is left out: 'from 5 EUR' is not one amount; the rest of the row is kept"
    ]


def test_what_is_about_a_product_that_is_not_listed_is_kept_and_told(write_shop: WriteShop, read: ReadShop) -> None:
    facts = [{"id": one, "source_type": "offer", "text": "T", "product_id": one} for one in ("p1", "p2", "p3")]
    shop = read(
        write_shop(
            {
                "facts.jsonl": [*facts, {"id": "all", "source_type": "offer", "text": "T"}],
                "products.jsonl": [{"id": "p2", "name": "Wren"}],
                "a.md": "---\nproduct_id: p9\n---\nText.",
            }
        )
    )
    assert {"offer:p1", "offer:p2", "offer:p3", "offer:all", "manual:a"} <= set(shop.evidence)
    assert [str(one).partition(";")[0] for one in shop.notes] == [
        "facts.jsonl:1: no product has the id 'p1'",
        "facts.jsonl:3: no product has the id 'p3'",
        "a.md: no product has the id 'p9'",
    ]
