"""Search: algorithms that know the contract and no game. Each file is one method and its agent."""
