"""What a user of the library holds in hand: games, tables, views, agents, decisions, records."""
