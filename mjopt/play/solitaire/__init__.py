"""Rules for discards, ranked by what they win alone."""
