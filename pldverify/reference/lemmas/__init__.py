"""One inequality a file: hypothesis, statement, proof or source."""
