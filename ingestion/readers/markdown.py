"""Markdown, and text that marks as little as people do, to plain-text blocks, by way of the HTML that it stands for."""

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any

from bs4 import Tag
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ingestion.readers.blocks import Hyphens, Outline, ParsedDocument, join_wrapped
from ingestion.readers.cleaning import HTML_TAGS, has_markup, without_comments
from ingestion.readers.markup import add_blocks, drop_unread, inline_text, parsed

_HARD_BREAK = re.compile(r"(?:(?<! ) {2,}|\\)\n")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for name, rule in (("em_open", _emphasis), ("em_close", _emphasis), ("html_inline", _tag), ("html_block", _html)):
        parser.add_render_rule(name, rule)
    parser.core.ruler.before("inline", "breaks", _keep_breaks)
    return parser


def parse_markdown(text: str) -> ParsedDocument:
    """Read a Markdown document; its title is the first heading of level 1, where that stands first."""
    soup = parsed(_parser().render(text))
    drop_unread(soup)
    outline = Outline()
    first = next((child for child in (soup.body or soup).children if isinstance(child, Tag)), None)
    title = " ".join(inline_text(first).split()) if first is not None and first.name == "h1" else None
    add_blocks(soup, outline)
    return ParsedDocument(title or None, outline.blocks)


def _keep_breaks(state: StateCore) -> None:
    """Break lines where the author did, rather than the width of the page."""
    hyphens = Hyphens(state.src.split("\n"))
    for before, token in pairwise(state.tokens):
        if before.type == "paragraph_open":
            lines = join_wrapped(_HARD_BREAK.sub("\n\n", token.content), hyphens.join)
            token.content = lines.replace("\n", "  \n")


def _emphasis(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:  # noqa: ANN401 - the library's signature, as below
    """A mark between two letters or digits, as in `2*3*4`, means itself."""
    before = tokens[at - 1].content[-1:] if at else ""
    after = tokens[at + 1].content[:1] if at + 1 < len(tokens) else ""
    return tokens[at].markup if before.isalnum() and after.isalnum() else ""


def _tag(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:  # noqa: ANN401
    """A tag between words; what is no HTML after all, such as `<Enter>`, stands for itself."""
    content = tokens[at].content
    name = content.strip("</> ").split()[0].rstrip("/").lower()
    return content if name in HTML_TAGS or name.startswith("!--") else escape(content)


def _html(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:  # noqa: ANN401
    content = without_comments(tokens[at].content)
    return content if has_markup(content) else f"<p>{escape(content)}</p>"
