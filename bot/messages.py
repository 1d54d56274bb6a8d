"""Messages that are translated when they are told."""


def N_(message: str) -> str:  # noqa: N802 - translators' tools look for this name
    """A message as it is written; `say` tells it in a language."""
    return message
