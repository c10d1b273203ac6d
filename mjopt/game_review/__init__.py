"""Real games, read from the logs of others and judged: every discard, exactly."""
