"""Markdown to plain-text blocks."""

from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from ingestion.readers.blocks import Outline, ParsedDocument, join_wrapped
from ingestion.readers.cleaning import HTML_TAGS, has_markup, without_comments
from ingestion.readers.markup import add_fragment, hides

_VOID = frozenset({"br", "img", "hr", "wbr", "input", "link", "meta", "base", "source"})
"""Elements that hold nothing."""
_ITEM_PROSE = frozenset({"paragraph", "heading"})


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def parse_markdown(text: str) -> ParsedDocument:
    """Read a Markdown document; its title is the first heading of level 1, where that stands first."""
    tree = SyntaxTreeNode(_parser().parse(text))
    outline = Outline()
    for node in tree.children:
        _add(node, outline)
    first = tree.children[0] if tree.children else None
    title = _inline(first) if first is not None and first.type == "heading" and first.tag == "h1" else None
    return ParsedDocument(title or None, outline.blocks)


def _add(node: SyntaxTreeNode, outline: Outline) -> None:
    if node.type == "heading":
        outline.heading(int(node.tag[1]), " ".join(_inline(node).split()))
    elif node.type == "paragraph":
        outline.add("paragraph", join_wrapped(_inline(node), " ".join))
    elif node.type in {"bullet_list", "ordered_list"}:
        outline.add("list", "\n".join(_list_lines(node, 0)))
    elif node.type == "table":
        outline.add("table", "\n".join(_table_lines(node)))
    elif node.type in {"fence", "code_block"}:
        outline.add("code", node.content)
    elif node.type == "html_block":
        content = without_comments(node.content)
        if has_markup(content):
            add_fragment(content, outline)
        else:
            outline.add("paragraph", content)
    else:
        for child in node.children:
            _add(child, outline)


def _inline(node: SyntaxTreeNode) -> str:
    """The words of a block: emphasis and link targets go, their text stays."""
    tokens = [token for child in node.children if child.token for token in child.token.children or []]
    return "".join(_inline_parts(tokens))


def _inline_parts(tokens: Sequence[Token]) -> Iterator[str]:
    struck = 0
    hidden: list[str] = []
    for position, token in enumerate(tokens):
        struck += {"s_open": 1, "s_close": -1}.get(token.type, 0)
        if token.type == "html_inline":
            _note_hidden(token.content, hidden)
        if struck or hidden:
            continue
        if token.type in {"text", "code_inline", "text_special"}:
            yield token.content
        elif token.type in {"softbreak", "hardbreak"}:
            yield "\n" if token.type == "softbreak" else "\n\n"
        elif token.type == "image":
            yield "".join(_inline_parts(token.children or []))
        elif token.type == "html_inline":
            yield _inline_tag(token.content)
        elif token.type in {"em_open", "em_close"} and _is_inside_word(tokens, position):
            yield token.markup


def _note_hidden(tag: str, hidden: list[str]) -> None:
    """Keep the name of the open element that hides what it holds, once for each of that name inside of it."""
    name = _tag_name(tag)
    if tag.startswith("</"):
        if name in hidden:
            hidden.pop()
    elif name in hidden or (not hidden and name not in _VOID and hides(tag)):
        hidden.append(name)


def _tag_name(tag: str) -> str:
    return tag.strip("</> ").split()[0].rstrip("/").lower()


def _inline_tag(tag: str) -> str:
    """What an HTML tag between words leaves: nothing, a line break, or itself where it is no HTML after all."""
    name = _tag_name(tag)
    if name == "br":
        return "\n\n"
    return "" if name in HTML_TAGS or name.startswith("!--") else tag


def _is_inside_word(tokens: Sequence[Token], position: int) -> bool:
    """Whether an emphasis mark stands between two letters or digits, as in `2*3*4`, and so means itself."""
    before = tokens[position - 1].content[-1:] if position else ""
    after = tokens[position + 1].content[:1] if position + 1 < len(tokens) else ""
    return before.isalnum() and after.isalnum()


def _list_lines(node: SyntaxTreeNode, depth: int) -> Iterator[str]:
    """An item a line; what else an item holds stands on lines of its own below it, or beside an empty marker."""
    number = int(node.attrs.get("start", 1))
    for item in node.children:
        marker = "  " * depth + (f"{number}." if node.type == "ordered_list" else "-")
        number += 1
        prose = [" ".join(_inline(child).split()) for child in item.children if child.type in _ITEM_PROSE]
        below = [line for child in item.children if child.type not in _ITEM_PROSE for line in _nested(child, depth + 1)]
        if not prose and below:
            prose.append(below.pop(0).strip())
        if prose:
            yield f"{marker} {' '.join(prose)}"
        yield from below


def _nested(node: SyntaxTreeNode, depth: int) -> Iterator[str]:
    if node.type in {"bullet_list", "ordered_list"}:
        yield from _list_lines(node, depth)
        return
    outline = Outline()
    _add(node, outline)
    for block in outline.blocks:
        yield from ("  " * depth + line.strip() for line in block.text.split("\n") if line.strip())


def _table_lines(node: SyntaxTreeNode) -> Iterator[str]:
    for row in node.walk():
        if row.type == "tr":
            yield " | ".join(" ".join(_inline(cell).split()) for cell in row.children)
