"""What the browser does with answers: shows the newest from its question on, copies and reads aloud, closes a source.

The script is served as a file, as the page's Content-Security-Policy allows no other. A page has it once, however many
answers it shows.
"""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

NAME = "answer_tools"


def answer_tools(thread: str) -> None:
    """Let the buttons below the answers of a conversation do something."""
    package = ComponentManifest("footnote", "1", [ComponentConfig(NAME, "browser")])
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"footnote.{NAME}") is None:
        manager.register_from_manifest(package, Path(__file__).parent)
    draw = st.components.v2.component(f"footnote.{NAME}", js=f"{NAME}.js", isolate_styles=False)
    with st.container(key="unseen-tools"):
        draw(key=f"tools-{thread}")
