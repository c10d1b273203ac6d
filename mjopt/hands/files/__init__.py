"""Files of hands: readers of each format, and writers of labelled hands."""
