"""Use cases. They run without Discord and know of it only ids and instants."""
