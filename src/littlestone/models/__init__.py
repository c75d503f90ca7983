"""What a user does with a learner: train it, keep it, explain it, prune it, serve it."""
