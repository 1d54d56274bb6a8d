"""What is stored about players and servers: told, handed out, erased."""
