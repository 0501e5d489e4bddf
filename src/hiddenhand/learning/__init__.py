"""Learning: methods that improve agents and know no game. One readable file per method."""
