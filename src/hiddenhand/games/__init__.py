"""The games. One file each; the resolver finds them by their file name."""
