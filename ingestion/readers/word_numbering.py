"""The numbers of a Word file's numbered paragraphs, which Word counts when it shows them and does not store."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

MARK = "footnote-number"
"""Begins the names of the bookmarks that carry numbers."""

_STYLES = {"decimal": "1", "decimalZero": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i"} | {
    "upperRoman": "I"
}
"""Word's number formats, as HTML's list types."""
_MAX_DEPTH = 10


@dataclass(slots=True)
class _Numbering:
    """What `numbering.xml` says, and how far each list has counted."""

    abstract: dict[str, str] = field(default_factory=dict)
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    formats: dict[tuple[str, int], str] = field(default_factory=dict)
    overrides: dict[tuple[str, int], int] = field(default_factory=dict)
    _counted: dict[str, dict[int, int]] = field(default_factory=dict)

    def count(self, number_id: str, level: int) -> tuple[int, str] | None:
        """Count a paragraph of a list; None where the level has bullets."""
        listed = self.abstract.get(number_id)
        style = _STYLES.get(self.formats.get((listed or "", level), "bullet"))
        if listed is None or style is None:
            return None
        counted = self._counted.setdefault(listed, {})
        # A restart holds from the first paragraph that uses this instance of the list.
        start = self.overrides.pop((number_id, level), None)
        if start is None and level in counted:
            counted[level] += 1
        else:
            counted[level] = self.starts.get((listed, level), 1) if start is None else start
        for deeper in [other for other in counted if other > level]:
            del counted[deeper]
        return counted[level], style


def mark_numbers(document: bytes, numbering: bytes | None, styles: bytes | None) -> bytes:
    """Put a bookmark named `footnote-number-NUMBER-TYPE` into every numbered paragraph of a `document.xml`."""
    if numbering is None:
        return document
    counter = _read_numbering(numbering)
    by_style = dict(_style_numbers(styles)) if styles is not None else {}
    root = _parse(document)
    for paragraph in root.iter("{*}p"):
        properties = paragraph.find("{*}pPr")
        if properties is None:
            continue
        style = _value(properties.find("{*}pStyle"))
        own = properties.find("{*}numPr")
        number_id, level = (None, None) if own is None else _list_of(own)
        inherited_id, inherited_level = by_style.get(style or "", (None, None))
        counted = counter.count(number_id or inherited_id or "0", level or inherited_level or 0)
        if counted is not None:
            namespace = etree.QName(paragraph).namespace
            bookmark = etree.Element(f"{{{namespace}}}bookmarkStart")
            bookmark.set(f"{{{namespace}}}name", f"{MARK}-{counted[0]}-{counted[1]}")
            properties.addnext(bookmark)
    return bytes(etree.tostring(root))


def _parse(data: bytes) -> etree._Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def _read_numbering(data: bytes) -> _Numbering:
    numbering = _Numbering()
    root = _parse(data)
    for listed in root.iter("{*}abstractNum"):
        name = _attribute(listed, "abstractNumId") or ""
        for level in listed.iter("{*}lvl"):
            depth = int(_attribute(level, "ilvl") or 0)
            numbering.formats[name, depth] = _value(level.find("{*}numFmt")) or "decimal"
            numbering.starts[name, depth] = int(_value(level.find("{*}start")) or 1)
    for instance in root.iter("{*}num"):
        number_id = _attribute(instance, "numId") or ""
        numbering.abstract[number_id] = _value(instance.find("{*}abstractNumId")) or ""
        for override in instance.iter("{*}lvlOverride"):
            start = _value(override.find("{*}startOverride"))
            if start is not None:
                numbering.overrides[number_id, int(_attribute(override, "ilvl") or 0)] = int(start)
    return numbering


def _style_numbers(data: bytes) -> Iterator[tuple[str, tuple[str | None, int | None]]]:
    """The lists that paragraph styles belong to, inherited from the styles they are based on."""
    styles = {_attribute(style, "styleId") or "": style for style in _parse(data).iter("{*}style")}
    for name, style in styles.items():
        current: etree._Element | None = style
        for _ in range(_MAX_DEPTH):
            if current is None:
                break
            own = current.find("{*}pPr/{*}numPr")
            if own is not None:
                yield name, _list_of(own)
                break
            current = styles.get(_value(current.find("{*}basedOn")) or "")


def _list_of(numbered: etree._Element) -> tuple[str | None, int | None]:
    level = _value(numbered.find("{*}ilvl"))
    return _value(numbered.find("{*}numId")), None if level is None else int(level)


def _value(element: etree._Element | None) -> str | None:
    return None if element is None else _attribute(element, "val")


def _attribute(element: etree._Element, name: str) -> str | None:
    """An attribute of Word's namespace, of which there are two."""
    return next((str(value) for key, value in element.attrib.items() if etree.QName(key).localname == name), None)
