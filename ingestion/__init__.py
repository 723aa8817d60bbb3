"""From a shop's files to a knowledge base, and the knowledge base itself."""
