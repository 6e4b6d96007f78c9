"""One file a family of pairs: its densities, and the formulas that papers print about it."""
