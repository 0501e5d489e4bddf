"""The laboratory: matches and tournaments, their statistics, and the store that keeps them."""
