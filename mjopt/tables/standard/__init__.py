"""Tables of the standard form alone, for packed hands and for proofs."""
