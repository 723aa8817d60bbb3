"""What a server says that is checked: one that follows grammar and schema, and one that does not."""

import json
import re

from tests.llm_server.script import Script
from tests.llm_server.server import Body


def obedient(body: Body) -> Script:
    """Says what the request holds it to, as a server with structured outputs does."""
    if grammar := body.get("structured_outputs", {}).get("grammar"):
        return Script("".join(re.findall(r'"(.*?)"', grammar)))
    if form := body.get("response_format"):
        shelf = form["json_schema"]["schema"]["properties"]["shelf"]["enum"][0]
        return Script(json.dumps({"shelf": shelf}))
    return Script("Apples, pears, plums, figs, dates, limes, kiwis, melons, grapes, cherries.")


def heedless(body: Body) -> Script:
    """Streams well, and takes no notice of a grammar or a schema."""
    return obedient({"messages": body["messages"]})
