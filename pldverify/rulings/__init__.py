"""Rulings: from what is proved of a mechanism to what is said of a claim."""
