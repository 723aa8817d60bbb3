"""Support: how probable it is that evidence says what a sentence claims."""
