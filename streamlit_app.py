"""The pages' entry: `streamlit run streamlit_app.py`, or `footnote demo`."""

from streamlit.starlette import App

from app.ui.server import SCRIPT, beside, gate, routes

app = App(SCRIPT, middleware=gate(), routes=routes(), lifespan=beside)
