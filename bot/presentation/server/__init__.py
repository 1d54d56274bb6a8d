"""A server's settings and posts in words."""
