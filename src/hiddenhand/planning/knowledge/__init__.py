"""Knowledge reckoned in advance: which beliefs are stored, how they are looked up, and the files that hold them."""
