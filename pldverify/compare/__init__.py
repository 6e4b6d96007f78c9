"""The only place where subject and truth meet."""
