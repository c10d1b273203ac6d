"""Tables of any templates: derivation, files, arrays and single look-ups."""
