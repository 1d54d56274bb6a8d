"""What people see: every sentence, board and picture. Knows the engine and services' results."""
