"""A sampled upper bound on the mean of optimal play."""
