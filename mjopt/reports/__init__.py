"""What knows no hand: tables, pages, figures, statistics."""
