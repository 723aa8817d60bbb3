"""Strings that run scripts in careless pages, in every text a stranger can give: none runs, also without the policy."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ingestion.ingest import ingest
from tests.system.visits import TURN_MS, Serve, ask

pytestmark = pytest.mark.system

STRINGS = [
    "<script>ran()</script>",
    "<ScRiPt>ran()</sCrIpT>",
    "<script src=data:text/javascript,ran()></script>",
    "<script/x>ran()</script>",
    "<scr<script>ipt>ran()</scr</script>ipt>",
    "</script><script>ran()</script>",
    "</style><script>ran()</script>",
    "</title><script>ran()</script>",
    "</textarea><script>ran()</script>",
    "--><script>ran()</script>",
    "]]><script>ran()</script>",
    "<img src=x onerror=ran()>",
    "<img src=x onerror='ran()'>",
    '"><img src=x onerror=ran()>',
    "'><img src=x onerror=ran()>",
    "<img src=x:x onerror\n=ran()>",
    "<img/src=x/onerror=ran()>",
    "<IMG SRC=x ONERROR=ran()>",
    "<image src=x onerror=ran()>",
    '<img src="x" onerror="&#114;an()">',
    "<svg onload=ran()>",
    "<svg/onload=ran()>",
    "<svg><script>ran()</script></svg>",
    "<svg><animate onbegin=ran() attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:ran()><text y=20>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=ran()>",
    "<body onload=ran()>",
    "<iframe src=javascript:ran()></iframe>",
    "<iframe srcdoc='<script>parent.ran()</script>'></iframe>",
    "<object data=javascript:ran()></object>",
    "<embed src=javascript:ran()>",
    "<video><source onerror=ran()></video>",
    "<audio src=x onerror=ran()>",
    "<details open ontoggle=ran()>",
    "<input autofocus onfocus=ran()>",
    "<select autofocus onfocus=ran()>",
    "<marquee onstart=ran()>",
    "<a href=javascript:ran()>press</a>",
    "[press](javascript:ran())",
    '![x](x" onerror="ran())',
    "<form action=javascript:ran()><button>press</button></form>",
    "<meta http-equiv=refresh content='0;url=javascript:ran()'>",
    "<link rel=stylesheet href=javascript:ran()>",
    "<base href=javascript:ran()//>",
    '" onmouseover="ran()" x="',
    "' autofocus onfocus='ran()' x='",
    "`${ran()}`",
    "{{constructor.constructor('ran()')()}}",
    "javascript:ran()",
    "\u003cimg src=x onerror=ran()\u003e \\u003cscript\\u003eran()\\u003c/script\\u003e &lt;script&gt;ran()",
    "$$\\href{javascript:ran()}{x}$$ :material/<img src=x onerror=ran()>:",
]
TEXTS = [" ".join(STRINGS[first : first + 2]) for first in range(0, len(STRINGS), 2)]
"""Two to a text: a careless page would run either."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> str:
    """The page over a shop in which every text is such a string."""
    shop, index = tmp_path_factory.mktemp("shop"), tmp_path_factory.mktemp("index")
    _write_shop(shop)
    assert ingest([shop], index).products == len(TEXTS)
    return serve(index)


def _write_shop(folder: Path) -> None:
    products = [
        {
            "id": f"p{number}",
            "name": f"Lamp {number} {text}",
            "brand": f"Brand {text}",
            "category": [f"Lights {text}", "Lamps"],
            "url": "javascript:ran()" if number % 2 else f'https://shop.example/"onmouseover="ran()"{number}',
            "price": {"amount": 10 + number, "currency": "USD"},
            "attributes": {"Weight": f"{number + 1} kg", f"Made {text}": f"well {text}"},
            "features": [f"Bright {text}"],
            "description": f"A lamp. {text}",
        }
        for number, text in enumerate(TEXTS)
    ]
    reviews = [
        {
            "id": f"r{number}",
            "product_id": f"p{number}",
            "title": f"Great {text}",
            "rating": 5,
            "text": f"It is great. {text}",
        }
        for number, text in enumerate(TEXTS)
    ]
    for name, rows in (("products", products), ("reviews", reviews)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for number, text in enumerate(TEXTS):
        name = f"Returning {number} {text}".replace("/", "∕").replace("\n", " ")[:120]  # noqa: RUF001 - no slash in names
        (folder / f"{name}.md").write_text(
            f"# Returning lamps {text}\n\nLamps can be returned in {number + 20} days.\n"
        )
    regions = "\n".join(f'{json.dumps(text)} = ["{number:05}"]' for number, text in enumerate(TEXTS))
    (folder / "shop.toml").write_text(f"[regions]\n{regions}\n")


def test_no_script_runs(browser: Browser, address: str) -> None:
    context = browser.new_context(bypass_csp=True)
    ran: list[str] = []
    context.expose_function("ran", lambda: ran.append("a script"))
    page = context.new_page()
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    assert len(STRINGS) >= 50
    page.goto(address)
    page.evaluate("ran()")
    assert ran.pop(), "this would be seen"
    for number, text in enumerate(TEXTS):
        _visit(page, address, number, text)
        assert not ran, text
    context.close()


def _visit(page: Page, address: str, number: int, text: str) -> None:
    """Look at a product, say the text as region and question, and open all that the answer offers."""
    page.goto(f"{address}/?product=p{number}")
    page.locator(".card .title").wait_for(timeout=TURN_MS)
    if number % 5 == 0:
        page.locator("[class*=st-key-about-you] summary").click()
        region = page.locator("[class*=st-key-region] input")
        region.fill(text)
        region.press("Enter")
    ask(page, f"What is the weight, what do reviews say, can I return it? {text}", turn=1)
    for opener in page.locator(".turn details > summary").all():
        if opener.is_visible():
            opener.click()
    page.mouse.move(300, 300)


def test_a_thread_of_such_a_name_and_any_other_part_of_the_address_run_nothing(browser: Browser, address: str) -> None:
    context = browser.new_context(bypass_csp=True)
    ran: list[str] = []
    context.expose_function("ran", lambda: ran.append("a script"))
    page = context.new_page()
    for text in STRINGS[::7]:
        page.goto(f"{address}/?{'&'.join(f'{name}={_quoted(text)}' for name in ('thread', 'product', 'x'))}")
        expect(page.get_by_text("This conversation was not found.")).to_be_visible(timeout=TURN_MS)
        assert not ran, text
    context.close()


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())
