"""Commands and servers for hosts."""
