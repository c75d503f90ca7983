"""The journal: what was accepted, in order, durable; the models are what it says."""
