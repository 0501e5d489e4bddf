"""The table in the browser: a server that holds the games, and the page that shows them.

The server is the authority. A seat is sent what it may know and nothing else; every move is in the store before
anybody is told of it. `hiddenhand serve` starts it; `create_app` in `app` puts it together.
"""
