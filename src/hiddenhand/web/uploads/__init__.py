"""What visitors bring: worlds, models, trees, menus and records, checked before they are used."""
