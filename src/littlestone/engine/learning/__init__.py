"""The loops of learners, one file a representation: compiled."""
