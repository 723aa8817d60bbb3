"""From verified sentences to what the user reads or hears."""
