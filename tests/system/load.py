"""Many visitors at once, and somebody of the shop beside them.

As a benchmark of a page that is being served: `python -m tests.system.load http://localhost:8501 --seconds 300`.
"""

import argparse
import asyncio
import random
import resource
import shutil
import time
from dataclasses import dataclass, field

import numpy as np
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.system.visits import FLAGS, TURN_MS

VIEWS = ("Feedback", "Quality", "Gaps")
READING_S = 10.0
"""For which a visitor reads an answer before asking again."""


@dataclass
class Load:
    """What happened.

    Attributes:
        waits_s: Seconds from a question to its answer on the page.
        looks_s: Seconds until a view of the staff page had come to rest.
        thumbs: Thumbs that were pressed.
        crossed: Questions on a visitor's page that are not theirs, and theirs that are missing.
    """

    waits_s: list[float] = field(default_factory=list)
    looks_s: list[float] = field(default_factory=list)
    thumbs: int = 0
    crossed: list[str] = field(default_factory=list)


async def visited(address: str, *, visitors: int, seconds: float, reading_s: float = 0.0) -> Load:
    """Let visitors ask one question after the other, each in a browser context of their own, and somebody watch them.

    They come one by one, within the time that one of them reads, as nobody opens the page in the same instant.

    Args:
        address: Of the page.
        visitors: How many.
        seconds: After which nobody asks any more.
        reading_s: What each waits after an answer, and the shop's person after a view.
    """
    load, end = Load(), time.monotonic() + seconds
    async with async_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
        pages = [await _new_page(browser) for _ in range(visitors)]
        asking = [_ask_until(page, address, number, end, reading_s, load) for number, page in enumerate(pages)]
        await asyncio.gather(*asking, _look_until(await _new_page(browser), address, end, reading_s, load))
        await browser.close()
    return load


async def _new_page(browser: Browser) -> Page:
    """In a context of its own: a browser of its own to the application."""
    page = await (await browser.new_context()).new_page()
    page.set_default_timeout(TURN_MS)
    return page


async def _ask_until(page: Page, address: str, visitor: int, end: float, reading_s: float, load: Load) -> None:
    await asyncio.sleep(random.uniform(0, reading_s))  # noqa: S311 - chance decides who comes when
    await page.goto(address)
    await _rest(page)
    asked: list[str] = []
    while not asked or time.monotonic() < end:
        asked.append(f"How heavy is the Aurora X2? Note {visitor}-{len(asked)}.")
        await _rest(page)
        box = page.locator('[data-testid="stChatInput"] textarea')
        await box.fill(asked[-1])
        begun = time.monotonic()
        await box.press("Enter")
        # An expectation would be looked at once a second, this is at every frame.
        await page.locator(".turn").nth(len(asked) - 1).wait_for(timeout=TURN_MS)
        load.waits_s.append(time.monotonic() - begun)
        await _rest(page)
        await page.locator("[class*=st-key-feedback-] button").last.click()
        load.thumbs += 1
        await asyncio.sleep(reading_s)
    await _rest(page)
    await page.reload()
    await expect(page.locator(".turn")).to_have_count(len(asked), timeout=TURN_MS)
    shown = await page.locator(".question").all_inner_texts()
    load.crossed += sorted(set(shown) ^ set(asked))


async def _look_until(page: Page, address: str, end: float, reading_s: float, load: Load) -> None:
    while not load.looks_s or time.monotonic() < end:
        begun = time.monotonic()
        await page.goto(f"{address}/staff?view={VIEWS[len(load.looks_s) % len(VIEWS)]}")
        await expect(page.get_by_role("radio").first).to_be_visible(timeout=TURN_MS)
        await _rest(page)
        load.looks_s.append(time.monotonic() - begun)
        await asyncio.sleep(reading_s)


async def _rest(page: Page) -> None:
    await page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=TURN_MS)


def main() -> None:
    """Print how long visitors waited."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument(
        "--reading", type=float, default=READING_S, help="seconds between an answer and the next question"
    )
    given = parser.parse_args()
    load = asyncio.run(visited(given.address, visitors=given.visitors, seconds=given.seconds, reading_s=given.reading))
    for name, waits in (("questions", load.waits_s), ("staff views", load.looks_s)):
        half, most = np.percentile(waits, (50, 95))
        print(f"{len(waits)} {name}: half within {half:.2f} s, 95 of 100 within {most:.2f} s")  # noqa: T201 - what it is for
    browsers = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"The browsers computed for {browsers.ru_utime + browsers.ru_stime:.0f} s, all cores together")  # noqa: T201
    print(f"{load.thumbs} thumbs; questions on the wrong page: {len(load.crossed)}")  # noqa: T201


if __name__ == "__main__":
    main()
