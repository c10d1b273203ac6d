"""Read logs of real games and evaluate every discard exactly."""
