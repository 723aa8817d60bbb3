"""One small function per node: `(state, runtime) -> update`."""
