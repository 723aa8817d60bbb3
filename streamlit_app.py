"""The chat page's entry: `streamlit run streamlit_app.py`, or `footnote demo`."""

from streamlit.starlette import App

from app.ui.server import SCRIPT, beside, gate

app = App(SCRIPT, middleware=gate(), lifespan=beside)
