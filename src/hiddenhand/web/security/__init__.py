"""Limits of connections, rates and sizes, and the middleware that enforces them."""
