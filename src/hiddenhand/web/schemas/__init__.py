"""Schemas of everything that travels between the server and its clients."""
