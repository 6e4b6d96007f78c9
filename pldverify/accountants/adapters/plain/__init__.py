"""Plain adapters: one file a library, which imports nothing of ours and runs beside the library alone."""
