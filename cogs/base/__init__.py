"""Buttons, forms, loops and layouts, and the one place that reports errors to players."""
