"""What follows from the engines' values: δ with δ_∞, both directions, inverses, moments, trade-off."""
