"""Words and blocks that the boards and pages of every room use."""
