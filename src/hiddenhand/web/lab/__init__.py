"""The laboratory: a queue of experiments, the process that carries them out, and their results."""
