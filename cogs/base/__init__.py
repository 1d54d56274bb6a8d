"""Pages, forms, routes and timed cogs, and the one place that reports errors to players."""
