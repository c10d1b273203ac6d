"""What a hand is before anyone thinks about it."""
