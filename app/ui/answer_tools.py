"""What the browser does with an answer: it copies it with its sources, and reads a spoken one aloud.

The script is served as a file, as the page's Content-Security-Policy allows no other.
"""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from app.presentation import answer_with_sources
from graph.turn import Turn

NAME = "answer_tools"
HTML = """<div class="tools"><button type="button">Copy with sources</button>
<button type="button" aria-pressed="false" hidden>Listen</button><span role="status"></span></div>"""


def answer_tools(turn: Turn) -> None:
    """Draw the buttons below an answer."""
    package = ComponentManifest("footnote", "1", [ComponentConfig(NAME, "browser")])
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"footnote.{NAME}") is None:
        manager.register_from_manifest(package, Path(__file__).parent)
    draw = st.components.v2.component(f"footnote.{NAME}", html=HTML, js=f"{NAME}.js", isolate_styles=False)
    spoken = turn.answer if turn.style == "voice" else None
    draw(key=f"tools-{turn.turn_id}", data={"text": answer_with_sources(turn), "spoken": spoken}, height="content")
