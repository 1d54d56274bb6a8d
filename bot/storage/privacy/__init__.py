"""What is stored about players and servers: declared, read, erased."""
