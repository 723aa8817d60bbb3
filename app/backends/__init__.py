"""Live backends: HTTP services of the shop, declared in settings, that know what holds now."""
