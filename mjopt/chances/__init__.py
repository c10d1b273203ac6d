"""What the future brings to a hand alone: draws, win chances, ceilings."""
