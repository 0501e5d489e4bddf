"""The games. One file each; the registry finds them by their file name."""
