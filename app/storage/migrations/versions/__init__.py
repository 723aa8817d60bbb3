"""One migration a file, in their order."""
