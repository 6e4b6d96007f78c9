"""K, K', K'' of one loss in floats, one law a file."""
