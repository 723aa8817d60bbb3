"""A web page: its main content without what the site repeats, and what its head says about it."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from ingestion.readers.blocks import Outline, ParsedDocument
from ingestion.readers.markup import add_blocks, drop_unread, parsed

_FURNITURE_ROLES = ", ".join(
    f"[role={role}]"
    for role in "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar".split()
)
_FURNITURE_NAMES = re.compile(
    r"(?:^|[-_ ])(?:cookies?|consent|gdpr|onetrust|breadcrumbs?|newsletter|sidebar|navbar|nav|navigation|pagination"
    r"|advert\w*|sr-only|visually-hidden|screen-reader-text|site-header|site-footer|promo"
    r"|related-(?:articles|posts|products))(?:$|[-_ ])",
    re.IGNORECASE,
)
"""Classes and ids of what surrounds a text on many sites."""
_CALLOUT_WORDS = 3
_CONTAINERS = "main, [role=main], article, h1"
_BODIES = "[itemprop=articleBody], #main-content, #main, #content, .main-content, .article-body"
_MIN_MAIN_CHARS = 20
_LINK_SHARE = 0.9
_SITE_SUFFIX = re.compile(r" (?:[|·»–—-]|::) ")


def parse_html(html: str) -> tuple[ParsedDocument, dict[str, str]]:
    """Read an HTML page.

    Returns:
        Its title and main content, and what its head says: `description`, `keywords`, `url`, `updated_at`, `lang`.
    """
    soup = parsed(html)
    meta = dict(_metadata(soup))
    name = _title_element(soup)
    main = _main_content(soup)
    heading = main.find("h1") or soup.find("h1")
    title = " ".join(heading.get_text(" ").split()) if isinstance(heading, Tag) else ""
    outline = Outline()
    add_blocks(main, outline)
    if not outline.blocks:
        # A page of headings alone says what they say.
        headings = (" ".join(tag.get_text(" ").split()) for tag in main.find_all(re.compile("h[1-6]")))
        outline.add("paragraph", "\n".join(filter(None, headings)))
    return ParsedDocument(title or name or None, outline.blocks), meta


def _metadata(soup: BeautifulSoup) -> Iterator[tuple[str, str]]:
    named: dict[str, str] = {}
    for tag in soup.find_all("meta"):
        name = str(tag.get("name") or tag.get("property") or tag.get("itemprop") or "").lower()
        named.setdefault(name, str(tag.get("content") or "").strip())
    link = soup.find("link", rel="canonical")
    canonical = str(link.get("href") or "").strip() if isinstance(link, Tag) else ""
    changed = soup.find("time", itemprop="dateModified")
    root = soup.find("html")
    found: dict[str, list[str | None]] = {
        "description": [named.get("description"), named.get("og:description")],
        "keywords": [named.get("keywords")],
        "url": [url for url in (canonical, named.get("og:url", "")) if re.match(r"https?://", url)],
        "updated_at": [
            *(named.get(name) for name in ("article:modified_time", "og:updated_time", "datemodified")),
            str(changed.get("datetime") or "") if isinstance(changed, Tag) else "",
            *(named.get(name) for name in ("last-modified", "article:published_time", "date")),
        ],
        "lang": [str(root.get("lang") or "") if isinstance(root, Tag) else ""],
    }
    yield from ((name, value) for name, values in found.items() if (value := next(filter(None, values), None)))


def _title_element(soup: BeautifulSoup) -> str:
    """The page's `<title>` without the name of the site."""
    title = " ".join(soup.title.get_text(" ").split()) if soup.title else ""
    parts = _SITE_SUFFIX.split(title)
    site = soup.find("meta", property="og:site_name")
    name = str(site.get("content") or "").strip().casefold() if isinstance(site, Tag) else None
    if len(parts) > 1 and (parts[-1].casefold() == name or (name is None and not re.search(r"\d", parts[-1]))):
        return title[: title.rindex(parts[-1])].rstrip(" |·»–—-:")
    return title


def _main_content(soup: BeautifulSoup) -> Tag:
    """The element that holds the page's own text, freed of what does not belong to it."""
    drop_unread(soup)
    # Where a page has no body tag, its first elements are taken for parts of the head.
    body = soup.html or soup
    main = _marked_main(body) or body
    _drop_asides(main, marked=main is not body)
    _drop_furniture(main)
    if main is body:
        _drop_page_ends(body)
    return main


def _marked_main(body: Tag) -> Tag | None:
    """The element that the page marks as its main content, where that has text."""
    for mains in (body.select("main, [role=main]"), _single(body.select("article")), body.select(_BODIES)):
        longest = max(mains, key=_size, default=None)
        if longest is not None and _size(longest) >= min(_MIN_MAIN_CHARS, _size(body)):
            return longest
    return None


def _single(articles: list[Tag]) -> list[Tag]:
    """The article of a page that has one; several are parts of what the page says, or teasers."""
    outer = [article for article in articles if article.find_parent("article") is None]
    return outer if len(outer) == 1 else []


def _drop_asides(main: Tag, *, marked: bool) -> None:
    """Take out what stands beside the text; within it, a note or a warning is part of it."""
    for tag in main.select("aside"):
        if not tag.decomposed and not ((marked or tag.find_parent("article")) and _is_callout(tag)):
            tag.decompose()


def _is_callout(tag: Tag) -> bool:
    return len(_own_text(tag).split()) >= _CALLOUT_WORDS and not _is_mostly_links(tag)


def _drop_furniture(main: Tag) -> None:
    """Take out navigation, banners and the like; never what holds most of the text."""
    half = _size(main) / 2
    named = (tag for tag in main.select("[class], [id]") if _FURNITURE_NAMES.search(_names(tag)))
    for tag in [*main.select(f"form, {_FURNITURE_ROLES}"), *named]:
        if not tag.decomposed and tag is not main and _size(tag) <= half and not tag.select_one(_CONTAINERS):
            tag.decompose()


def _own_text(tag: Tag) -> str:
    """The text of an element that is no link."""
    return " ".join(str(text) for text in tag.find_all(string=True) if text.find_parent("a") is None)


def _is_mostly_links(tag: Tag) -> bool:
    return 2 * sum(_size(link) for link in tag.find_all("a")) > _size(tag)


def _names(tag: Tag) -> str:
    classes = tag.get("class") or ""
    names = f"{classes if isinstance(classes, str) else ' '.join(classes)} {tag.get('id') or ''}"
    return re.sub(r"([a-z])([A-Z])", r"\1-\2", names)


def _drop_page_ends(body: Tag) -> None:
    """Take the site's head and its lists of links from a page that marks no main content."""
    for tag in body.find_all("header"):
        outermost = tag.parent is not None and tag.parent.name in {"body", "head", "html"}
        if not tag.find_parent(["article", "section"]) and (outermost or not tag.find("h1")):
            tag.decompose()
    for tag in body.find_all(["ul", "ol"]):
        if not tag.decomposed and _is_menu(tag):
            tag.decompose()


def _is_menu(tag: Tag) -> bool:
    links = tag.find_all("a")
    linked = sum(_size(link) for link in links)
    return len(links) > 2 and linked >= _LINK_SHARE * _size(tag)  # noqa: PLR2004 - fewer are a choice


def _size(tag: Tag) -> int:
    return len("".join(tag.get_text().split()))
