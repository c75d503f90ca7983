"""The game between a learner and a stream or a teacher, and what happened in it."""
