"""The parts of a report: its page, its sections and its words."""
