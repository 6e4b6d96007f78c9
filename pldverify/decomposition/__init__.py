"""The error budget of an FFT accountant: its error split into terms, each next to its theorem."""
