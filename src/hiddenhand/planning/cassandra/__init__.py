"""POMDPs in the text format of A. Cassandra (.pomdp): read and written."""
