"""Rule sets: templates, winning forms, and the files that define them."""
