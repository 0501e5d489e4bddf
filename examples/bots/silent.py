#!/usr/bin/env python3
"""A bot that never answers, does not even read, and does not leave when it is asked to."""

import time

while True:
    time.sleep(3600)
