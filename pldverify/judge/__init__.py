"""Judge: the only place where a subject and the truth meet."""
