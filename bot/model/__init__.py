"""Nouns that every floor knows: frozen, without input or output."""
