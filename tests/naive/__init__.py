"""Slow twins of the learners: plain Python, as the papers have them, never importing littlestone."""
