"""From documents to chunks: four ways to cut, and the choice between them."""
