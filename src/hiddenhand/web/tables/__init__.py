"""Tables on the server: the registry of all tables, live ones, connections to them, and the store."""
