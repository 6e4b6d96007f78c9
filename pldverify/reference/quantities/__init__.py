"""What users ask for: one quantity a file."""
