"""What algorithms are made of: links, rules, kernels, Bayesian models."""
