"""The commands of a Svarog file, executed."""
