"""The front of the service: HTTP, keys, limits, problems, metrics and logs. It knows nothing of learners."""
